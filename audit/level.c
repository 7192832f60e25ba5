/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of the levels, and the file in which a machine's owner chooses one.
 */
#include "level.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

static const char *const words[LEVEL_COUNT] = {"low", "medium", "high", "extreme"};

const char *level_word(enum level level)
{
	return words[level];
}

bool level_parse(const char *word, enum level *level)
{
	for (enum level i = 0; i < LEVEL_COUNT; i++) {
		if (strcmp(word, words[i]) != 0)
			continue;
		*level = i;
		return true;
	}
	return false;
}

#define BLANKS " \t\r\n"

/* Without the blanks around it, in place. */
static char *trimmed(char *text)
{
	size_t size;

	text += strspn(text, BLANKS);
	size = strlen(text);
	while (size && strchr(BLANKS, text[size - 1]))
		size--;
	text[size] = '\0';
	return text;
}

struct reader {
	const char *where;
	unsigned int line;  /* from 1 */
	unsigned int given; /* the line that gave the level; 0: none yet */
	enum level *level;
};

/* One line, "level = high". A mistake is told; 0, or the exit status. */
static int read_line(struct reader *reader, char *line)
{
	char *name, *value;

	line[strcspn(line, "#")] = '\0';
	name = trimmed(line);
	if (!*name)
		return 0;
	value = strchr(name, '=');
	if (!value)
		return complain("%s:%u: '%s' is not of the form: level = high", reader->where,
				reader->line, name);
	*value++ = '\0';
	name = trimmed(name);
	value = trimmed(value);
	if (strcmp(name, "level") != 0)
		return complain("%s:%u: '%s' is not known here; there is only: level = high",
				reader->where, reader->line, name);
	if (!level_parse(value, reader->level))
		return complain("%s:%u: '%s' is no level; it is one of low, medium, high, extreme",
				reader->where, reader->line, value);
	if (reader->given)
		return complain("%s:%u: level is given twice; the first time in line %u",
				reader->where, reader->line, reader->given);
	reader->given = reader->line;
	return 0;
}

static int read_lines(FILE *file, struct reader *reader)
{
	char *line = NULL;
	size_t room = 0;
	int status = 0;

	while (getline(&line, &room, file) >= 0) {
		reader->line++;
		if (read_line(reader, line))
			status = EXIT_TROUBLE;
	}
	if (ferror(file))
		status = complain("%s: %s; give --level instead", reader->where, strerror(errno));
	free(line);
	return status;
}

int level_default(const char *path, enum level *level)
{
	struct reader reader = {.where = path, .level = level};
	FILE *file = fopen(path, "re");
	int status;

	*level = LEVEL_LOW;
	if (!file && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (!file)
		return complain("%s: %s; what level it asks for is not known, so give --level",
				path, strerror(errno));
	status = read_lines(file, &reader);
	fclose(file);
	return status;
}
