/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a sandbox must leave working, one check each. The list is that of BoringSSL's
 * SANDBOXING.md: memory, read/write locks and once-only initialisation, a standard
 * error, entropy, MADV_WIPEONFORK, getauxval(), the C library's own needs, and that
 * nobody starts threads behind the caller's back.
 *
 * A check is one function, run in a child process. It calls sandbox_enter() at the
 * point where the sandbox begins: what must be there before (a second thread, an
 * open descriptor) comes first. That call does nothing where the question is
 * about the sandbox that the process is in anyway.
 */
#ifndef SANDBOX_BASELINE_CHECK_H
#define SANDBOX_BASELINE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "child.h"
#include "sandbox.h"

#define BIT(id) (1u << (id))

enum check_id {
	CHECK_MALLOC_SMALL,
	CHECK_MALLOC_LARGE,
	CHECK_RWLOCK,
	CHECK_RWLOCK_CONTENDED,
	CHECK_RWLOCK_WAKE,
	CHECK_ONCE,
	CHECK_ONCE_CONTENDED,
	CHECK_ONCE_WAKE,
	CHECK_FUTEX,
	CHECK_THREAD,
	CHECK_NO_HIDDEN_THREADS,
	CHECK_STDERR,
	CHECK_GETRANDOM,
	CHECK_GETENTROPY,
	CHECK_URANDOM,
	CHECK_URANDOM_KEPT,
	CHECK_WIPEONFORK,
	CHECK_GETAUXVAL,
	CHECK_STRERROR,
	CHECKS
};

/*
 * How a check ends when it ends by itself: its exit status. None is 0 or 1, so that
 * a child which exits for another reason has not passed.
 */
enum outcome {
	PASSED = 10,
	FAILED,	     /* in all of these child_note() says what, child_error() has an errno */
	DEGRADED,    /* not so, and SANDBOXING.md can live with it, at a price */
	UNSUPPORTED, /* the kernel has no such thing */
	UNPROVEN,    /* could not be set up, or not be seen */
	NOT_ENTERED, /* the sandbox could not be built */
	NO_SANDBOX,  /* such a sandbox cannot be built here */
};

enum where {
	EVERYWHERE,
	CURRENT_ONLY, /* says nothing in a sandbox that the probe has built */
	BUILT_ONLY,   /* differs from another check only when the sandbox begins midway */
};

struct check {
	const char *name;
	int (*run)(const struct sandbox *sandbox); /* returns an enum outcome */
	enum where where;
	enum check_id twin;    /* for BUILT_ONLY: the check that is the same without a sandbox */
	bool optional;	       /* not needed where check `instead` passes */
	enum check_id instead; /* comes before this one in the table */
	unsigned int calls;    /* BIT(enum call): what it is likely to die of */
};

extern const struct check checks[CHECKS];

/* What a stage of a check begins with that is not what the check is about. */
#define SETUP "set up: "

/* Run one check in one sandbox (NULL: the current one), in a child of its own. */
void check_run(enum check_id id, const struct sandbox *sandbox, struct child *child);

/* Did the check, by itself, end like this? */
bool check_ended(const struct child *child, enum outcome outcome);

/* How it ended, in words: "passed", "futex refused: EPERM at: wait for the writer". */
const char *check_describe(const struct child *child, char *text, size_t size);

/* In a check: "WHAT refused" with errno, and the outcome to return. */
int check_refused(const char *what, enum outcome outcome);

/* In a check that may abort: what the C library writes then is noise here. */
void check_mute(void);

/* memory.c */
int check_malloc_small(const struct sandbox *sandbox);
int check_malloc_large(const struct sandbox *sandbox);
int check_wipeonfork(const struct sandbox *sandbox);
/* locks.c */
int check_rwlock(const struct sandbox *sandbox);
int check_rwlock_contended(const struct sandbox *sandbox);
int check_rwlock_wake(const struct sandbox *sandbox);
int check_once(const struct sandbox *sandbox);
int check_once_contended(const struct sandbox *sandbox);
int check_once_wake(const struct sandbox *sandbox);
int check_futex(const struct sandbox *sandbox);
/* threads.c */
int check_thread(const struct sandbox *sandbox);
int check_no_hidden_threads(const struct sandbox *sandbox);
/* entropy.c */
int check_getrandom(const struct sandbox *sandbox);
int check_getentropy(const struct sandbox *sandbox);
int check_urandom(const struct sandbox *sandbox);
int check_urandom_kept(const struct sandbox *sandbox);
/* libc.c */
int check_stderr(const struct sandbox *sandbox);
int check_getauxval(const struct sandbox *sandbox);
int check_strerror(const struct sandbox *sandbox);

#endif
