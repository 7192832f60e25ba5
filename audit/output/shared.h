/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a format has in common with the matrix of the same name.
 */
#ifndef AUDIT_OUTPUT_SHARED_H
#define AUDIT_OUTPUT_SHARED_H

#include <json-c/json.h>

#include "output.h"

/* The field, quoted, after a comma unless it is a line's first. */
void csv_field(FILE *out, bool first, const char *text);

/* Of a key that the object does not have yet; both are constants, or text is harmless. */
void json_add(struct json_object *object, const char *key, struct json_object *value);
void json_add_text(struct json_object *object, const char *key, const char *text);

/* Whatever it holds; NULL becomes null. */
void json_add_hostile(struct json_object *object, const char *key, const char *text);

/* What is said of an audit; view NULL: without its settings. */
struct json_object *json_report(const struct audit *audit, const struct view *view);

/* verdict, got, reason, where, stages, unchecked, waiver */
void json_add_answer(struct json_object *object, const struct answer *answer);

/* One line. */
void json_print_object(FILE *out, struct json_object *object);

#endif
