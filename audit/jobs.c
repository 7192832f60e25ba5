/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Workers take the number of the next input from a counter that all share, and send
 * each result through a pipe of their own. The caller reads the header of a result from
 * every pipe, but the rest only when its turn has come: a worker that is ahead
 * waits in write(), so that no more than one result per worker is ever in memory.
 */
#include "jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jobs_worker.h"
#include "pipe.h"
#include "text.h"

#define PIPE_ROOM   (1 << 20)
#define RESULT_MAX  ((size_t)1 << 30)
#define ENDING_SIZE 100

struct worker {
	pid_t pid;
	int results;  /* to read from; -1: it has ended */
	bool waiting; /* header is that of a result whose turn has not come */
	struct header header;
	char ending[ENDING_SIZE]; /* "" or why there is no result */
};

struct crew {
	const struct jobs *jobs;
	struct shared *shared;
	size_t shared_size;
	struct worker *workers;
	struct pollfd *polls;
	int error; /* the errno with which the last worker could not be started, or 0 */
};

/* In the new process. */
static _Noreturn void begin(const struct crew *crew, size_t number, int results, pid_t caller)
{
	/* Nobody is left behind, whatever becomes of the caller. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != caller)
		_exit(2);
	be_worker(crew->jobs, crew->shared, number, results);
}

/* false: there cannot be another process now. */
static bool start(struct crew *crew, size_t number)
{
	struct worker *worker = &crew->workers[number];
	pid_t caller = getpid();
	int ends[2];

	*worker = (struct worker){.results = -1};
	atomic_store(&crew->shared->taken[number], crew->jobs->count);
	crew->error = pipe2(ends, O_CLOEXEC) ? errno : 0;
	if (crew->error)
		return false;
	fcntl(ends[1], F_SETPIPE_SZ, PIPE_ROOM); /* or as much as there is */
	worker->pid = fork();
	if (!worker->pid) {
		close(ends[0]);
		begin(crew, number, ends[1], caller);
	}
	crew->error = worker->pid < 0 ? errno : 0;
	close(ends[1]);
	if (crew->error)
		close(ends[0]);
	else
		worker->results = ends[0];
	return !crew->error;
}

/* How a worker ended that had not done all its work. */
static void describe(int status, char ending[ENDING_SIZE])
{
	if (WIFSIGNALED(status))
		snprintf(ending, ENDING_SIZE, "was ended by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(ending, ENDING_SIZE, "ended with status %d", WEXITSTATUS(status));
}

/* The pipe has ended, or what came through it makes no sense. */
static void bury(struct crew *crew, struct worker *worker)
{
	size_t taken = atomic_load(&crew->shared->taken[worker - crew->workers]);
	int status = 0;

	close(worker->results);
	worker->results = -1;
	/* It has closed its pipe, or deserves it. */
	kill(worker->pid, SIGKILL);
	while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
		;
	worker->waiting = taken < crew->jobs->count;
	worker->header.index = taken;
	describe(status, worker->ending);
}

static void read_header(struct crew *crew, struct worker *worker)
{
	struct header *header = &worker->header;

	worker->waiting = pipe_read(worker->results, header, sizeof(*header)) &&
			  header->index < crew->jobs->count && header->size <= RESULT_MAX;
	if (!worker->waiting)
		bury(crew, worker);
}

/* Wait until workers whose next result is not known say something; false: there are none. */
static bool hear(struct crew *crew)
{
	bool any = false;

	for (size_t i = 0; i < crew->jobs->workers; i++) {
		struct worker *worker = &crew->workers[i];

		crew->polls[i] = (struct pollfd){
			.fd = worker->waiting ? -1 : worker->results,
			.events = POLLIN,
		};
		any |= crew->polls[i].fd >= 0;
	}
	if (!any)
		return false;
	if (poll(crew->polls, crew->jobs->workers, -1) <= 0)
		return true;
	for (size_t i = 0; i < crew->jobs->workers; i++) {
		if (crew->polls[i].fd >= 0 && crew->polls[i].revents)
			read_header(crew, &crew->workers[i]);
	}
	return true;
}

/* The worker that has a result for this input; NULL: there will not be any. */
static struct worker *find(struct crew *crew, size_t index)
{
	do {
		for (size_t i = 0; i < crew->jobs->workers; i++) {
			struct worker *worker = &crew->workers[i];

			if (worker->waiting && worker->header.index == index)
				return worker;
		}
	} while (hear(crew));
	return NULL;
}

/* Nobody has a result for this input, and nobody will, unless there is a new worker. */
static struct worker *find_again(struct crew *crew, size_t index)
{
	size_t next = atomic_load(&crew->shared->next);
	struct worker *free_one = crew->workers;

	while (free_one->results >= 0 || free_one->waiting) {
		if (++free_one == crew->workers + crew->jobs->workers)
			return NULL;
	}
	if (next == index && start(crew, (size_t)(free_one - crew->workers)))
		return find(crew, index);
	if (next == index)
		atomic_store(&crew->shared->next, index + 1);
	return NULL;
}

/* There is none. */
static bool take_nothing(const struct crew *crew, size_t index)
{
	const struct jobs *jobs = crew->jobs;
	char ending[ENDING_SIZE] = "gave no result";

	if (crew->error)
		snprintf(ending, sizeof(ending), "could not be started: %s", strerror(crew->error));
	return jobs->take(jobs->context, index, NULL, 0, ending);
}

/* Hand over the result of one input. */
static bool take(struct crew *crew, size_t index)
{
	const struct jobs *jobs = crew->jobs;
	struct worker *worker = find(crew, index);
	char *bytes = NULL;
	bool more;

	if (!worker)
		worker = find_again(crew, index);
	if (!worker)
		return take_nothing(crew, index);
	if (worker->results >= 0) {
		bytes = text_memory(malloc(worker->header.size + 1));
		if (!pipe_read(worker->results, bytes, worker->header.size)) {
			free(bytes);
			bytes = NULL;
			bury(crew, worker);
		}
	}
	more = jobs->take(jobs->context, index, bytes, worker->header.size,
			  bytes ? NULL : worker->ending);
	free(bytes);
	worker->waiting = false;
	if (more && worker->results < 0)
		start(crew, (size_t)(worker - crew->workers));
	return more;
}

static void open_crew(struct crew *crew, const struct jobs *jobs)
{
	size_t size = sizeof(struct shared) + jobs->workers * sizeof(atomic_size_t);

	crew->jobs = jobs;
	crew->shared_size = size;
	crew->shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (crew->shared == MAP_FAILED)
		text_memory(NULL);
	crew->workers = text_memory(calloc(jobs->workers, sizeof(*crew->workers)));
	crew->polls = text_memory(calloc(jobs->workers, sizeof(*crew->polls)));
	for (size_t i = 0; i < jobs->workers; i++)
		start(crew, i);
}

static void close_crew(struct crew *crew)
{
	for (size_t i = 0; i < crew->jobs->workers; i++) {
		if (crew->workers[i].results >= 0)
			bury(crew, &crew->workers[i]);
	}
	munmap(crew->shared, crew->shared_size);
	free(crew->workers);
	free(crew->polls);
}

void jobs_run(const struct jobs *jobs)
{
	struct crew crew;
	size_t index = 0;

	open_crew(&crew, jobs);
	while (index < jobs->count && take(&crew, index))
		index++;
	close_crew(&crew);
}
