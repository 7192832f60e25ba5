/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For people: what was read, a line for each setting, and how the levels stand.
 */
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "output.h"
#include "text.h"

static const char *const colours[] = {
	[VERDICT_OK] = "\033[32m",     [VERDICT_STRONGER] = "\033[32m",
	[VERDICT_WEAKER] = "\033[33m", [VERDICT_FAIL] = "\033[31m",
	[VERDICT_NA] = "\033[2m",      [VERDICT_UNKNOWN] = "\033[35m",
	[VERDICT_WAIVED] = "\033[36m",
};

static void begin(FILE *out, const struct view *view)
{
	(void)out;
	(void)view;
}

static void say(const struct page *page, char *sentence)
{
	page_words(page, sentence, 0, 2);
	free(sentence);
}

static void print_source(const struct page *page, const struct audit *audit)
{
	const struct kernel *kernel = &audit->evidence.kernel;
	char version[VERSION_TEXT_SIZE];
	char *source = text_printf("%s", audit->source);
	char *compiler = compiler_text(&kernel->compiler);

	page_colour(page, GRID_BOLD, source);
	putc('\n', page->out);
	version_text(&kernel->version, version);
	say(page, text_printf("Linux %s, %s, %s; level %s", version,
			      architecture_text(kernel->architecture), compiler,
			      level_word(audit->level)));
	for (const char *note = audit->note; note && *note;) {
		size_t size = strcspn(note, "\n");

		say(page, text_printf("%.*s", (int)size, note));
		note += size + (note[size] == '\n');
	}
	putc('\n', page->out);
	free(compiler);
	free(source);
}

/* A failure needs no words but what there is instead. */
static char *reason_text(const struct answer *answer)
{
	bool bad = answer->verdict == VERDICT_FAIL || answer->verdict == VERDICT_WEAKER;

	if (bad && !*answer->reason && answer->got)
		return text_printf("it is %s", answer->got);
	return text_printf("%s", answer->reason);
}

static void print_settings(const struct page *page, const struct audit *audit,
			   const struct view *view)
{
	size_t count, *list = shown(audit, view, &count);
	struct grid *grid = grid_new(count);
	struct cell *verdicts = grid_column(grid, "verdict", false);
	struct cell *settings = grid_column(grid, "setting", false);
	struct cell *reasons = grid_column(grid, "reason", false);

	for (size_t i = 0; i < count; i++) {
		const struct answer *answer = &audit->answers[list[i]];

		verdicts[i].text = text_printf("%s", verdict_word(answer->verdict));
		verdicts[i].colour = colours[answer->verdict];
		settings[i].text = text_printf("%s", answer->entry->setting.text);
		reasons[i].text = reason_text(answer);
	}
	if (count)
		grid_print(grid, page);
	grid_free(grid);
	free(list);
}

/* "92 settings: 60 ok, 2 stronger, ..." */
static void print_counts(const struct page *page, const struct standing *standing)
{
	const char *before = ": ";

	fprintf(page->out, "%zu settings", standing->asked_count);
	for (enum verdict verdict = VERDICT_OK; verdict <= VERDICT_WAIVED; verdict++) {
		if (!standing->counts[verdict])
			continue;
		fprintf(page->out, "%s%zu %s", before, standing->counts[verdict],
			verdict_word(verdict));
		before = ", ";
	}
	if (standing->unchecked)
		fprintf(page->out, " (%zu of them not asked about)", standing->unchecked);
	putc('\n', page->out);
}

static void print_missing(const struct page *page, const struct audit *audit, enum level level)
{
	const struct standing *standing = &audit->levels[level];
	struct line line = {.page = page, .indent = 2};
	char *start =
		text_printf("missing for %s (%zu):", level_word(level), standing->missing_count);

	line_add(&line, start, strlen(start));
	for (size_t i = 0; i < standing->missing_count; i++) {
		const char *text = audit->answers[standing->missing[i]].entry->setting.text;

		line_add(&line, text, strlen(text));
	}
	putc('\n', page->out);
	free(start);
}

static void print_levels(const struct page *page, const struct audit *audit)
{
	enum level highest = LEVEL_LOW, next = LEVEL_LOW;

	if (audit_highest(audit, &highest)) {
		say(page, text_printf("highest level met: %s", level_word(highest)));
		next = highest + 1;
	} else {
		say(page, text_printf("no level is met"));
	}
	if (next < LEVEL_COUNT)
		print_missing(page, audit, next);
}

static void each(FILE *out, const struct view *view, const struct audit *audit, size_t index)
{
	const struct page page = {.out = out, .colour = view->colour, .width = view->width};

	if (index)
		putc('\n', out);
	if (audit->problem) {
		say(&page, text_printf("%s", audit->problem));
		return;
	}
	print_source(&page, audit);
	print_settings(&page, audit, view);
	putc('\n', out);
	print_counts(&page, &audit->levels[audit->level]);
	print_levels(&page, audit);
}

const struct format format_table = {.name = "table", .begin = begin, .each = each, .end = begin};
