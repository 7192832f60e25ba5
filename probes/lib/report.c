/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The report that a probe fills, and what it amounts to.
 */
#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static const char *const words[] = {
	[VERDICT_OK] = "ok",	     [VERDICT_STRONGER] = "stronger",
	[VERDICT_WEAKER] = "weaker", [VERDICT_FAIL] = "fail",
	[VERDICT_NA] = "n/a",	     [VERDICT_UNKNOWN] = "unknown",
	[VERDICT_WAIVED] = "waived",
};

const char *verdict_word(enum verdict verdict)
{
	return words[verdict];
}

/* One more element at the end of an array that malloc made. */
static void *grow(void *array, size_t count, size_t size)
{
	return text_memory(reallocarray(array, count + 1, size));
}

struct report *report_new(const char *probe)
{
	struct report *report = text_memory(calloc(1, sizeof(*report)));

	report->probe = text_printf("%s", probe);
	report->aa = NAN;
	return report;
}

static void result_free(struct result *result)
{
	for (size_t i = 0; i < result->number_count; i++)
		free(result->numbers[i].key);
	free(result->numbers);
	free(result->group);
	free(result->name);
	free(result->reason);
	free(result->outcome);
	free(result);
}

void report_free(struct report *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < report->result_count; i++)
		result_free(report->results[i]);
	for (size_t i = 0; i < report->fact_count; i++) {
		free(report->facts[i].key);
		free(report->facts[i].value);
	}
	for (size_t i = 0; i < report->sentence_count; i++)
		free(report->sentences[i]);
	free(report->results);
	free(report->facts);
	free(report->sentences);
	free(report->probe);
	free(report);
}

struct result *report_add(struct report *report, const char *group, const char *name,
			  enum verdict verdict, const char *reason, ...)
{
	struct result *result = text_memory(calloc(1, sizeof(*result)));
	va_list args;

	result->group = text_printf("%s", group);
	result->name = text_printf("%s", name);
	result->verdict = verdict;
	va_start(args, reason);
	result->reason = text_vprintf(reason, args);
	va_end(args);
	result->ns = result->ratio = result->ci95[0] = result->ci95[1] = NAN;
	report->results = grow(report->results, report->result_count, sizeof(result));
	report->results[report->result_count++] = result;
	return result;
}

void result_outcome(struct result *result, const char *outcome, ...)
{
	va_list args;

	free(result->outcome);
	va_start(args, outcome);
	result->outcome = text_vprintf(outcome, args);
	va_end(args);
}

static struct number *find_number(const struct result *result, const char *key)
{
	for (size_t i = 0; i < result->number_count; i++)
		if (!strcmp(result->numbers[i].key, key))
			return &result->numbers[i];
	return NULL;
}

void result_number(struct result *result, const char *key, double value)
{
	struct number *number = find_number(result, key);

	if (!isfinite(value))
		return;
	if (!number) {
		result->numbers = grow(result->numbers, result->number_count, sizeof(*number));
		number = &result->numbers[result->number_count++];
		number->key = text_printf("%s", key);
	}
	number->value = value;
}

static struct fact *find_fact(const struct report *report, const char *key)
{
	for (size_t i = 0; i < report->fact_count; i++)
		if (!strcmp(report->facts[i].key, key))
			return &report->facts[i];
	return NULL;
}

void report_fact(struct report *report, const char *key, const char *value, ...)
{
	struct fact *fact = find_fact(report, key);
	va_list args;

	if (fact) {
		free(fact->value);
	} else {
		report->facts = grow(report->facts, report->fact_count, sizeof(*fact));
		fact = &report->facts[report->fact_count++];
		fact->key = text_printf("%s", key);
	}
	va_start(args, value);
	fact->value = text_vprintf(value, args);
	va_end(args);
}

void report_say(struct report *report, const char *sentence, ...)
{
	va_list args;

	report->sentences = grow(report->sentences, report->sentence_count, sizeof(char *));
	va_start(args, sentence);
	report->sentences[report->sentence_count++] = text_vprintf(sentence, args);
	va_end(args);
}

void report_aa(struct report *report, double aa)
{
	if (!isfinite(aa))
		return;
	if (isnan(report->aa) || fabs(aa - 1) > fabs(report->aa - 1))
		report->aa = aa;
}

static size_t count(const struct report *report, enum verdict verdict)
{
	size_t results = 0;

	for (size_t i = 0; i < report->result_count; i++)
		results += report->results[i]->verdict == verdict;
	return results;
}

static size_t count_withheld(const struct report *report)
{
	size_t found = 0;

	for (size_t i = 0; i < report->result_count; i++)
		found += report->results[i]->withheld;
	return found;
}

enum verdict report_verdict(const struct report *report)
{
	size_t withheld = count_withheld(report), na = count(report, VERDICT_NA);

	if (count(report, VERDICT_FAIL))
		return VERDICT_FAIL;
	if (count(report, VERDICT_UNKNOWN) > withheld || !report->result_count)
		return VERDICT_UNKNOWN;
	if (count(report, VERDICT_WEAKER))
		return VERDICT_WEAKER;
	if (na == report->result_count)
		return VERDICT_NA;
	return na + withheld == report->result_count ? VERDICT_UNKNOWN : VERDICT_OK;
}

int report_status(const struct report *report)
{
	switch (report_verdict(report)) {
	case VERDICT_FAIL:
	case VERDICT_WEAKER:
		return 1;
	case VERDICT_UNKNOWN:
		return 2;
	case VERDICT_NA:
		return 4;
	default:
		return 0;
	}
}
