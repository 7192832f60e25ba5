/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sysctl that has another value for a moment, and never for longer.
 *
 * A keeper, a child process in a session of its own, writes the value and puts the
 * old one back when it is told to or when its parent dies, however that happens:
 * SIGKILL and crashes are not special, and a Ctrl-C does not reach it. SIGINT, SIGTERM,
 * SIGHUP, SIGQUIT and SIGTSTP wait until the old value is back, so that whoever sees the
 * program end by one of them finds the sysctl as it was.
 */
#ifndef SECCOMP_OVERHEAD_SYSCTL_H
#define SECCOMP_OVERHEAD_SYSCTL_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

enum sysctl_step {
	SYSCTL_OPEN,
	SYSCTL_READ,
	SYSCTL_WRITE,
	SYSCTL_READ_BACK, /* error 0: it was taken, and had no effect */
	SYSCTL_KEEPER,	  /* the process could not be had, or died */
	SYSCTL_DONE,
};

struct sysctl_hold {
	const char *path; /* below /proc */
	char old[16];
	enum sysctl_step step; /* where it failed, or SYSCTL_DONE */
	int error;
	pid_t keeper;
	int answers;
	sigset_t mask;
};

/*
 * Keep other processes that lock this sysctl from changing it, or what they know it to go
 * with. Waits for ten seconds: a descriptor for sysctl_unlock(), or -1 with errno,
 * EWOULDBLOCK when somebody else has the lock for longer. The keeper of a process that is
 * killed holds on to the lock until the old value is back.
 */
int sysctl_lock(const char *path);
void sysctl_unlock(int lock);

/* The value of a sysctl, a number: -1 with errno when it cannot be read. */
int sysctl_read(const char *path);

/*
 * Set the sysctl at path, read it back, and keep it so until sysctl_release(). False
 * when it could not be done, hold->step and ->error say why; nothing is to be released
 * then.
 */
bool sysctl_hold(struct sysctl_hold *hold, const char *path, const char *value);

/* Put the old value back. False when it is not, the same way. */
bool sysctl_release(struct sysctl_hold *hold);

#endif
