/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One child, one cell of memory that it shares with its parent, one watchdog.
 *
 * The parent looks again and again whether the child is done, at intervals that
 * grow to 5 ms. A pidfd would be told, but 4.19 has none; the end of a pipe
 * waits for grandchildren, too; and SIGCHLD is the caller's. What is left needs
 * no descriptor, which a child might close or run out of.
 *
 * A body may call child_run() itself. All levels share the cells of the first, so
 * that the outermost can end the process groups of those below, whatever
 * becomes of the levels between.
 */
#include "child.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_SECCOMP /* glibc 2.36 has no name for this si_code of SIGSYS */
#define SYS_SECCOMP 1
#endif

#define LEVELS	   8
#define NAP_MIN_NS 50000
#define NAP_MAX_NS 5000000

/* What a child leaves behind, volatile since it may die right after a store. */
struct cell {
	volatile pid_t pid;	    /* leader of its group; 0 when there is none */
	const char *volatile stage; /* the parent has the same literals */
	volatile int error;
	volatile bool trapped;
	volatile int trapped_syscall;
	char note[sizeof(((struct child *)0)->note)];
};

static struct cell *cells; /* NULL outside of child_run() */
static unsigned int level; /* how many child_run() this process is inside of */

static struct cell *own_cell(void)
{
	return level ? &cells[level - 1] : NULL;
}

void child_stage(const char *stage)
{
	if (own_cell())
		own_cell()->stage = stage;
}

void child_error(int error)
{
	if (own_cell())
		own_cell()->error = error;
}

void child_note(const char *format, ...)
{
	struct cell *cell = own_cell();
	va_list args;

	if (!cell)
		return;
	va_start(args, format);
	vsnprintf(cell->note, sizeof(cell->note), format, args);
	va_end(args);
}

/* The filter may refuse any way out; the parent has what it needs by then. */
static void leave(void)
{
	syscall(SYS_exit_group, EXIT_FAILURE);
	syscall(SYS_exit, EXIT_FAILURE);
	abort();
}

static void on_sigsys(int number, siginfo_t *info, void *context)
{
	struct cell *cell = own_cell();

	(void)context;
	if (info->si_code != SYS_SECCOMP) {
		signal(number, SIG_DFL);
		raise(number);
		return;
	}
	if (!cell->trapped) {
		cell->trapped_syscall = info->si_syscall;
		cell->trapped = true;
	}
	leave();
}

static void catch_sigsys(void)
{
	struct sigaction action = {.sa_sigaction = on_sigsys, .sa_flags = SA_SIGINFO};

	sigemptyset(&action.sa_mask);
	sigaction(SIGSYS, &action, NULL);
}

static void run_body(struct cell *cell, int (*body)(void *arg), void *arg)
{
	int value;

	level++;
	cell->pid = getpid();
	setpgid(0, 0);
	catch_sigsys();
	value = body(arg);
	fflush(NULL);
	_exit(value);
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

/* Wait until the child is dead, but leave it a zombie: its number stays taken. */
static bool wait_until_dead(pid_t pid, unsigned int timeout_ms)
{
	double deadline = now_ms() + timeout_ms;
	struct timespec nap = {.tv_nsec = NAP_MIN_NS};
	siginfo_t info;

	for (;;) {
		info.si_pid = 0;
		if (waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno != EINTR)
			return true;
		if (info.si_pid == pid)
			return true;
		if (now_ms() >= deadline)
			return false;
		nanosleep(&nap, NULL);
		if (nap.tv_nsec < NAP_MAX_NS)
			nap.tv_nsec *= 2;
	}
}

static pid_t reap(pid_t pid, int *status)
{
	pid_t reaped;

	do
		reaped = waitpid(pid, status, 0);
	while (reaped < 0 && errno == EINTR);
	return reaped;
}

/*
 * End this child and what it left behind. Whoever loses its parent becomes our
 * child before that parent can be reaped, so no one is missed. False when the
 * status went elsewhere: SIGCHLD is ignored here.
 */
static bool end_groups(pid_t pid, int *status)
{
	bool reaped;

	for (unsigned int i = level; i < LEVELS; i++)
		if (cells[i].pid)
			kill(-cells[i].pid, SIGKILL);
	kill(pid, SIGKILL);
	reaped = reap(pid, status) == pid;
	for (unsigned int i = level; i < LEVELS; i++) {
		while (cells[i].pid && reap(-cells[i].pid, NULL) > 0)
			;
		cells[i].pid = 0;
	}
	return reaped;
}

static void supervise(struct child *child, pid_t pid, unsigned int timeout_ms)
{
	struct cell *cell = &cells[level];
	bool in_time, reaped;
	int status = 0;

	setpgid(pid, pid);
	cell->pid = pid;
	in_time = wait_until_dead(pid, timeout_ms);
	reaped = end_groups(pid, &status);
	if (cell->trapped) {
		child->end = CHILD_TRAPPED;
		child->value = cell->trapped_syscall;
	} else if (!in_time) {
		child->end = CHILD_TIMED_OUT;
		child->value = timeout_ms;
	} else if (reaped) {
		child_ended(child, status);
	} else {
		child->value = ECHILD;
	}
	child->stage = cell->stage;
	child->error = cell->error;
	memcpy(child->note, cell->note, sizeof(child->note));
}

static bool cells_take(void)
{
	if (!level) {
		cells = mmap(NULL, LEVELS * sizeof(*cells), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (cells == MAP_FAILED)
			return false;
	}
	if (level == LEVELS) {
		errno = EAGAIN;
		return false;
	}
	memset(&cells[level], 0, sizeof(cells[level]));
	cells[level].stage = "";
	return true;
}

static void cells_drop(void)
{
	if (level)
		return;
	munmap(cells, LEVELS * sizeof(*cells));
	cells = NULL;
}

void child_run(struct child *child, int (*body)(void *arg), void *arg, unsigned int timeout_ms)
{
	int subreaper = 0;
	pid_t pid;

	memset(child, 0, sizeof(*child));
	child->end = CHILD_NOT_STARTED;
	child->stage = "";
	if (!cells_take()) {
		child->value = errno;
		return;
	}
	/* Orphans of the child become ours, to be reaped. */
	prctl(PR_GET_CHILD_SUBREAPER, &subreaper);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	pid = child_fork();
	if (!pid)
		run_body(&cells[level], body, arg);
	if (pid < 0)
		child->value = errno;
	else
		supervise(child, pid, timeout_ms);
	prctl(PR_SET_CHILD_SUBREAPER, subreaper);
	cells_drop();
}
