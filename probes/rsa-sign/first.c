/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The first signature of a process. It seeds the library's generator, computes what
 * the key keeps (Montgomery values) and makes the blinding factor; a program that
 * signs once pays this and not the steady price. The second signature of the same
 * process is what it is compared with. All in CPU time, so that other load does not
 * count.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "child.h"
#include "rsa-sign.h"
#include "stats.h"

enum { LOAD, IMPORT, FIRST, SECOND, STEPS };
enum { PROCESSES_MAX = 32 };
enum { RIGHT = 64, WRONG, TOO_COARSE };

struct first {
	const struct rsa_library *library;
	const struct test_key *key;
	double *us; /* of the steps, in memory shared with the child */
};

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* The microseconds it took, or -1 when it is not the known answer. */
static double timed_sign(const struct first *first, void *key)
{
	const struct bytes *answer = &first->key->signature;
	unsigned char signature[SIGNATURE_MAX];
	double start = now_us();
	double us;

	if (!first->library->sign(key, &test_message, signature))
		return -1;
	us = now_us() - start;
	return memcmp(signature, answer->data, answer->size) ? -1 : us;
}

static int first_body(void *arg)
{
	const struct first *first = arg;
	const struct rsa_library *library = first->library;
	char reason[160];
	double start;
	void *key;

	child_stage("load");
	start = now_us();
	if (library->load(reason, sizeof(reason)) != VERDICT_OK)
		return WRONG;
	first->us[LOAD] = now_us() - start;
	child_stage("import");
	start = now_us();
	key = library->import_private(&first->key->private_key);
	if (!key)
		return WRONG;
	first->us[IMPORT] = now_us() - start;
	child_stage("sign");
	first->us[FIRST] = timed_sign(first, key);
	first->us[SECOND] = timed_sign(first, key);
	library->release(key);
	if (first->us[FIRST] < 0 || first->us[SECOND] < 0)
		return WRONG;
	return first->us[SECOND] > 0 ? RIGHT : TOO_COARSE;
}

static void add_result(struct report *report, const char *name,
		       double samples[STEPS + 1][PROCESSES_MAX], unsigned int processes)
{
	struct result *result = report_add(report, "first-sign", name, VERDICT_OK, "%s", "");

	result->ratio = stats_median(samples[STEPS], processes);
	stats_median_ci95(samples[STEPS], NULL, processes, result->ci95);
	result_number(result, "us_load", stats_median(samples[LOAD], processes));
	result_number(result, "us_import", stats_median(samples[IMPORT], processes));
	result_number(result, "us_first", stats_median(samples[FIRST], processes));
	result_number(result, "us_second", stats_median(samples[SECOND], processes));
}

static bool all_right(const struct child *child)
{
	return child->end == CHILD_EXITED && child->value == RIGHT;
}

static void report_end(struct report *report, const char *name, const struct child *child)
{
	char text[256];

	if (child->end == CHILD_EXITED && child->value == TOO_COARSE)
		report_add(report, "first-sign", name, VERDICT_UNKNOWN,
			   "the clock of CPU time is too coarse");
	else if (child->end == CHILD_EXITED)
		report_add(report, "first-sign", name, VERDICT_FAIL, "wrong signature, or none");
	else
		report_add(report, "first-sign", name, child_verdict(child), "%s",
			   child_describe(child, text, sizeof(text)));
}

/* How many processes left their times in samples; the last of them is in child. */
static unsigned int sample(struct first *first, unsigned int processes,
			   double samples[STEPS + 1][PROCESSES_MAX], struct child *child)
{
	for (unsigned int i = 0; i < processes; i++) {
		child_run(child, first_body, first, CHILD_MS);
		if (!all_right(child))
			return i;
		for (int step = 0; step < STEPS; step++)
			samples[step][i] = first->us[step];
		samples[STEPS][i] = first->us[FIRST] / first->us[SECOND];
	}
	return processes;
}

void report_first(struct report *report, const struct rsa_library *library,
		  const struct test_key *key, unsigned int processes)
{
	struct first first = {.library = library, .key = key};
	double samples[STEPS + 1][PROCESSES_MAX]; /* the last: first to second */
	struct child child;
	char name[64];

	snprintf(name, sizeof(name), "%s-%u-first-sign", library->name, key->bits);
	first.us = mmap(NULL, STEPS * sizeof(double), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (first.us == MAP_FAILED) {
		report_add(report, "first-sign", name, VERDICT_UNKNOWN, "mmap: %m");
		/* cppcheck-suppress memleak ; MAP_FAILED is no memory */
		return;
	}
	if (sample(&first, processes, samples, &child) == processes)
		add_result(report, name, samples, processes);
	else
		report_end(report, name, &child);
	munmap(first.us, STEPS * sizeof(double));
}
