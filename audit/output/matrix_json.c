/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A matrix as JSON:
 *
 * {"kernels": [what --json says of each, but for its settings],
 *  "settings": [{"setting": "CONFIG_X", "wanted": "y", "level": "low", "differs": true,
 *                "cells": [{"asked": true, "verdict": "fail", "got": "n", "reason": "...",
 *                           "where": "...", "stages": {...}}]}]}
 *
 * The cells of a setting are in the order of the kernels. "asked" is false where the
 * level means another entry for that kernel, or none.
 */
#include "../level.h"
#include "matrix.h"
#include "shared.h"
#include "text.h"

static struct json_object *kernels(const struct matrix *matrix)
{
	struct json_object *list = text_memory(json_object_new_array());

	for (size_t column = 0; column < matrix->count; column++)
		json_object_array_add(list, json_report(&matrix->audits[column], NULL));
	return list;
}

static struct json_object *cell(const struct square *square)
{
	struct json_object *object = text_memory(json_object_new_object());

	json_add(object, "asked", text_memory(json_object_new_boolean(square->asked)));
	if (square->answer) {
		json_add_answer(object, square->answer);
		return object;
	}
	json_add_text(object, "verdict", verdict_word(square->verdict));
	json_add_text(object, "got", NULL);
	json_add_hostile(object, "reason", square->reason);
	json_add_text(object, "where", "");
	return object;
}

static struct json_object *setting(const struct matrix *matrix, size_t row)
{
	const struct entry *entry = &catalogue.entries[matrix->rows[row]];
	struct json_object *object = text_memory(json_object_new_object());
	struct json_object *cells = text_memory(json_object_new_array());

	for (size_t column = 0; column < matrix->count; column++) {
		struct square square = matrix_square(matrix, row, column);

		json_object_array_add(cells, cell(&square));
	}
	json_add_text(object, "setting", entry->target);
	json_add_text(object, "kind", kind_words[entry->setting.kind]);
	json_add_text(object, "wanted", entry->wanted);
	json_add_text(object, "level", level_word(entry->level));
	json_add(object, "differs",
		 text_memory(json_object_new_boolean(matrix_differs(matrix, row))));
	json_add(object, "cells", cells);
	return object;
}

static void together(FILE *out, const struct view *view, const struct audit *audits, size_t count)
{
	/* --only is not for JSON: a program filters by itself. */
	const struct view whole = {.order = view->order};
	struct json_object *object, *settings;
	struct matrix *matrix;

	if (!count)
		return;
	matrix = matrix_new(audits, count, &whole, 1U << audits[0].level);
	object = text_memory(json_object_new_object());
	settings = text_memory(json_object_new_array());
	for (size_t row = 0; row < matrix->row_count; row++)
		json_object_array_add(settings, setting(matrix, row));
	json_add(object, "kernels", kernels(matrix));
	json_add(object, "settings", settings);
	json_print_object(out, object);
	putc('\n', out);
	json_object_put(object);
	matrix_free(matrix);
}

const struct format matrix_json = {.name = "json", .together = together};
