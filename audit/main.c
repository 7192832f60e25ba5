/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hardened-audit: what a kernel has of the catalogue. docs/man/hardened-audit.1
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "confine.h"
#include "grid.h"
#include "input.h"
#include "level.h"
#include "message.h"
#include "names.h"
#include "options.h"
#include "replace.h"
#include "run.h"
#include "waivers.h"

#define WAIVERS_MAX	((size_t)1 << 20)
#define NOTHING_PRINTED (-1)

static int complain_output(const struct options *options, int error)
{
	if (!options->output)
		return complain("cannot write to standard output: %s", strerror(error));
	return complain("cannot write '%s': %s; name a file in a folder that exists, has room and "
			"may be written to",
			options->output, strerror(error));
}

/* What print() wrote is out; 0, or the exit status after a message. */
static int print_and_exit(const struct options *options, void (*print)(FILE *out))
{
	print(stdout);
	return fflush(stdout) ? complain_output(options, errno) : 0;
}

static void print_version(FILE *out)
{
	fprintf(out, "hardened-audit of hardenedconfig, with a catalogue of %zu entries\n",
		catalogue.entry_count);
}

/* So many processes can run at once. */
static size_t cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (size_t)CPU_COUNT(&set);
}

/* The last day on which a waiver counts is today, where its owner reads the clock. */
static void set_today(char today[11])
{
	time_t now = time(NULL);
	struct tm day;

	localtime_r(&now, &day);
	strftime(today, 11, "%Y-%m-%d", &day);
}

static int read_waivers(const char *path, struct waivers **waivers)
{
	char today[11], *text = NULL, *problem;
	size_t size;

	set_today(today);
	problem = input_read_text(path, WAIVERS_MAX, &text, &size);
	if (!problem)
		*waivers = waivers_parse(text, size, path, today, &problem);
	free(text);
	if (!problem)
		return 0;
	complain_lines(problem);
	free(problem);
	return EXIT_TROUBLE;
}

static void tell_waivers(const struct waivers *waivers)
{
	size_t next = 0;
	char *complaint;

	while ((complaint = waivers_complaint(waivers, &next))) {
		complain("%s", complaint);
		free(complaint);
	}
}

/* All that is to be read before the inputs. */
static int prepare(struct options *options, struct terms *terms, struct names *names)
{
	int status = 0;

	if (options->waivers)
		status = read_waivers(options->waivers, &terms->waivers);
	if (status || !options->files_from)
		return status;
	status = names_read(options->files_from, options->operands, options->operand_count, names);
	options->operands = names->at;
	options->operand_count = names->size;
	return status;
}

static bool wants_colour(const struct options *options)
{
	if (strcmp(options->colour, "auto") != 0)
		return !strcmp(options->colour, "always");
	return path_is_stdout(options->output) && colour_wanted(stdout);
}

/*
 * Run with the output open, in a process that can do little else. error: 0, the errno
 * with which writing failed, or NOTHING_PRINTED.
 */
static int run_confined(struct options *options, struct terms *terms, FILE *out, int folder,
			int *error)
{
	bool several = options->operand_count > 1 || options->files_from;
	struct names names = {0};
	int status;

	if (!options->jobs)
		options->jobs = several ? cpus() : 1;
	confine(folder, several);
	*error = NOTHING_PRINTED;
	status = prepare(options, terms, &names);
	if (!status)
		status = run(options, terms, out, error);
	if (!*error && terms->waivers)
		tell_waivers(terms->waivers);
	waivers_free(terms->waivers);
	names_free(&names);
	return status;
}

static int run_to_stdout(struct options *options, struct terms *terms)
{
	int status, error;

	options->view.width = page_on(stdout, false).width;
	if (fcntl(STDOUT_FILENO, F_GETFD) < 0)
		return complain_output(options, errno);
	status = run_confined(options, terms, stdout, -1, &error);
	if (!error && fflush(stdout))
		error = errno;
	return error > 0 ? complain_output(options, error) : status;
}

static int run_to_file(struct options *options, struct terms *terms)
{
	struct replacement file;
	int error = -replace_begin(&file, options->output), status, end;

	if (error)
		return complain_output(options, error);
	options->view.width = SIZE_MAX;
	status = run_confined(options, terms, file.out, file.folder, &error);
	end = -replace_end(&file, !error);
	if (!error)
		error = end;
	return error > 0 ? complain_output(options, error) : status;
}

int main(int argc, char **argv)
{
	struct options options;
	struct terms terms = {0};
	int status = options_parse(argc, argv, &options);

	/* Writing to a closed pipe is an error like any other. */
	signal(SIGPIPE, SIG_IGN);
	/* Whoever started us may ignore it, and then no worker can be waited for. */
	signal(SIGCHLD, SIG_DFL);
	if (status)
		return status;
	if (options.help)
		return print_and_exit(&options, options_help);
	if (options.version)
		return print_and_exit(&options, print_version);
	if (!options.level_word)
		status = level_default(LEVEL_FILE, &terms.level);
	else if (!level_parse(options.level_word, &terms.level))
		status = complain("--level '%s' is none; it is one of low, medium, high, extreme",
				  options.level_word);
	if (status)
		return status;
	options.view.colour = wants_colour(&options);
	return path_is_stdout(options.output) ? run_to_stdout(&options, &terms)
					      : run_to_file(&options, &terms);
}
