/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON: an object for one kernel, an array of them for several:
 *
 * {"kernel": "6.12.117", "arch": "x86_64", "compiler": "gcc 12.2.0", "level": "high",
 *  "source": "...", "note": "...",
 *  "settings": [{"setting": "CONFIG_X", "kind": "kconfig", "wanted": "y", "got": "n",
 *                "verdict": "fail", "level": "medium", "reason": "...", "where": "...",
 *                "stages": {"build": {"verdict": "fail", "reason": "..."}},
 *                "unchecked": true, "waiver": {"reason", "owner", "expiry", "verdict"}}],
 *  "summary": {"ok": 1, ...}, "met": false, "unchecked": 3, "highest": "low" or null,
 *  "missing": {"low": ["CONFIG_X=y"], ...}}
 * {"source": "...", "level": "high", "problem": "why it could not be audited"}
 */
#include <stdlib.h>

#include "output.h"
#include "shared.h"
#include "text.h"

void json_add(struct json_object *object, const char *key, struct json_object *value)
{
	json_object_object_add_ex(object, key, value,
				  JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_KEY_IS_CONSTANT);
}

void json_add_text(struct json_object *object, const char *key, const char *text)
{
	json_add(object, key, text ? text_memory(json_object_new_string(text)) : NULL);
}

void json_add_hostile(struct json_object *object, const char *key, const char *text)
{
	char *clean = text ? text_printf("%s", text) : NULL;

	json_add_text(object, key, clean);
	free(clean);
}

static void add_number(struct json_object *object, const char *key, size_t value)
{
	json_add(object, key, text_memory(json_object_new_int64((int64_t)value)));
}

static void add_flag(struct json_object *object, const char *key, bool value)
{
	json_add(object, key, text_memory(json_object_new_boolean(value)));
}

static struct json_object *stages(const struct answer *answer)
{
	struct json_object *object = text_memory(json_object_new_object());

	for (enum stage stage = 0; stage < STAGE_COUNT; stage++) {
		const struct finding *finding = &answer->stages[stage];
		struct json_object *one;

		if (!finding->judged)
			continue;
		one = text_memory(json_object_new_object());
		json_add_text(one, "verdict", verdict_word(finding->verdict));
		json_add_hostile(one, "reason", finding->reason);
		json_add(object, stage_words[stage], one);
	}
	return object;
}

static struct json_object *waiver(const struct answer *answer)
{
	struct json_object *object = text_memory(json_object_new_object());

	json_add_text(object, "verdict", verdict_word(answer->waived));
	json_add_hostile(object, "reason", answer->waiver->reason);
	json_add_hostile(object, "owner", answer->waiver->owner);
	json_add_hostile(object, "expiry", answer->waiver->expiry);
	return object;
}

void json_add_answer(struct json_object *object, const struct answer *answer)
{
	json_add_text(object, "verdict", verdict_word(answer->verdict));
	json_add_hostile(object, "got", answer->got);
	json_add_hostile(object, "reason", answer->reason);
	json_add_hostile(object, "where", answer->where);
	json_add(object, "stages", stages(answer));
	if (answer->unchecked)
		add_flag(object, "unchecked", true);
	if (answer->waiver)
		json_add(object, "waiver", waiver(answer));
}

static struct json_object *setting(const struct answer *answer)
{
	struct json_object *object = text_memory(json_object_new_object());
	const struct entry *entry = answer->entry;

	json_add_text(object, "setting", entry->target);
	json_add_text(object, "kind", kind_words[entry->setting.kind]);
	json_add_text(object, "wanted", entry->wanted);
	json_add_text(object, "level", level_word(entry->level));
	json_add_answer(object, answer);
	return object;
}

static struct json_object *settings(const struct audit *audit, const struct view *view)
{
	struct json_object *list = text_memory(json_object_new_array());
	size_t count, *indices = shown(audit, view, &count);

	for (size_t i = 0; i < count; i++)
		json_object_array_add(list, setting(&audit->answers[indices[i]]));
	free(indices);
	return list;
}

static struct json_object *summary(const struct standing *standing)
{
	struct json_object *counts = text_memory(json_object_new_object());

	for (enum verdict verdict = VERDICT_OK; verdict <= VERDICT_WAIVED; verdict++)
		add_number(counts, verdict_word(verdict), standing->counts[verdict]);
	return counts;
}

static struct json_object *missing(const struct audit *audit)
{
	struct json_object *levels = text_memory(json_object_new_object());

	for (enum level level = 0; level < LEVEL_COUNT; level++) {
		const struct standing *standing = &audit->levels[level];
		struct json_object *list = text_memory(json_object_new_array());

		for (size_t i = 0; i < standing->missing_count; i++) {
			const struct entry *entry = audit->answers[standing->missing[i]].entry;

			json_object_array_add(
				list, text_memory(json_object_new_string(entry->setting.text)));
		}
		json_add(levels, level_word(level), list);
	}
	return levels;
}

static void describe(struct json_object *object, const struct audit *audit, const struct view *view)
{
	const struct standing *standing = &audit->levels[audit->level];
	const struct kernel *kernel = &audit->evidence.kernel;
	char version[VERSION_TEXT_SIZE];
	char *compiler = compiler_text(&kernel->compiler);
	enum level highest;

	version_text(&kernel->version, version);
	json_add_text(object, "kernel", version);
	json_add_text(object, "arch", architecture_text(kernel->architecture));
	json_add_text(object, "compiler", compiler);
	if (audit->note)
		json_add_hostile(object, "note", audit->note);
	if (view)
		json_add(object, "settings", settings(audit, view));
	json_add(object, "summary", summary(standing));
	add_flag(object, "met", audit_status(audit) == 0);
	add_number(object, "unchecked", standing->unchecked);
	json_add_text(object, "highest",
		      audit_highest(audit, &highest) ? level_word(highest) : NULL);
	json_add(object, "missing", missing(audit));
	free(compiler);
}

static void begin(FILE *out, const struct view *view)
{
	if (view->inputs != 1)
		fputs("[\n", out);
}

struct json_object *json_report(const struct audit *audit, const struct view *view)
{
	struct json_object *object = text_memory(json_object_new_object());

	json_add_hostile(object, "source", audit->source);
	json_add_text(object, "level", level_word(audit->level));
	if (audit->problem)
		json_add_hostile(object, "problem", audit->problem);
	else
		describe(object, audit, view);
	return object;
}

void json_print_object(FILE *out, struct json_object *object)
{
	fputs(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN |
							     JSON_C_TO_STRING_NOSLASHESCAPE),
	      out);
}

static void each(FILE *out, const struct view *view, const struct audit *audit, size_t index)
{
	struct json_object *object = json_report(audit, view);

	if (index)
		fputs(",\n", out);
	json_print_object(out, object);
	json_object_put(object);
}

static void end(FILE *out, const struct view *view)
{
	fputs(view->inputs != 1 ? "\n]\n" : "\n", out);
}

const struct format format_json = {.name = "json", .begin = begin, .each = each, .end = end};
