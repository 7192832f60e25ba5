/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the command line, and saying which of its words contradict each other.
 */
#include "options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

#define JOBS_MAX 1024

enum {
	OPTION_JSON = 256,
	OPTION_HTML,
	OPTION_COMPARE,
	OPTION_ONLY,
	OPTION_ORDER,
	OPTION_JOBS,
	OPTION_FORMAT,
	OPTION_TEXT
};

/* What a format is called, and how it prints kernels beside each other; NULL: it cannot. */
static const struct choice {
	const char *name;
	const struct format *each, *matrix;
} formats[] = {
	{"table", &format_table, &matrix_table},  {"json", &format_json, &matrix_json},
	{"csv", &format_csv, &matrix_csv},	  {"ktap", &format_ktap, NULL},
	{"junit", &format_junit, NULL},		  {"sarif", &format_sarif, NULL},
	{"prometheus", &format_prometheus, NULL}, {"html", &format_html, &format_html},
};

static const char *const orders[] = {
	[ORDER_CATALOGUE] = "catalogue",
	[ORDER_MENU] = "menu",
	[ORDER_LEVEL] = "level",
};

static const char *const colours[] = {"auto", "always", "never"};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* The index of word among names, or count after a message. */
static size_t pick(const char *option, const char *word, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(word, names[i]))
			return i;
	}
	complain("%s '%s' is not known; --help shows what there is", option, word);
	return count;
}

static int set_format(const char *name, struct options *options)
{
	const char *names[COUNT(formats)];
	size_t index;

	for (size_t i = 0; i < COUNT(formats); i++)
		names[i] = formats[i].name;
	index = pick("--format", name, names, COUNT(formats));
	if (index == COUNT(formats))
		return EXIT_TROUBLE;
	if (options->format && options->format != formats[index].each)
		return complain("more than one format: %s and %s", options->format->name, name);
	options->format = formats[index].each;
	return 0;
}

static int add_only(const char *words, struct options *options)
{
	while (*words) {
		size_t size = strcspn(words, ",");
		enum verdict verdict = VERDICT_OK;

		while (verdict <= VERDICT_WAIVED && (strlen(verdict_word(verdict)) != size ||
						     strncmp(words, verdict_word(verdict), size)))
			verdict++;
		if (verdict > VERDICT_WAIVED)
			return complain("--only '%.*s' is no verdict; --help shows what there is",
					(int)size, words);
		options->view.only |= 1U << verdict;
		words += size;
		words += *words == ',';
	}
	return options->view.only ? 0 : complain("--only needs verdicts: --only fail,weaker");
}

static int set_jobs(const char *word, struct options *options)
{
	char *end;
	unsigned long number = strtoul(word, &end, 10);

	if (*end || number < 1 || number > JOBS_MAX || !strchr("123456789", *word))
		return complain("--jobs '%s' is no number from 1 to %d", word, JOBS_MAX);
	options->jobs = number;
	return 0;
}

/* An option with a text of its own: given twice, it is not clear which one is meant. */
static int set_text(const char *name, const char *text, const char **place)
{
	if (*place && strcmp(*place, text) != 0)
		return complain("--%s is given twice: '%s' and '%s'", name, *place, text);
	if (!*text)
		return complain("--%s needs something that is not empty", name);
	*place = text;
	return 0;
}

static int set_order(const char *word, struct options *options)
{
	size_t index = pick("--order", word, orders, COUNT(orders));

	options->view.order = (enum order)index;
	return index == COUNT(orders) ? EXIT_TROUBLE : 0;
}

static int set_option(int option, const struct option *known, struct options *options)
{
	const struct text {
		const char *name, **place;
	} texts[] = {
		{"level", &options->level_word}, {"colour", &options->colour},
		{"output", &options->output},	 {"cmdline", &options->cmdline},
		{"sysctl", &options->sysctl},	 {"waivers", &options->waivers},
		{"root", &options->root},	 {"files-from", &options->files_from},
	};

	switch (option) {
	case 'h':
		options->help = true;
		return 0;
	case 'V':
		options->version = true;
		return 0;
	case OPTION_COMPARE:
		options->compare = true;
		return 0;
	case OPTION_JSON:
		return set_format("json", options);
	case OPTION_HTML:
		return set_format("html", options);
	case OPTION_FORMAT:
		return set_format(optarg, options);
	case OPTION_ONLY:
		return add_only(optarg, options);
	case OPTION_ORDER:
		return set_order(optarg, options);
	case OPTION_JOBS:
		return set_jobs(optarg, options);
	case OPTION_TEXT:
		for (size_t i = 0; i < COUNT(texts); i++) {
			if (!strcmp(texts[i].name, known->name))
				return set_text(known->name, optarg, texts[i].place);
		}
	}
	/* getopt_long() has said what is wrong */
	return complain("--help shows what it understands");
}

static bool is_stdin(const char *path)
{
	return path && !strcmp(path, "-");
}

/* Standard input can be read once. */
static int check_stdin(const struct options *options)
{
	size_t count = (size_t)is_stdin(options->cmdline) + is_stdin(options->sysctl) +
		       is_stdin(options->waivers) + is_stdin(options->files_from);

	for (size_t i = 0; i < options->operand_count; i++)
		count += is_stdin(options->operands[i]);
	return count > 1 ? complain("'-', standard input, is given %zu times", count) : 0;
}

static int check_inputs(const struct options *options)
{
	bool files = options->operand_count || options->files_from;

	if (options->root && files)
		return complain("--root looks for the kernels in '%s' itself; leave out either it "
				"or '%s'",
				options->root,
				options->operand_count ? options->operands[0] : "--files-from");
	if (options->operand_count > 1 && (options->cmdline || options->sysctl))
		return complain("--%s is that of one kernel, but %zu are given; audit them one by "
				"one",
				options->cmdline ? "cmdline" : "sysctl", options->operand_count);
	return check_stdin(options);
}

/* The format that is meant, and whether the other options go with it. */
static int check_shown(struct options *options)
{
	const struct choice *choice = formats;

	while (options->format && choice->each != options->format)
		choice++;
	options->format = options->compare ? choice->matrix : choice->each;
	if (!options->format)
		return complain("--compare has no %s form; it has table, json, csv and html",
				choice->name);
	if (options->view.only && choice->each != &format_table && choice->each != &format_csv)
		return complain("--only is for table and csv; %s always has everything",
				choice->name);
	return pick("--colour", options->colour, colours, COUNT(colours)) == COUNT(colours)
		       ? EXIT_TROUBLE
		       : 0;
}

int options_parse(int argc, char **argv, struct options *options)
{
	static const struct option table[] = {
		{"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'},
		{"level", required_argument, NULL, OPTION_TEXT},
		{"format", required_argument, NULL, OPTION_FORMAT},
		{"json", no_argument, NULL, OPTION_JSON},
		{"html", no_argument, NULL, OPTION_HTML},
		{"compare", no_argument, NULL, OPTION_COMPARE},
		{"only", required_argument, NULL, OPTION_ONLY},
		{"order", required_argument, NULL, OPTION_ORDER},
		{"colour", required_argument, NULL, OPTION_TEXT},
		{"output", required_argument, NULL, OPTION_TEXT},
		{"cmdline", required_argument, NULL, OPTION_TEXT},
		{"sysctl", required_argument, NULL, OPTION_TEXT},
		{"waivers", required_argument, NULL, OPTION_TEXT},
		{"root", required_argument, NULL, OPTION_TEXT},
		{"files-from", required_argument, NULL, OPTION_TEXT},
		{"jobs", required_argument, NULL, OPTION_JOBS},
		{NULL, 0, NULL, 0},
	};
	static char program[] = "hardened-audit";
	int option, index = 0, status = 0;

	*options = (struct options){0};
	argv[0] = program; /* getopt_long() begins its messages with it */
	while (!status && (option = getopt_long(argc, argv, "", table, &index)) != -1)
		status = set_option(option, &table[index], options);
	if (!options->colour)
		options->colour = "auto";
	options->operands = argv + optind;
	options->operand_count = (size_t)(argc - optind);
	if (status || options->help || options->version)
		return status;
	status = check_inputs(options);
	return status ? status : check_shown(options);
}
