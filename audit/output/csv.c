/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CSV (RFC 4180): a line with the names of the columns, and one for each setting.
 */
#include <csv.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "shared.h"
#include "text.h"

static const char *const columns[] = {
	"source",  "kernel", "arch",  "setting", "kind", "wanted", "got",
	"verdict", "level",  "build", "boot",	 "run",	 "reason", "where",
};

void csv_field(FILE *out, bool first, const char *text)
{
	char *clean = text_printf("%s", text ? text : "");

	if (!first)
		putc(',', out);
	csv_fwrite(out, clean, strlen(clean));
	free(clean);
}

static void begin(FILE *out, const struct view *view)
{
	(void)view;
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		csv_field(out, i == 0, columns[i]);
	fputs("\r\n", out);
}

static void print_setting(FILE *out, const struct audit *audit, const char *version,
			  const struct answer *answer)
{
	const struct entry *entry = answer->entry;

	csv_field(out, true, audit->source);
	csv_field(out, false, version);
	csv_field(out, false, architecture_text(audit->evidence.kernel.architecture));
	csv_field(out, false, entry->target);
	csv_field(out, false, kind_words[entry->setting.kind]);
	csv_field(out, false, entry->wanted);
	csv_field(out, false, answer->got);
	csv_field(out, false, verdict_word(answer->verdict));
	csv_field(out, false, level_word(entry->level));
	for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
		csv_field(out, false,
			  answer->stages[stage].judged ? verdict_word(answer->stages[stage].verdict)
						       : "");
	csv_field(out, false, answer->reason);
	csv_field(out, false, answer->where);
	fputs("\r\n", out);
}

/* What could not be audited has a line, too, so that it is not missed. */
static void print_problem(FILE *out, const struct audit *audit)
{
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++) {
		const char *text = "";

		if (strcmp(columns[i], "source") == 0)
			text = audit->source;
		else if (strcmp(columns[i], "verdict") == 0)
			text = "unknown";
		else if (strcmp(columns[i], "reason") == 0)
			text = audit->problem;
		csv_field(out, i == 0, text);
	}
	fputs("\r\n", out);
}

static void each(FILE *out, const struct view *view, const struct audit *audit, size_t index)
{
	char version[VERSION_TEXT_SIZE];
	size_t count, *list;

	(void)index;
	if (audit->problem) {
		print_problem(out, audit);
		return;
	}
	version_text(&audit->evidence.kernel.version, version);
	list = shown(audit, view, &count);
	for (size_t i = 0; i < count; i++)
		print_setting(out, audit, version, &audit->answers[list[i]]);
	free(list);
}

static void end(FILE *out, const struct view *view)
{
	(void)out;
	(void)view;
}

const struct format format_csv = {.name = "csv", .begin = begin, .each = each, .end = end};
