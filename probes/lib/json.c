/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A report as JSON, by json-c.
 */
#include <json-c/json.h>
#include <math.h>

#include "output.h"
#include "text.h"

static json_object *json_number(double value)
{
	char text[TEXT_NUMBER_SIZE];

	text_number(value, text);
	return text_memory(json_object_new_double_s(value, text));
}

static json_object *json_string(const char *text)
{
	return text_memory(json_object_new_string(text));
}

static void add(json_object *object, const char *key, json_object *value)
{
	if (json_object_object_add(object, key, value))
		text_memory(NULL);
}

static void append(json_object *array, json_object *value)
{
	if (json_object_array_add(array, value))
		text_memory(NULL);
}

static void add_number(json_object *object, const char *key, double value)
{
	if (isfinite(value))
		add(object, key, json_number(value));
}

static json_object *json_interval(const double ci95[2])
{
	json_object *array = text_memory(json_object_new_array());

	append(array, json_number(ci95[0]));
	append(array, json_number(ci95[1]));
	return array;
}

static json_object *json_result(const struct result *result)
{
	json_object *object = text_memory(json_object_new_object());

	add(object, "name", json_string(result->name));
	add(object, "group", json_string(result->group));
	add_number(object, "ns", result->ns);
	add_number(object, "ratio", result->ratio);
	if (isfinite(result->ci95[0]) && isfinite(result->ci95[1]))
		add(object, "ci95", json_interval(result->ci95));
	for (size_t i = 0; i < result->number_count; i++)
		add_number(object, result->numbers[i].key, result->numbers[i].value);
	if (result->outcome)
		add(object, "outcome", json_string(result->outcome));
	add(object, "verdict", json_string(verdict_word(result->verdict)));
	add(object, "reason", json_string(result->reason));
	if (result->withheld)
		add(object, "withheld", text_memory(json_object_new_boolean(true)));
	return object;
}

static json_object *json_facts(const struct report *report)
{
	json_object *object = text_memory(json_object_new_object());

	for (size_t i = 0; i < report->fact_count; i++)
		add(object, report->facts[i].key, json_string(report->facts[i].value));
	return object;
}

static json_object *json_results(const struct report *report)
{
	json_object *array = text_memory(json_object_new_array());

	for (size_t i = 0; i < report->result_count; i++)
		append(array, json_result(report->results[i]));
	return array;
}

static json_object *json_sentences(const struct report *report)
{
	json_object *array = text_memory(json_object_new_array());

	for (size_t i = 0; i < report->sentence_count; i++)
		append(array, json_string(report->sentences[i]));
	return array;
}

static json_object *json_report(const struct report *report)
{
	json_object *object = text_memory(json_object_new_object());
	json_object *machine = json_facts(report);
	json_object *kernel = json_object_object_get(machine, "kernel");

	add(object, "probe", json_string(report->probe));
	add(object, "verdict", json_string(verdict_word(report_verdict(report))));
	add(object, "kernel", kernel ? json_object_get(kernel) : json_string("unknown"));
	add(object, "machine", machine);
	add(object, "results", json_results(report));
	add_number(object, "aa", report->aa);
	add(object, "summary", json_sentences(report));
	return object;
}

int json_print(const struct report *report, FILE *out)
{
	const int style =
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE;
	json_object *object;
	const char *text;

	/* json-c's usual hash wants entropy, which a sandbox may refuse. */
	json_global_set_string_hash(JSON_C_STR_HASH_PERLLIKE);
	object = json_report(report);
	text = json_object_to_json_string_ext(object, style);
	fputs(text ? text : text_memory(NULL), out);
	putc('\n', out);
	json_object_put(object);
	return fflush(out) || ferror(out) ? -1 : 0;
}
