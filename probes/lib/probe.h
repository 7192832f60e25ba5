/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frame of a probe. Its main() is
 *
 *	static const struct probe probe = { .name = "wipeonfork", ... };
 *	int main(int argc, char **argv) { return probe_main(&probe, argc, argv); }
 *
 * probe_main() parses the options that all probes share (--help, --json[=FILE],
 * --ktap, --quick), gathers what is known of the machine, calls run(), and prints
 * the report: a table on a terminal, else KTAP, or what was asked for. With
 * --json=FILE the JSON goes to that file, replaced atomically, beside the usual
 * output.
 *
 * The exit status is report_status(), or 2 with a message on stderr for a bad
 * command line or an output that cannot be written.
 */
#ifndef PROBES_PROBE_H
#define PROBES_PROBE_H

#include <stdbool.h>

#include "report.h"

struct settings {
	bool quick;	/* fewer rounds and sizes: seconds instead of tens of them */
	char **command; /* the words after --inside, or NULL */
};

struct probe {
	const char *name;
	const char *summary; /* one line for --help */
	/* What --inside means for this probe, for --help; NULL if it has no such option. */
	const char *inside;
	void (*run)(struct report *report, const struct settings *settings);
};

int probe_main(const struct probe *probe, int argc, char **argv);

#endif
