/* SPDX-License-Identifier: GPL-2.0-only */
#include "sysctl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system.h"

/* What makes the keeper put the old value back: from its parent, or by its parent's death. */
#define RELEASE_SIGNAL	 SIGTERM
#define LOCK_PATIENCE_MS 10000

/* What the keeper tells after each of its two tasks */
struct answer {
	enum sysctl_step step;
	int error;
	char old[16];
};

static ssize_t read_value(int fd, char *text, size_t size)
{
	ssize_t length = pread(fd, text, size - 1, 0);

	if (length < 0)
		return -1;
	text[length] = '\0';
	text[strcspn(text, "\n")] = '\0';
	return length;
}

static struct answer failed_at(enum sysctl_step step, int error)
{
	return (struct answer){.step = step, .error = error};
}

static struct answer write_value(int fd, const char *value)
{
	char now[16];

	if (pwrite(fd, value, strlen(value), 0) < 0)
		return failed_at(SYSCTL_WRITE, errno);
	if (read_value(fd, now, sizeof(now)) < 0)
		return failed_at(SYSCTL_READ_BACK, errno);
	if (strcmp(now, value) != 0)
		return failed_at(SYSCTL_READ_BACK, 0);
	return failed_at(SYSCTL_DONE, 0);
}

static struct answer set_value(int fd, const char *value, char *old, size_t size)
{
	struct answer answer;

	if (read_value(fd, old, size) < 0)
		return failed_at(SYSCTL_READ, errno);
	answer = write_value(fd, value);
	if (answer.step == SYSCTL_READ_BACK)
		write_value(fd, old);
	snprintf(answer.old, sizeof(answer.old), "%s", old);
	return answer;
}

static void tell(int fd, const struct answer *answer)
{
	/* A parent that is gone does not listen; SIGPIPE is blocked. */
	if (write(fd, answer, sizeof(*answer)) < 0)
		return;
}

static _Noreturn void keep(const struct sysctl_hold *hold, const char *value, pid_t parent, int out)
{
	struct answer answer;
	char old[16];
	sigset_t signals;
	int fd;

	sigfillset(&signals);
	sigprocmask(SIG_SETMASK, &signals, NULL);
	setsid();
	prctl(PR_SET_PDEATHSIG, RELEASE_SIGNAL);
	if (getppid() != parent)
		_exit(1);

	fd = proc_open(hold->path, O_RDWR);
	answer = fd < 0 ? failed_at(SYSCTL_OPEN, errno) : set_value(fd, value, old, sizeof(old));
	tell(out, &answer);
	if (answer.step != SYSCTL_DONE)
		_exit(1);

	sigemptyset(&signals);
	sigaddset(&signals, RELEASE_SIGNAL);
	while (sigwaitinfo(&signals, NULL) < 0)
		;
	answer = write_value(fd, old);
	tell(out, &answer);
	_exit(0);
}

static struct answer hear(int fd)
{
	struct answer answer;
	ssize_t length;

	do
		length = read(fd, &answer, sizeof(answer));
	while (length < 0 && errno == EINTR);
	return length == sizeof(answer) ? answer : failed_at(SYSCTL_KEEPER, ECHILD);
}

static void block_signals(sigset_t *before)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGQUIT);
	sigaddset(&signals, SIGTSTP);
	sigprocmask(SIG_BLOCK, &signals, before);
}

static void end_hold(struct sysctl_hold *hold)
{
	if (hold->keeper > 0)
		waitpid(hold->keeper, NULL, 0);
	close(hold->answers);
	sigprocmask(SIG_SETMASK, &hold->mask, NULL);
}

static bool heard(struct sysctl_hold *hold, const struct answer *answer)
{
	hold->step = answer->step;
	hold->error = answer->error;
	return hold->step == SYSCTL_DONE;
}

static pid_t start_keeper(struct sysctl_hold *hold, const char *value)
{
	pid_t parent = getpid();
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	hold->answers = ends[0];
	hold->keeper = fork();
	if (!hold->keeper)
		keep(hold, value, parent, ends[1]);
	close(ends[1]);
	return hold->keeper;
}

int sysctl_lock(const char *path)
{
	int fd = proc_open(path, O_RDONLY);
	unsigned int naps;

	for (naps = 0; fd >= 0 && flock(fd, LOCK_EX | LOCK_NB); naps++) {
		if (errno != EWOULDBLOCK || naps == LOCK_PATIENCE_MS) {
			int error = errno;

			close(fd);
			errno = error;
			return -1;
		}
		usleep(1000);
	}
	return fd;
}

void sysctl_unlock(int lock)
{
	if (lock < 0)
		return;
	flock(lock, LOCK_UN); /* for the copies that children have, too */
	close(lock);
}

int sysctl_read(const char *path)
{
	char text[16];

	return proc_read(path, text, sizeof(text)) < 0 ? -1 : (int)strtol(text, NULL, 10);
}

bool sysctl_hold(struct sysctl_hold *hold, const char *path, const char *value)
{
	struct answer answer;

	*hold = (struct sysctl_hold){.path = path, .answers = -1};
	block_signals(&hold->mask);
	if (start_keeper(hold, value) < 0)
		answer = failed_at(SYSCTL_KEEPER, errno);
	else
		answer = hear(hold->answers);
	snprintf(hold->old, sizeof(hold->old), "%s", answer.old);
	if (heard(hold, &answer))
		return true;
	end_hold(hold);
	return false;
}

/* Without its keeper, which somebody must have killed. */
static struct answer restore_here(const struct sysctl_hold *hold)
{
	struct answer answer;
	int fd = proc_open(hold->path, O_RDWR);

	if (fd < 0)
		return failed_at(SYSCTL_OPEN, errno);
	answer = write_value(fd, hold->old);
	close(fd);
	return answer;
}

bool sysctl_release(struct sysctl_hold *hold)
{
	struct answer answer;

	kill(hold->keeper, RELEASE_SIGNAL);
	answer = hear(hold->answers);
	if (answer.step == SYSCTL_KEEPER)
		answer = restore_here(hold);
	heard(hold, &answer);
	end_hold(hold);
	return hold->step == SYSCTL_DONE;
}
