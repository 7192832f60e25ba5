/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A list of files that may be longer than a command line can be.
 */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "message.h"
#include "text.h"

#define LIST_MAX ((size_t)64 << 20)

static void append(struct names *names, char *name)
{
	/* twice as much, whenever the size is a power of two */
	if (!(names->size & (names->size - 1)))
		names->at = text_memory(
			reallocarray(names->at, names->size ? 2 * names->size : 1, sizeof(char *)));
	names->at[names->size++] = name;
}

/* Empty lines name nothing. */
static void split(struct names *names, size_t size)
{
	char separator = memchr(names->text, '\0', size) ? '\0' : '\n';
	char *name = names->text, *end = names->text + size;

	*end = separator;
	while (name < end) {
		char *next = memchr(name, separator, (size_t)(end - name) + 1);

		*next = '\0';
		if (*name)
			append(names, name);
		name = next + 1;
	}
}

int names_read(const char *path, char **first, size_t count, struct names *names)
{
	char *problem;
	size_t size;

	problem = input_read_text(path, LIST_MAX, &names->text, &size);
	if (problem) {
		complain_lines(problem);
		free(problem);
		return EXIT_TROUBLE;
	}
	for (size_t i = 0; i < count; i++)
		append(names, first[i]);
	split(names, size);
	if (names->size == count)
		return complain("%s: no file is named in it; write one a line", path);
	return 0;
}

void names_free(struct names *names)
{
	free(names->at);
	free(names->text);
}
