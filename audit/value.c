/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does a value satisfy a setting? The same rules as Setting.held_by() in
 * gen/settings.py.
 */
#include "judge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Decimal or 0x, with a sign or without. */
static bool number_of(const char *text, long long *number)
{
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	char *end;

	if (!*text || strspn(text, " \t"))
		return false;
	errno = 0;
	*number = strtoll(text, &end, hex ? 16 : 10);
	return !*end && end != text && !errno;
}

static bool has_item(const char *list, const char *item, size_t size)
{
	for (const char *at = list; *at; at += strspn(at, ",")) {
		size_t here = strcspn(at, ",");

		if (here == size && memcmp(at, item, size) == 0)
			return true;
		at += here;
	}
	return false;
}

/* "auto,nosmt" is two items: the list has to have both. */
static bool list_has(const char *list, const char *items)
{
	for (const char *at = items; *at; at += strspn(at, ",")) {
		size_t size = strcspn(at, ",");

		if (!has_item(list, at, size))
			return false;
		at += size;
	}
	return *items != '\0';
}

static bool has_letter(const char *letters, const char *wanted)
{
	for (; *letters; letters++)
		if (strncasecmp(letters, wanted, 1) == 0)
			return true;
	return false;
}

/* One switch per letter, in either case; what follows a ',' narrows them to some caches. */
static bool letters_have(const char *letters, const char *wanted)
{
	if (strchr(letters, ','))
		return false;
	if (!*letters)
		return true; /* the bare word: all that are usual */
	for (; *wanted; wanted++)
		if (!has_letter(letters, wanted))
			return false;
	return true;
}

static bool is_letters(const struct setting *setting)
{
	return setting->kind == KIND_CMDLINE &&
	       catalogue.parameters[setting->name].values == VALUES_LETTERS;
}

static bool equal(const char *wanted, const char *value)
{
	long long want, have;

	if (number_of(wanted, &want) && number_of(value, &have))
		return want == have;
	return strcmp(wanted, value) == 0;
}

/* "1..99" */
static bool between(const char *wanted, long long have)
{
	char *end;
	long long first = strtoll(wanted, &end, 10);

	return have >= first && have <= strtoll(end + strlen(".."), NULL, 10);
}

bool setting_held(const struct setting *setting, const char *value, const char *highest)
{
	long long have, bound;
	bool is_number = number_of(value, &have);

	switch (setting->match) {
	case MATCH_EXACT:
		return is_letters(setting) ? letters_have(value, setting->value)
					   : equal(setting->value, value);
	case MATCH_AT_LEAST:
		return is_number && number_of(setting->value, &bound) && have >= bound;
	case MATCH_HIGHEST:
		return is_number && highest && number_of(highest, &bound) && have >= bound;
	case MATCH_ANY:
		return *value != '\0';
	case MATCH_BETWEEN:
		return is_number && between(setting->value, have);
	case MATCH_CONTAINS:
		return list_has(value, setting->value);
	}
	return false;
}
