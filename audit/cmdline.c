/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Words are cut as next_arg() in the kernel's lib/cmdline.c does it, names compared
 * as parameq() in kernel/params.c, bools read as kstrtobool().
 */
#include "cmdline.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "cmdline_join.h"
#include "text.h"

struct word {
	char *name;
	char *value; /* NULL: a bare word */
	char *text;  /* as it stood there; to be freed */
};

/* ---- Words ---- */

static char *copy(const char *text, size_t size)
{
	return text_memory(strndup(text, size));
}

/* The size of the word that text starts with: blanks in double quotes belong to it. */
static size_t word_size(const char *text)
{
	bool quoted = false;
	size_t size = 0;

	for (; text[size] && (quoted || !isspace((unsigned char)text[size])); size++)
		if (text[size] == '"')
			quoted = !quoted;
	return size;
}

static void strip_quotes(char *text)
{
	size_t size = strlen(text);

	if (text[0] != '"')
		return;
	if (size > 1 && text[size - 1] == '"')
		text[--size] = '\0';
	memmove(text, text + 1, size);
}

/* Cut a copy in two; '-' in the name becomes '_'. */
static void cut(const char *text, size_t size, struct word *word)
{
	word->text = copy(text, size);
	word->name = copy(text, size);
	strip_quotes(word->name);
	word->value = strchr(word->name, '=');
	if (word->value) {
		*word->value++ = '\0';
		strip_quotes(word->value);
	}
	for (char *c = word->name; *c; c++)
		if (*c == '-')
			*c = '_';
}

/* ---- Values ---- */

/* "1", "0", or NULL for what the kernel does not understand. */
static const char *read_bool(const char *text)
{
	bool second_n = text[0] && (text[1] == 'n' || text[1] == 'N');
	bool second_f = text[0] && (text[1] == 'f' || text[1] == 'F');

	switch (text[0]) {
	case 'y':
	case 'Y':
	case 't':
	case 'T':
	case '1':
		return "1";
	case 'n':
	case 'N':
	case 'f':
	case 'F':
	case '0':
		return "0";
	case 'o':
	case 'O':
		return second_n ? "1" : second_f ? "0" : NULL;
	default:
		return NULL;
	}
}

static bool is_number(const char *text)
{
	char *end;

	errno = 0;
	strtoll(text, &end, 0);
	return *text && !isspace((unsigned char)*text) && !*end && !errno;
}

/* The place of a value among the words of a parameter; -1: it is none of them. */
static int rank(const struct parameter *parameter, const char *value)
{
	for (int i = 0; parameter->words && parameter->words[i]; i++)
		if (strcmp(parameter->words[i], value) == 0)
			return i;
	return -1;
}

/* Of a list whose items are known, one that is not has the kernel refuse all of it. */
static bool items_understood(const struct parameter *parameter, const char *list)
{
	for (const char *at = list; parameter->words && *at; at += strspn(at, ",")) {
		size_t size = strcspn(at, ",");
		char *item = copy(at, size);
		bool known = rank(parameter, item) >= 0;

		free(item);
		if (!known)
			return false;
		at += size;
	}
	return true;
}

/* The value as the kernel takes it, NULL for one that it passes over. */
static const char *understood(const struct parameter *parameter, const char *value)
{
	switch (parameter->values) {
	case VALUES_WORDS:
		return rank(parameter, value) < 0 ? NULL : value;
	case VALUES_BOOL:
		return read_bool(value);
	case VALUES_NUMBER:
		return is_number(value) ? value : NULL;
	case VALUES_LIST:
		return items_understood(parameter, value) ? value : NULL;
	case VALUES_LETTERS:
	case VALUES_TEXT:
		return value;
	}
	return NULL;
}

/* What a word says of a parameter, by one of its spellings; NULL: nothing that counts. */
static const char *meaning(const struct parameter *parameter, const struct spelling *spelling,
			   const struct word *word)
{
	if (spelling->value)
		return word->value ? NULL : spelling->value;
	if (word->value)
		return understood(parameter, word->value);
	if (!parameter->bare)
		return NULL;
	return parameter->values == VALUES_BOOL ? "1" : "";
}

/* ---- Parameters ---- */

static void replace(char **old, char *new)
{
	free(*old);
	*old = new;
}

/* Whether a further value of a parameter that can only be raised does so. */
static bool raises(const struct parameter *parameter, const char *old, const char *new)
{
	if (parameter->values == VALUES_BOOL)
		return strcmp(new, old) > 0;
	return rank(parameter, new) > rank(parameter, old);
}

static void take(struct given *given, const struct parameter *parameter, const char *value,
		 const struct word *word)
{
	if (given->present && parameter->repeats == REPEATS_HIGHEST &&
	    !raises(parameter, given->value, value))
		return;
	if (given->present && parameter->repeats == REPEATS_ADD) {
		const char *comma = parameter->values == VALUES_LIST ? "," : "";

		replace(&given->value, text_printf("%s%s%s", given->value, comma, value));
		replace(&given->word, text_printf("%s %s", given->word, word->text));
		return;
	}
	given->present = true;
	replace(&given->value, copy(value, strlen(value)));
	replace(&given->word, text_printf("%s", word->text));
}

static void read_word(struct cmdline *cmdline, const struct word *word)
{
	for (size_t i = 0; i < catalogue.parameter_count; i++) {
		const struct parameter *parameter = &catalogue.parameters[i];

		for (size_t s = 0; s < parameter->spelling_count; s++) {
			const char *value;

			if (strcmp(parameter->spellings[s].name, word->name) != 0)
				continue;
			value = meaning(parameter, &parameter->spellings[s], word);
			if (value)
				take(&cmdline->given[i], parameter, value, word);
			else
				replace(&cmdline->given[i].ignored, text_printf("%s", word->text));
		}
	}
}

static void read_words(struct cmdline *cmdline, const char *text)
{
	for (text += strspn(text, " \t\n\v\f\r"); *text; text += strspn(text, " \t\n\v\f\r")) {
		size_t size = word_size(text);
		struct word word;

		if (size == 2 && memcmp(text, "--", 2) == 0) /* the rest is for init */
			return;
		cut(text, size, &word);
		read_word(cmdline, &word);
		free(word.name);
		free(word.text);
		text += size;
	}
}

struct cmdline *cmdline_parse(const char *text, const char *source, const struct config *config)
{
	struct joined joined = cmdline_join(text, config);
	struct cmdline *cmdline;

	if (!joined.line)
		return NULL;
	cmdline = text_memory(calloc(1, sizeof(*cmdline)));
	cmdline->source = joined.given ? source : "CONFIG_CMDLINE";
	cmdline->complete = joined.complete;
	cmdline->given =
		text_memory(calloc(catalogue.parameter_count + 1, sizeof(*cmdline->given)));
	read_words(cmdline, joined.line);
	free(joined.line);
	return cmdline;
}

void cmdline_free(struct cmdline *cmdline)
{
	if (!cmdline)
		return;
	for (size_t i = 0; i < catalogue.parameter_count; i++) {
		free(cmdline->given[i].value);
		free(cmdline->given[i].word);
		free(cmdline->given[i].ignored);
	}
	free(cmdline->given);
	free(cmdline);
}
