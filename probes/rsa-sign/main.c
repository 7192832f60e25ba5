/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rsa-sign: does RSA signing work on this machine, and what does it cost? A smoke
 * test of what a signature stands on: memory, locks, threads and, for blinding,
 * entropy from the kernel. With each library: PKCS#1 v1.5 with SHA-256 and keys of
 * 2048, 3072 and 4096 bits.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probe.h"
#include "rsa-sign.h"

/* For one library and key, about */
#define SECONDS	      1.0
#define SECONDS_QUICK 0.8
enum { PROCESSES = 9, PROCESSES_QUICK = 7 };

static const struct rsa_library *const libraries[] = {&libcrypto, &boringssl};

/* "47.6 % with 2048 bits, 22.5 % with 3072 bits", of the figures there are. */
static size_t list_percentages(const double *percent, char *text, size_t size)
{
	size_t used = 0;

	for (int i = 0; i < TEST_KEYS && used < size; i++)
		if (!isnan(percent[i]))
			used += (size_t)snprintf(text + used, size - used, "%s%.1f %% with %u bits",
						 used ? ", " : "", percent[i], test_keys[i].bits);
	return used;
}

static void say_blinding(struct report *report, const char *library, const double *percent)
{
	char text[160];

	if (list_percentages(percent, text, sizeof(text)))
		report_say(report,
			   "%s: of importing a key and signing once, blinding is %s; it protects "
			   "the key: this is a diagnosis, not an option.",
			   library, text);
}

/* With --quick all keys sign, but only the first is timed. */
static void run_library(struct report *report, const struct rsa_library *library, bool quick)
{
	bool right[TEST_KEYS];
	double percent[TEST_KEYS];
	int timed = quick ? 1 : TEST_KEYS;

	if (!report_library(report, library))
		return;
	for (int i = 0; i < TEST_KEYS; i++) {
		right[i] = report_signature(report, library, &test_keys[i]);
		percent[i] = NAN;
	}
	for (int i = 0; i < timed; i++)
		if (right[i])
			report_first(report, library, &test_keys[i],
				     quick ? PROCESSES_QUICK : PROCESSES);
	for (int i = 0; i < timed; i++)
		if (right[i])
			percent[i] = report_cost(report, library, &test_keys[i],
						 quick ? SECONDS_QUICK : SECONDS);
	say_blinding(report, library->name, percent);
}

static void run(struct report *report, const struct settings *settings)
{
	for (size_t i = 0; i < sizeof(libraries) / sizeof(libraries[0]); i++)
		run_library(report, libraries[i], settings->quick);
}

static const struct probe probe = {
	.name = "rsa-sign",
	.summary = "Does RSA signing work here, with the right answers, and what does it cost?",
	.run = run,
};

int main(int argc, char **argv)
{
	return probe_main(&probe, argc, argv);
}
