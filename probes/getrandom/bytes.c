/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bytes that repeat are the gravest fault of a generator: a key drawn twice. Not a
 * test of randomness; it finds constants, counters of few bits, and what is not
 * written at all.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "child.h"
#include "draw.h"
#include "stats.h"

#define DRAWS 1024

static int compare(const void *a, const void *b)
{
	return memcmp(a, b, DRAW_BYTES);
}

/* Ones among so many bits, in standard deviations from the half. */
static double bias(const unsigned char *bytes, size_t count)
{
	unsigned long ones = 0;

	for (size_t i = 0; i < count; i++)
		ones += (unsigned long)__builtin_popcount(bytes[i]);
	return ((double)ones - 4.0 * (double)count) / sqrt(2.0 * (double)count);
}

static int check_distinct(void *arg)
{
	unsigned char draws[DRAWS][DRAW_BYTES];
	double deviation;

	for (size_t i = 0; i < DRAWS; i++) {
		if (!draw(arg, draws[i]))
			return VERDICT_FAIL;
	}
	deviation = bias(draws[0], sizeof(draws));
	qsort(draws, DRAWS, DRAW_BYTES, compare);
	for (size_t i = 1; i < DRAWS; i++) {
		if (compare(draws[i - 1], draws[i]) == 0) {
			child_note("found: the same 32 bytes came twice in %d calls", DRAWS);
			return VERDICT_FAIL;
		}
	}
	if (fabs(deviation) > 6) {
		child_note("zeros and ones are %.1f standard deviations out of balance", deviation);
		return VERDICT_FAIL;
	}
	return VERDICT_OK;
}

static int check_fork(void *arg)
{
	unsigned int repeats;

	if (!draw_forked(arg, &repeats))
		return VERDICT_UNKNOWN;
	if (!repeats)
		return VERDICT_OK;
	child_note("found: parent and child drew the same 32 bytes after %u of %d forks", repeats,
		   DRAW_FORKS);
	return VERDICT_FAIL;
}

/* Negative controls: a generator that is stuck, and one whose state a fork copies. */
struct control {
	struct source source;
	struct rng rng;
};

static ssize_t fill_constant(const struct source *source, unsigned int thread, void *buffer,
			     size_t length)
{
	(void)source;
	(void)thread;
	memset(buffer, 0xa5, length);
	return (ssize_t)length;
}

static ssize_t fill_copied(const struct source *source, unsigned int thread, void *buffer,
			   size_t length)
{
	struct control *control = (struct control *)source; /* its first member */
	unsigned char *bytes = buffer;

	(void)thread;
	for (size_t i = 0; i < length; i++)
		bytes[i] = (unsigned char)rng_below(&control->rng, 256);
	return (ssize_t)length;
}

static int check_distinct_control(void *arg)
{
	struct source constant = {.fill = fill_constant};

	(void)arg;
	return check_distinct(&constant) == VERDICT_FAIL ? VERDICT_OK : VERDICT_UNKNOWN;
}

static int check_fork_control(void *arg)
{
	struct control copied = {.source.fill = fill_copied};

	(void)arg;
	rng_seed(&copied.rng, 1);
	return check_fork(&copied.source) == VERDICT_FAIL ? VERDICT_OK : VERDICT_UNKNOWN;
}

static void check_source(struct report *report, const struct source *source, const char *kind,
			 int (*check)(void *arg))
{
	char name[64];

	snprintf(name, sizeof(name), "%s-%s", kind, source->name);
	if (source->verdict != VERDICT_OK)
		report_add(report, "bytes", name, source->verdict, "%s", source->reason);
	else
		check_in_child(report, "bytes", name, check, (void *)source);
}

void check_bytes(struct report *report, const struct source sources[SOURCES])
{
	check_in_child(report, "bytes", "distinct-control", check_distinct_control, NULL);
	for (size_t i = 0; i < SOURCES; i++)
		check_source(report, &sources[i], "distinct", check_distinct);
	check_in_child(report, "bytes", "fork-control", check_fork_control, NULL);
	for (size_t i = 0; i < SOURCES; i++) {
		if (i != SOURCE_VDSO) /* that one has checks of its own */
			check_source(report, &sources[i], "fork", check_fork);
	}
}
