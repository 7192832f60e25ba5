/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file of waivers, line by line, each as one record of CSV (RFC 4180) in which blanks
 * around a field do not count. Every mistake is told, so that they can be mended at once.
 */
#include <csv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "waivers.h"
#include "waivers_match.h"

enum { SETTING, REASON, OWNER, EXPIRY, FIELDS };

static const char *const field_names[FIELDS] = {"setting", "reason", "owner", "expiry date"};

struct reader {
	struct waivers *waivers;
	const char *today;
	unsigned int line;
	char *field[FIELDS];
	size_t count; /* of the fields of this line, also beyond FIELDS */
	char **problem;
	size_t problem_count;
};

/* A file with more of them is of another kind. */
#define PROBLEMS_MAX 20

static void add_problem(struct reader *reader, char *said)
{
	if (++reader->problem_count <= PROBLEMS_MAX)
		*reader->problem = text_joined(
			*reader->problem, "\n",
			text_printf("%s:%u: %s", reader->waivers->path, reader->line, said));
	free(said);
}

static void take_field(void *bytes, size_t size, void *context)
{
	struct reader *reader = context;

	if (reader->count < FIELDS)
		reader->field[reader->count] = text_memory(strndup(bytes ? bytes : "", size));
	reader->count++;
}

static bool is_date(const char *text)
{
	static const unsigned int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	unsigned int year, month, day;
	bool leap;
	int size = 0;

	if (strlen(text) != strlen("2027-06-30") || strspn(text, "0123456789-") != strlen(text))
		return false;
	if (sscanf(text, "%4u-%2u-%2u%n", &year, &month, &day, &size) != 3 || /* NOLINT */
	    size != (int)strlen(text))
		return false;
	leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return month >= 1 && month <= 12 && day >= 1 &&
	       day <= days[month - 1] + (month == 2 && leap);
}

static bool is_known(const char *setting)
{
	for (size_t i = 0; i < catalogue.entry_count; i++) {
		if (waiver_names(setting, &catalogue.entries[i]))
			return true;
	}
	return false;
}

/* The waiver of something that this one speaks of, too; NULL: there is none. */
static const struct waiver *same(const struct waivers *waivers, const char *setting)
{
	for (size_t i = 0; i < waivers->size; i++) {
		for (size_t n = 0; n < catalogue.entry_count; n++) {
			const struct entry *entry = &catalogue.entries[n];

			if (waiver_names(setting, entry) &&
			    waiver_names(waivers->at[i].setting, entry))
				return &waivers->at[i];
		}
	}
	return NULL;
}

/* What is wrong with the line, or NULL. */
static char *mistake(const struct reader *reader)
{
	const struct waiver *other;

	if (reader->count != FIELDS)
		return text_printf("%zu fields; there must be four: setting, reason, owner, "
				   "expiry date (put a field with a comma between double quotes)",
				   reader->count);
	for (size_t i = 0; i < FIELDS; i++) {
		if (!*reader->field[i])
			return text_printf("the %s is empty; a waiver needs one", field_names[i]);
	}
	if (!is_date(reader->field[EXPIRY]))
		return text_printf("'%s' is no date; write its last day as 2027-06-30",
				   reader->field[EXPIRY]);
	if (!is_known(reader->field[SETTING]))
		return text_printf("'%s' is not in the catalogue; write it as a report does, "
				   "as CONFIG_NAME or CONFIG_NAME=y",
				   reader->field[SETTING]);
	other = same(reader->waivers, reader->field[SETTING]);
	return other ? text_printf("'%s' is waived in line %u already; keep one of them",
				   reader->field[SETTING], other->line)
		     : NULL;
}

static void keep(struct reader *reader)
{
	struct waivers *waivers = reader->waivers;

	waivers->at =
		text_memory(reallocarray(waivers->at, waivers->size + 1, sizeof(*waivers->at)));
	waivers->at[waivers->size++] = (struct waiver){
		.setting = reader->field[SETTING],
		.reason = reader->field[REASON],
		.owner = reader->field[OWNER],
		.expiry = reader->field[EXPIRY],
		.line = reader->line,
		.expired = strcmp(reader->field[EXPIRY], reader->today) < 0,
	};
}

static void end_line(struct reader *reader, bool parsed)
{
	char *wrong = parsed ? mistake(reader)
			     : text_printf("the double quotes are not in pairs; a quote in a "
					   "quoted field is written twice");

	if (!wrong) {
		keep(reader);
		return;
	}
	add_problem(reader, wrong);
	for (size_t i = 0; i < FIELDS; i++)
		free(reader->field[i]);
}

static void read_line(struct reader *reader, const char *line, size_t size)
{
	struct csv_parser parser;
	bool parsed;

	while (size && strchr(" \t\r", *line)) {
		line++;
		size--;
	}
	if (!size || *line == '#')
		return;
	memset(reader->field, 0, sizeof(reader->field));
	reader->count = 0;
	if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI))
		text_memory(NULL);
	parsed = csv_parse(&parser, line, size, take_field, NULL, reader) == size &&
		 !csv_fini(&parser, take_field, NULL, reader);
	csv_free(&parser);
	end_line(reader, parsed);
}

struct waivers *waivers_parse(const char *text, size_t size, const char *path, const char *today,
			      char **problem)
{
	struct waivers *waivers = text_memory(calloc(1, sizeof(*waivers)));
	struct reader reader = {.waivers = waivers, .today = today, .problem = problem};
	const char *end = text + size;

	waivers->path = path;
	*problem = NULL;
	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *line_end = newline ? newline : end;

		reader.line++;
		read_line(&reader, text, (size_t)(line_end - text));
		text = line_end + 1;
	}
	if (!*problem)
		return waivers;
	waivers_free(waivers);
	return NULL;
}
