/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A probe that finds what it is told to, so that tests see every verdict:
 *
 *	fake_probe --ktap --inside ok fail=REASON figures=187.8 fact=TEXT say=TEXT
 *
 * Each word adds to the report: a verdict a result named "group.N", N being the
 * number of the word; "figures" one that is ok and has so many nanoseconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe.h"

/* The verdict that a word names, or -1. */
static int verdict_of(const char *word)
{
	for (int verdict = VERDICT_OK; verdict <= VERDICT_WAIVED; verdict++)
		if (!strcmp(verdict_word(verdict), word))
			return verdict;
	return -1;
}

static void add_figures(struct report *report, const char *name, double ns)
{
	struct result *result = report_add(report, "group", name, VERDICT_OK, "%s", "");

	result->ns = ns;
	result->ratio = ns / 100;
	result->ci95[0] = ns / 101;
	result->ci95[1] = ns / 99;
	result_number(result, "insns", 409);
	report_aa(report, 0.9999);
}

static void obey(struct report *report, const char *word, const char *text, const char *name)
{
	int verdict = verdict_of(word);

	if (verdict >= 0)
		report_add(report, "group", name, verdict, "%s", text);
	else if (!strcmp(word, "figures"))
		add_figures(report, name, strtod(text, NULL));
	else if (!strcmp(word, "fact"))
		report_fact(report, name, "%s", text);
	else if (!strcmp(word, "say"))
		report_say(report, "%s", text);
}

static void run(struct report *report, const struct settings *settings)
{
	char name[16];

	for (size_t i = 0; settings->command && settings->command[i]; i++) {
		char *text = settings->command[i];
		const char *word = strsep(&text, "=");

		snprintf(name, sizeof(name), "%zu", i + 1);
		obey(report, word, text ? text : "", name);
	}
}

int main(int argc, char **argv)
{
	static const struct probe probe = {
		.name = "fake-probe",
		.summary = "Finds what it is told to.",
		.inside = "verdicts, each with \"=REASON\" or not, and the like",
		.run = run,
	};

	return probe_main(&probe, argc, argv);
}
