/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the cases of this probe are made of.
 *
 * Each case runs in a process of its own and reads like a recipe: it prepares
 * memory, and says what a child must see there. A case that returns is ok. What
 * is not as expected, or cannot be set up, ends the process by conclude(), from
 * whatever depth or thread.
 */
#ifndef WIPEONFORK_H
#define WIPEONFORK_H

#include <stddef.h>
#include <sys/mman.h>
#include <sys/types.h>

#include "child.h"
#include "probe.h"
#include "report.h"

/* The ABI's numbers; a libc may be older than the kernel. */
#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#define MADV_KEEPONFORK 19
#endif

/* case.c: running a case, and what it comes to */

struct test_case {
	const char *name;
	void (*check)(void);
};

struct case_group {
	const char *name;
	const struct test_case *cases;
	size_t count;
};

extern const struct case_group children_group, wiped_group, kept_group, refused_group, limits_group;

struct result *case_run(struct report *report, const char *group, const struct test_case *test);

/* In a case's process or any child of it: end it all, with this verdict and reason. */
void conclude(enum verdict verdict, const char *reason, ...)
	__attribute__((format(printf, 2, 3), noreturn));

/* What a body for child_run() returns when all was well. */
int case_done(void);

/* An exit status from conclude(). */
int is_conclusion(int status);

/* memory.c: pages with a pattern that has no zero byte */

/* Exit statuses that nothing but a look has. */
enum sight {
	SIGHT_PATTERN = 32, /* what the parent wrote, every byte of it */
	SIGHT_ZEROS,	    /* zero, every byte */
	SIGHT_MIXED,
	SIGHT_NOTHING, /* not mapped */
};

const char *sight_words(enum sight sight);
int is_sight(int status);

size_t page_size(void);

/* mmap(2); a refusal is unknown. */
unsigned char *map(void *address, size_t size, int flags, int fd);

/* Private anonymous pages, filled with the pattern. */
unsigned char *new_pages(size_t count);
/* One such page under MADV_WIPEONFORK. */
unsigned char *new_wiped_page(void);

void fill(unsigned char *memory, size_t size);
unsigned char pattern_byte(size_t offset);
enum sight look(const unsigned char *memory, size_t size);

/* madvise(2) and mprotect(2), which must succeed. */
void advise(void *memory, size_t size, int advice);
void protect(void *memory, size_t size, int protection);

/* smaps.c: KEY's value for the mapping at this address; n/a when the kernel does not tell. */
void smaps_read(const void *address, const char *key, char *value, size_t size);

/* ways.c: the ways to make a child */

struct way {
	const char *name;
	const char *needs; /* what has it, if not every kernel */
	pid_t (*start)(int (*body)(void *arg), void *arg);
};

extern const struct way by_fork, by_clone, by_clone3;
/* These share their parent's memory. */
extern const struct way by_vfork, by_clone_vm, by_clone_vm_vfork;

/* What body(arg), an enum sight, is in a child. */
enum sight sight_of(const struct way *way, int (*body)(void *arg), void *arg);

/* The child must see zeros, or the pattern, and the parent must keep its data. */
void expect_wiped(const struct way *way, unsigned char *memory, size_t size);
void expect_kept(const struct way *way, unsigned char *memory, size_t size);

/* detection.c: what a library does before it relies on wiping; returns the decisive result. */
struct result *detect(struct report *report);

/* steady.c: a check makes no system call; cost.c: what it costs */
void steady_state(struct report *report);
void cost(struct report *report, const struct settings *settings);

#endif
