/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SARIF 2.1.0 (OASIS): a run for each kernel. Results are what is fail, weaker or unknown,
 * and what is waived, as suppressed; their places are lines of the config.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "text.h"

static const char *const levels[] = {
	[VERDICT_WEAKER] = "warning",
	[VERDICT_FAIL] = "error",
	[VERDICT_UNKNOWN] = "note",
	[VERDICT_WAIVED] = "note",
};

static struct json_object *object(void)
{
	return text_memory(json_object_new_object());
}

static struct json_object *array_of(struct json_object *only)
{
	struct json_object *array = text_memory(json_object_new_array());

	json_object_array_add(array, only);
	return array;
}

static struct json_object *text(const char *raw)
{
	char *clean = text_printf("%s", raw);
	struct json_object *string = text_memory(json_object_new_string(clean));

	free(clean);
	return string;
}

static struct json_object *message(const char *raw)
{
	struct json_object *message = object();

	json_object_object_add(message, "text", text(raw));
	return message;
}

/* An URI has no blanks, and no control characters. */
static struct json_object *uri(const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-._~/";
	char *coded = text_memory(malloc(3 * strlen(path) + 1)), *to = coded;
	struct json_object *string;

	for (; *path; path++) {
		if (strchr(plain, *path))
			*to++ = *path;
		else
			to += sprintf(to, "%%%02X", (unsigned char)*path);
	}
	*to = '\0';
	string = text_memory(json_object_new_string(coded));
	free(coded);
	return string;
}

static struct json_object *location(const struct audit *audit, unsigned int line)
{
	struct json_object *location = object(), *physical = object();
	struct json_object *artifact = object(), *region = object();

	json_object_object_add(artifact, "uri", uri(audit->source));
	json_object_object_add(physical, "artifactLocation", artifact);
	json_object_object_add(region, "startLine", json_object_new_int64(line ? line : 1));
	json_object_object_add(physical, "region", region);
	json_object_object_add(location, "physicalLocation", physical);
	return location;
}

static struct json_object *suppression(const struct waiver *waiver)
{
	struct json_object *one = object();
	char *why = text_printf("%s (%s, until %s)", waiver->reason, waiver->owner, waiver->expiry);

	json_object_object_add(one, "kind", text("external"));
	json_object_object_add(one, "justification", text(why));
	free(why);
	return one;
}

static struct json_object *result(const struct audit *audit, const struct answer *answer)
{
	struct json_object *result = object();
	char *said = text_printf("%s: %s%s%s", answer->entry->setting.text,
				 verdict_word(answer->verdict), *answer->reason ? ": " : "",
				 answer->reason);

	json_object_object_add(result, "ruleId", text(answer->entry->setting.text));
	json_object_object_add(result, "level", text(levels[answer->verdict]));
	json_object_object_add(result, "message", message(said));
	json_object_object_add(result, "locations", array_of(location(audit, answer->line)));
	if (answer->waiver)
		json_object_object_add(result, "suppressions",
				       array_of(suppression(answer->waiver)));
	free(said);
	return result;
}

static struct json_object *results(const struct audit *audit, const struct view *view)
{
	struct json_object *array = text_memory(json_object_new_array());
	size_t count, *list = shown(audit, view, &count);

	for (size_t i = 0; i < count; i++) {
		const struct answer *answer = &audit->answers[list[i]];

		if (levels[answer->verdict] && !answer->unchecked)
			json_object_array_add(array, result(audit, answer));
	}
	free(list);
	return array;
}

/* Whether it could be audited at all. */
static struct json_object *invocation(const struct audit *audit)
{
	struct json_object *invocation = object(), *notification = object();

	json_object_object_add(invocation, "executionSuccessful",
			       json_object_new_boolean(!audit->problem));
	json_object_object_add(notification, "message",
			       message(audit->problem ? audit->problem : audit->source));
	json_object_object_add(notification, "level", text(audit->problem ? "error" : "none"));
	json_object_object_add(invocation, "toolExecutionNotifications", array_of(notification));
	return invocation;
}

static struct json_object *tool(void)
{
	struct json_object *tool = object(), *driver = object();

	json_object_object_add(driver, "name", text("hardened-audit"));
	json_object_object_add(tool, "driver", driver);
	return tool;
}

static void begin(FILE *out, const struct view *view)
{
	(void)view;
	fputs("{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
	      "\"version\":\"2.1.0\",\"runs\":[\n",
	      out);
}

static void each(FILE *out, const struct view *view, const struct audit *audit, size_t index)
{
	struct json_object *run = object();

	json_object_object_add(run, "tool", tool());
	json_object_object_add(run, "invocations", array_of(invocation(audit)));
	json_object_object_add(run, "results",
			       audit->problem ? text_memory(json_object_new_array())
					      : results(audit, view));
	if (index)
		fputs(",\n", out);
	fputs(json_object_to_json_string_ext(run, JSON_C_TO_STRING_NOSLASHESCAPE), out);
	json_object_put(run);
}

static void end(FILE *out, const struct view *view)
{
	(void)view;
	fputs("\n]}\n", out);
}

const struct format format_sarif = {.name = "sarif", .begin = begin, .each = each, .end = end};
