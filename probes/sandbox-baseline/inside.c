/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Under another program's filter: the command runs this program, and that inner run
 * prints JSON. When there is no report since the inner run did not live long enough to
 * write one, the command runs this program again, once for each call to be tried.
 */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "filter.h"
#include "groups.h"
#include "launch.h"

#define NAME  "sandbox-baseline"
#define GROUP "inside"

/* What starts a container may take a while; trying twenty calls must not take as often. */
#define REPORT_MS 60000
#define TRY_MS	  5000

/* The last line that has something in it; changes the text. */
static const char *last_line(char *text)
{
	size_t length = strlen(text);
	char *newline;

	while (length && (text[length - 1] == '\n' || text[length - 1] == '\r'))
		text[--length] = '\0';
	newline = strrchr(text, '\n');
	return newline ? newline + 1 : text;
}

static const char *string_of(const struct json_object *object, const char *key)
{
	struct json_object *value;
	const char *text = NULL;

	if (json_object_object_get_ex(object, key, &value))
		text = json_object_get_string(value);
	return text ? text : "";
}

static struct json_object *parse_at(const char *text)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *object;

	if (!tokener)
		return NULL;
	object = json_tokener_parse_ex(tokener, text, -1);
	json_tokener_free(tokener);
	if (object && !strcmp(string_of(object, "probe"), NAME))
		return object;
	json_object_put(object);
	return NULL;
}

/* The report of the inner run, after whatever the command may have said itself. */
static struct json_object *find_report(const char *text)
{
	struct json_object *object = NULL;

	for (text = strchr(text, '{'); text && !object; text = strchr(text + 1, '{'))
		object = parse_at(text);
	return object;
}

/* Unknown, for a word that is none. */
static enum verdict verdict_of(const char *word)
{
	for (enum verdict verdict = VERDICT_OK; verdict <= VERDICT_WAIVED; verdict++)
		if (!strcmp(word, verdict_word(verdict)))
			return verdict;
	return VERDICT_UNKNOWN;
}

static void copy_results(struct report *report, const struct json_object *inner)
{
	struct json_object *results, *each;

	if (!json_object_object_get_ex(inner, "results", &results) ||
	    !json_object_is_type(results, json_type_array))
		return;
	for (size_t i = 0; i < json_object_array_length(results); i++) {
		each = json_object_array_get_idx(results, i);
		report_add(report, GROUP, string_of(each, "name"),
			   verdict_of(string_of(each, "verdict")), "%s", string_of(each, "reason"));
	}
}

/* What the inner run says in the end: which checks fail. */
static void copy_summary(struct report *report, const struct json_object *inner)
{
	struct json_object *summary;

	if (!json_object_object_get_ex(inner, "summary", &summary) ||
	    !json_object_is_type(summary, json_type_array))
		return;
	for (size_t i = 0; i < json_object_array_length(summary); i++)
		report_say(report, "%s",
			   json_object_get_string(json_object_array_get_idx(summary, i)));
}

/* Did the command add a filter? If not, this is no news about it. */
static void compare_filters(struct report *report, const struct json_object *inner)
{
	struct json_object *machine;
	const char *filters;
	char outside[16];

	if (!json_object_object_get_ex(inner, "machine", &machine))
		return;
	filters = string_of(machine, "seccomp_filters");
	report_fact(report, "inside_seccomp_filters", "%s", filters);
	snprintf(outside, sizeof(outside), "%d", filter_count());
	if (!strcmp(filters, outside))
		report_say(report, "The command added no seccomp filter.");
}

/*
 * Which calls does an inner run not survive, each alone? "getrandom refused", or "" when
 * none or all seem refused: then it is not the calls.
 */
static void find_culprits(char **command, char *text, size_t size)
{
	struct launched launched;
	unsigned int refused = 0;
	size_t length;

	text[0] = '\0';
	for (enum call call = 0; call < CALLS; call++) {
		if (!launch(&launched, command, INNER_TRY, call_name(call), TRY_MS) &&
		    (launched.child.end != CHILD_EXITED || launched.child.value)) {
			length = strlen(text);
			snprintf(text + length, size - length, "; %s refused", call_name(call));
			refused++;
		}
		launch_free(&launched);
	}
	if (refused == CALLS)
		text[0] = '\0';
}

static void report_silence(struct report *report, char **command, struct launched *launched)
{
	const struct child *child = &launched->child;
	char how[160], culprits[240] = "";
	const char *said;

	if (child->end == CHILD_EXITED && child->error) {
		report_add(report, GROUP, "inner-run", VERDICT_UNKNOWN, "cannot run %s: %s",
			   child->note, strerrorname_np(child->error));
		return;
	}
	if (child->end == CHILD_SIGNALED || (child->end == CHILD_EXITED && child->value))
		find_culprits(command, culprits, sizeof(culprits));
	said = last_line(launched->messages);
	report_add(report, GROUP, "inner-run", VERDICT_UNKNOWN, "no report of it: %s%s%s%s",
		   child_describe(child, how, sizeof(how)), culprits, *said ? ": " : "", said);
}

void report_inside(struct report *report, char **command)
{
	struct launched launched;
	struct json_object *inner = NULL;
	const char *trouble;

	trouble = launch(&launched, command, INNER_CURRENT, "--json", REPORT_MS);
	if (!trouble)
		inner = find_report(launched.output);
	if (trouble) {
		report_add(report, GROUP, "inner-run", VERDICT_UNKNOWN, "%s", trouble);
	} else if (inner) {
		copy_results(report, inner);
		copy_summary(report, inner);
		compare_filters(report, inner);
	} else {
		report_silence(report, command, &launched);
	}
	json_object_put(inner);
	launch_free(&launched);
}
