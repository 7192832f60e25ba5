/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frame of a probe: options in, report out.
 */
#include "probe.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid.h"
#include "jsonfile.h"
#include "output.h"
#include "replace.h"
#include "system.h"

#define EXIT_TROUBLE 2

struct options {
	struct settings settings;
	bool help;
	bool ktap;
	bool json;	       /* on stdout, and nothing else there */
	const char *json_file; /* NULL for none */
};

/* A message, and the exit status that goes with it. */
static int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static int complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vwarnx(format, args);
	va_end(args);
	return EXIT_TROUBLE;
}

static int complain_stdout(void)
{
	return complain("cannot write to standard output: %s", strerror(errno));
}

static int complain_file(const char *path, int error)
{
	return complain("cannot write '%s': %s; name a file in a folder that exists, has room and "
			"may be written to, or use --json for standard output",
			path, strerror(error));
}

static int help(const struct probe *probe)
{
	printf("Usage: %s [OPTION]...\n"
	       "%s\n"
	       "\n"
	       "  --json       print JSON\n"
	       "  --json=FILE  write JSON to FILE, beside what is printed\n"
	       "  --ktap       print KTAP, to a terminal, too\n"
	       "  --quick      fewer rounds and sizes: seconds, and wider intervals\n",
	       probe->name, probe->summary);
	if (probe->inside)
		printf("  --inside COMMAND [ARG]...\n"
		       "               %s\n",
		       probe->inside);
	fputs("  --help       print this\n"
	      "\n"
	      "Without --json or --ktap, a terminal gets a table, and anything else gets KTAP.\n"
	      "\n"
	      "Exit status:\n"
	      "  0  all is as it must be\n"
	      "  1  something is not, or only in part\n"
	      "  2  something could not be checked; also a wrong command line, or output that\n"
	      "     cannot be written\n"
	      "  4  nothing of this can apply here\n",
	      stdout);
	return fflush(stdout) ? complain_stdout() : 0;
}

/* Fill in the options: 0, or the exit status after a message. */
static int parse(const struct probe *probe, int argc, char **argv, struct options *options)
{
	const struct option table[] = {
		{"help", no_argument, NULL, 'h'},
		{"json", optional_argument, NULL, 'j'},
		{"ktap", no_argument, NULL, 'k'},
		{"quick", no_argument, NULL, 'q'},
		/* or the end of the table */
		{probe->inside ? "inside" : NULL, no_argument, NULL, 'i'},
		{NULL, 0, NULL, 0},
	};
	int option;

	while (!options->settings.command &&
	       (option = getopt_long(argc, argv, "+", table, NULL)) != -1) {
		switch (option) {
		case 'h':
			options->help = true;
			break;
		case 'j':
			if (path_is_stdout(optarg))
				options->json = true;
			else
				options->json_file = optarg;
			break;
		case 'k':
			options->ktap = true;
			break;
		case 'q':
			options->settings.quick = true;
			break;
		case 'i':
			options->settings.command = argv + optind;
			break;
		default: /* getopt_long() has said what is wrong */
			return complain("--help shows what it understands");
		}
	}
	return 0;
}

static int check(const struct options *options, char **words)
{
	int ret;

	if (options->settings.command && !*options->settings.command)
		return complain("--inside needs a command: --inside COMMAND [ARG]...");
	if (!options->settings.command && *words)
		return complain("'%s' is no option; --help shows what it understands", *words);
	if (options->json && options->ktap)
		return complain("--json and --ktap both want standard output; give one of them, "
				"or --ktap --json=FILE");
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
		return complain_stdout();
	ret = options->json_file ? replace_check(options->json_file) : 0;
	return ret ? complain_file(options->json_file, -ret) : 0;
}

static int print(const struct report *report, const struct options *options)
{
	if (options->json)
		return json_print(report, stdout);
	if (options->ktap || !isatty(STDOUT_FILENO))
		return ktap_print(report, stdout);
	return table_print(report, stdout, colour_wanted(stdout));
}

/* Returns the exit status. */
static int output(const struct report *report, const struct options *options)
{
	int status = report_status(report), ret;

	/* Writing to a closed pipe is an error like any other. Not before: children inherit it. */
	signal(SIGPIPE, SIG_IGN);
	ret = options->json_file ? json_file_write(report, options->json_file) : 0;
	if (ret)
		status = complain_file(options->json_file, -ret);
	if (print(report, options))
		status = complain_stdout();
	return status;
}

int probe_main(const struct probe *probe, int argc, char **argv)
{
	struct options options = {0};
	struct report *report;
	int status = parse(probe, argc, argv, &options);

	if (!status && options.help)
		return help(probe);
	if (!status)
		status = check(&options, argv + optind);
	if (status)
		return status;
	/* Whoever started us may ignore it, and then no child can be waited for. */
	signal(SIGCHLD, SIG_DFL);
	report = report_new(probe->name);
	system_facts(report);
	probe->run(report, &options.settings);
	status = output(report, &options);
	report_free(report);
	return status;
}
