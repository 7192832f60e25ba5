/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report for people: what and where on top, one table per group, sentences below.
 * All figures of a column have the same unit and the same decimals.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "output.h"
#include "text.h"

/* The results of one group, and what is printed of them. */
struct table {
	const struct result **rows;
	size_t row_count;
	struct grid *grid;
};

static const char *const colours[] = {
	[VERDICT_OK] = "\033[32m",     [VERDICT_STRONGER] = "\033[32m",
	[VERDICT_WEAKER] = "\033[33m", [VERDICT_FAIL] = "\033[1;31m",
	[VERDICT_NA] = "\033[2m",      [VERDICT_UNKNOWN] = "\033[35m",
	[VERDICT_WAIVED] = "\033[36m",
};

static char *copy(const char *text)
{
	return text ? text_memory(strdup(text)) : NULL;
}

/* A figure by its name; NaN when the result has none. */
static double figure(const struct result *result, const char *key)
{
	if (!strcmp(key, "ns"))
		return result->ns;
	if (!strcmp(key, "ratio"))
		return result->ratio;
	for (size_t i = 0; i < result->number_count; i++)
		if (!strcmp(result->numbers[i].key, key))
			return result->numbers[i].value;
	return NAN;
}

/* The figure of a column that is nearest to 0 but not 0; NaN when there is none. */
static double smallest(const struct table *table, const char *key)
{
	double least = NAN;

	for (size_t i = 0; i < table->row_count; i++) {
		double value = fabs(figure(table->rows[i], key));

		if (value > 0)
			least = fmin(least, value);
	}
	return least;
}

/* Decimals with which the smallest figure has four digits that count, or three below 1. */
static int decimals(double least)
{
	double enough = least < 1 ? 100 : 1000;
	int places = 0;

	while (places < 6 && least < enough) {
		least *= 10;
		places++;
	}
	return places;
}

static void add_figures(struct table *table, const char *heading, const char *key, double unit,
			int places)
{
	struct cell *cells = grid_column(table->grid, heading, true);

	for (size_t i = 0; i < table->row_count; i++) {
		double value = figure(table->rows[i], key);

		if (isfinite(value))
			cells[i].text = text_printf("%.*f", places, value / unit);
	}
}

/* In the largest unit of which every row has at least one. */
static void add_times(struct table *table)
{
	static const struct unit {
		const char *name;
		double ns;
	} units[] = {{"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
	const struct unit *unit = units;
	double least = smallest(table, "ns");

	while (unit->ns > 1 && !(least >= unit->ns))
		unit++;
	add_figures(table, unit->name, "ns", unit->ns, decimals(least / unit->ns));
}

static void add_ratios(struct table *table)
{
	int places = decimals(smallest(table, "ratio"));
	struct cell *cells;

	add_figures(table, "ratio", "ratio", 1, places);
	cells = grid_column(table->grid, "95 % interval", true);
	for (size_t i = 0; i < table->row_count; i++) {
		const double *ci95 = table->rows[i]->ci95;

		if (isfinite(ci95[0]) && isfinite(ci95[1]))
			cells[i].text =
				text_printf("[%.*f, %.*f]", places, ci95[0], places, ci95[1]);
	}
}

/* Counts have none. */
static int number_decimals(const struct table *table, const char *key)
{
	for (size_t i = 0; i < table->row_count; i++) {
		double value = figure(table->rows[i], key);

		if (isfinite(value) && value != floor(value))
			return decimals(smallest(table, key));
	}
	return 0;
}

/* Whether a result above this one has the number, too. */
static bool known_number(const struct table *table, size_t row, const char *key)
{
	while (row--)
		for (size_t i = 0; i < table->rows[row]->number_count; i++)
			if (!strcmp(table->rows[row]->numbers[i].key, key))
				return true;
	return false;
}

static void add_numbers(struct table *table)
{
	for (size_t row = 0; row < table->row_count; row++)
		for (size_t i = 0; i < table->rows[row]->number_count; i++) {
			const char *key = table->rows[row]->numbers[i].key;

			if (!known_number(table, row, key))
				add_figures(table, key, key, 1, number_decimals(table, key));
		}
}

static void add_verdicts(struct table *table)
{
	struct cell *names = grid_column(table->grid, table->rows[0]->group, false);
	struct cell *verdicts = grid_column(table->grid, "verdict", false);
	struct cell *outcomes = grid_column(table->grid, "outcome", false);

	for (size_t i = 0; i < table->row_count; i++) {
		const struct result *result = table->rows[i];

		names[i].text = copy(result->name);
		verdicts[i].text = copy(verdict_word(result->verdict));
		verdicts[i].colour = colours[result->verdict];
		outcomes[i].text = copy(result->outcome);
	}
}

static void add_reasons(struct table *table)
{
	struct cell *cells = grid_column(table->grid, "reason", false);

	for (size_t i = 0; i < table->row_count; i++)
		cells[i].text = copy(table->rows[i]->reason);
}

static void print_group(const struct page *page, const struct report *report, const char *group)
{
	struct table table = {0};

	table.rows = text_memory(calloc(report->result_count, sizeof(*table.rows)));
	for (size_t i = 0; i < report->result_count; i++)
		if (!strcmp(report->results[i]->group, group))
			table.rows[table.row_count++] = report->results[i];
	table.grid = grid_new(table.row_count);
	add_verdicts(&table);
	add_times(&table);
	add_ratios(&table);
	add_numbers(&table);
	add_reasons(&table);
	putc('\n', page->out);
	grid_print(table.grid, page);
	grid_free(table.grid);
	free(table.rows);
}

/* Whether this result is the first of its group. */
static bool starts_group(const struct report *report, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!strcmp(report->results[i]->group, report->results[index]->group))
			return false;
	return true;
}

/* "wipeonfork: fail (47 ok, 1 fail)" */
static void print_verdict(const struct page *page, const struct report *report)
{
	enum verdict verdict = report_verdict(report);
	size_t counts[VERDICT_WAIVED + 1] = {0};
	const char *before = "(";

	for (size_t i = 0; i < report->result_count; i++)
		counts[report->results[i]->verdict]++;
	page_colour(page, GRID_BOLD, report->probe);
	fputs(": ", page->out);
	page_colour(page, colours[verdict], verdict_word(verdict));
	putc(' ', page->out);
	for (int i = 0; i <= VERDICT_WAIVED; i++)
		if (counts[i]) {
			fprintf(page->out, "%s%zu %s", before, counts[i], verdict_word(i));
			before = ", ";
		}
	fputs(report->result_count ? ")\n" : "(nothing was checked)\n", page->out);
}

/* One paragraph, "kernel 6.1.0; arch x86_64; ...", that breaks between facts only. */
static void print_facts(const struct page *page, const struct report *report)
{
	struct line line = {.page = page, .indent = 2};

	for (size_t i = 0; i < report->fact_count; i++) {
		const struct fact *fact = &report->facts[i];
		const char *end = i + 1 < report->fact_count ? ";" : "";
		char *text = text_printf("%s %s%s", fact->key, fact->value, end);

		line_add(&line, text, strlen(text));
		free(text);
	}
	if (line.started)
		putc('\n', page->out);
}

int table_print(const struct report *report, FILE *out, bool colour)
{
	struct page page = page_on(out, colour);

	print_verdict(&page, report);
	print_facts(&page, report);
	if (isfinite(report->aa))
		fprintf(out, "A/A %.4f\n", report->aa);
	for (size_t i = 0; i < report->result_count; i++)
		if (starts_group(report, i))
			print_group(&page, report, report->results[i]->group);
	if (report->sentence_count)
		putc('\n', out);
	for (size_t i = 0; i < report->sentence_count; i++)
		page_words(&page, report->sentences[i], 0, 2);
	return fflush(out) || ferror(out) ? -1 : 0;
}
