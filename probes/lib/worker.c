/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Both sides of a worker: its loop, and the parent that drives it.
 *
 * Orders and answers go through two pipes, each a message of a fixed size. The parent
 * keeps the reading end of the orders open as well, so that writing to a dead worker
 * raises no SIGPIPE; that it is dead is told by the end of the answers. A worker
 * closes the pipes of those before it. It dies with its parent, or when the
 * orders end.
 */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "crew.h"
#include "system.h"
#include "text.h"

struct order {
	unsigned long operations;
};

struct answer {
	struct block block;
	char error[160]; /* or "" */
};

struct worker {
	pid_t pid; /* 0 when it has been ended */
	int orders[2];
	int answers; /* the reading end */
	const char *stage;
	char error[200];
	struct worker *next; /* in the list of all that have pipes */
};

static struct worker *all_workers;

/* In the worker. */
static void answer(int fd, const char *error, struct block block)
{
	struct answer message = {.block = block};

	if (error)
		snprintf(message.error, sizeof(message.error), "%s", error[0] ? error : "failed");
	if (write(fd, &message, sizeof(message)) != sizeof(message))
		_exit(EXIT_FAILURE);
}

static void obey(int orders, int answers, struct crew *crew)
{
	struct order order;
	struct block block;

	while (read(orders, &order, sizeof(order)) == sizeof(order)) {
		const char *error = crew_work(crew, order.operations, &block);

		answer(answers, error, block);
	}
	_exit(EXIT_SUCCESS);
}

static void worker_main(const struct workload *workload, clockid_t cpu_clock, int orders,
			int answers)
{
	const char *error = NULL;
	struct crew *crew = NULL;

	prctl(PR_SET_NAME, workload->name);
	if (workload->threads < 2)
		system_pin(0); /* before prepare() may load a filter that refuses it */
	if (workload->prepare)
		error = workload->prepare(workload->ctx);
	if (!error) {
		crew = crew_new(workload, cpu_clock);
		if (!crew)
			error = strerrorname_np(errno);
	}
	answer(answers, error, (struct block){0});
	if (error)
		_exit(EXIT_FAILURE);
	obey(orders, answers, crew);
}

/* In the parent. */
static void close_pipes(struct worker *worker)
{
	struct worker **link = &all_workers;

	while (*link && *link != worker)
		link = &(*link)->next;
	if (!*link)
		return;
	*link = worker->next;
	close(worker->orders[0]);
	close(worker->orders[1]);
	close(worker->answers);
}

/* Returns its wait status, -1 when it had none. */
static int end(struct worker *worker)
{
	int status = -1;

	if (!worker->pid)
		return -1;
	kill(worker->pid, SIGKILL);
	while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
		;
	worker->pid = 0;
	close_pipes(worker);
	return status;
}

void worker_fail(struct worker *worker, const char *format, ...)
{
	va_list args;

	end(worker);
	va_start(args, format);
	vsnprintf(worker->error, sizeof(worker->error), format, args);
	va_end(args);
}

/* It has closed its pipe: it is dead, or about to be. */
static void fail_dead(struct worker *worker)
{
	struct child child = {.stage = worker->stage};
	char text[sizeof(worker->error)];
	siginfo_t info;

	while (waitid(P_PID, worker->pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR)
		;
	child_ended(&child, end(worker));
	worker_fail(worker, "%s", child_describe(&child, text, sizeof(text)));
}

static void fail_silent(struct worker *worker, unsigned int patience_ms)
{
	struct child child = {.end = CHILD_TIMED_OUT, .value = patience_ms, .stage = worker->stage};
	char text[sizeof(worker->error)];

	worker_fail(worker, "%s", child_describe(&child, text, sizeof(text)));
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

/* Whether there is something to read, which may be the end, within the time. */
static bool readable(int fd, unsigned int patience_ms)
{
	struct pollfd ready = {.fd = fd, .events = POLLIN};
	int64_t deadline = now_ms() + patience_ms;
	int64_t left = patience_ms;

	while (left >= 0) {
		if (poll(&ready, 1, left) > 0)
			return true;
		left = deadline - now_ms();
	}
	return false;
}

static bool take_answer(struct worker *worker, unsigned int patience_ms, struct block *block)
{
	struct answer message;
	ssize_t size;

	if (!readable(worker->answers, patience_ms)) {
		fail_silent(worker, patience_ms);
		return false;
	}
	do
		size = read(worker->answers, &message, sizeof(message));
	while (size < 0 && errno == EINTR);
	if (size != sizeof(message)) {
		fail_dead(worker);
		return false;
	}
	if (message.error[0]) {
		worker_fail(worker, "%s", message.error);
		return false;
	}
	*block = message.block;
	return true;
}

/* Returns false, with errno, when there are no pipes or no process to be had. */
static bool launch(struct worker *worker, const struct workload *workload, clockid_t cpu_clock)
{
	int answers[2];

	if (pipe2(worker->orders, O_CLOEXEC))
		return false;
	if (pipe2(answers, O_CLOEXEC)) {
		close(worker->orders[0]);
		close(worker->orders[1]);
		return false;
	}
	worker->answers = answers[0];
	worker->pid = child_fork();
	if (!worker->pid) {
		while (all_workers)
			close_pipes(all_workers);
		close(worker->orders[1]);
		close(worker->answers);
		worker_main(workload, cpu_clock, worker->orders[0], answers[1]);
	}
	close(answers[1]);
	worker->next = all_workers;
	all_workers = worker;
	if (worker->pid > 0)
		return true;
	worker->pid = 0;
	close_pipes(worker);
	return false;
}

struct worker *worker_start(const struct workload *workload, clockid_t cpu_clock,
			    unsigned int patience_ms)
{
	struct worker *worker = text_memory(calloc(1, sizeof(*worker)));
	struct block nothing;

	worker->stage = "prepare";
	if (launch(worker, workload, cpu_clock))
		take_answer(worker, patience_ms, &nothing);
	else
		worker_fail(worker, "no worker process: %s", strerrorname_np(errno));
	worker->stage = "run";
	return worker;
}

bool worker_block(struct worker *worker, unsigned long operations, unsigned int patience_ms,
		  struct block *block)
{
	const struct order order = {.operations = operations};

	if (!worker->pid)
		return false;
	if (write(worker->orders[1], &order, sizeof(order)) != sizeof(order)) {
		worker_fail(worker, "no order to the worker: %s", strerrorname_np(errno));
		return false;
	}
	return take_answer(worker, patience_ms, block);
}

const char *worker_error(const struct worker *worker)
{
	return worker->pid ? NULL : worker->error;
}

long worker_preempted(const struct worker *worker)
{
	char path[32];

	if (!worker->pid)
		return -1;
	snprintf(path, sizeof(path), "%d/status", worker->pid);
	return proc_number(path, "nonvoluntary_ctxt_switches");
}

void worker_free(struct worker *worker)
{
	end(worker);
	free(worker);
}
