/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One pass over the lines of a config, as conf_read_simple() in the kernel's
 * scripts/kconfig/confdata.c does it.
 */
#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "kernel.h"
#include "symbols.h"
#include "text.h"

#define PREFIX	"CONFIG_"
#define NOT_SET " is not set"
/*
 * What a whole .config has near its end. conf writes the ends of menus since 5.4; of older
 * ones the last two menus, which have changed places once, must at least have begun.
 */
enum sign { HACKING_ENDS, HACKING_BEGINS, LIBRARY_BEGINS, SIGNS };
static const char *const signs[SIGNS] = {
	[HACKING_ENDS] = "# end of Kernel hacking",
	[HACKING_BEGINS] = "# Kernel hacking",
	[LIBRARY_BEGINS] = "# Library routines",
};
/* conf writes its heading into the third line; some distributions put lines before it. */
#define HEADING_LINES 20

/* What has been read up to the line at hand. */
struct reader {
	struct config *config;
	unsigned int line;
	bool seen[SIGNS];
};

struct line {
	char *text;
	size_t size; /* text[size] may be written */
};

static bool starts(const struct line *line, const char *start, size_t size)
{
	return line->size >= size && memcmp(line->text, start, size) == 0;
}

/* What names are made of, by character. */
static const bool in_name[UCHAR_MAX + 1] = {
	['0' ... '9'] = true,
	['A' ... 'Z'] = true,
	['a' ... 'z'] = true,
	['_'] = true,
};

/*
 * The size of the name that ends at stop; 0: there is none. Its first and last character
 * are looked at; what is between them is for whoever knows the names.
 */
static size_t name_size(const char *name, size_t size, char stop)
{
	const char *end = memchr(name, stop, size);

	if (!end || end == name || !in_name[(unsigned char)*name] ||
	    !in_name[(unsigned char)end[-1]])
		return 0;
	return (size_t)(end - name);
}

static void ignore(struct reader *reader)
{
	if (!reader->config->ignored++)
		reader->config->first_ignored = reader->line;
}

/* Without quotes and backslashes, in place; NULL when there is no closing quote. */
static char *unquoted(char *text)
{
	char *to = text, *from = text + 1;

	for (; *from && *from != '"'; from++) {
		if (*from == '\\' && from[1])
			from++;
		*to++ = *from;
	}
	if (*from != '"')
		return NULL;
	*to = '\0';
	return text;
}

static void store(struct reader *reader, struct symbol_place place, const char *text)
{
	struct value value = {text, reader->line};

	if (place.symbol != SYMBOL_NONE)
		reader->config->values[place.symbol] = value;
	if (place.fact != SYMBOL_NONE)
		reader->config->facts[place.fact] = value;
}

/* conf looks at no more than the first character of these: "y " and "y # why" are y. */
static void strip_tristate(char *value)
{
	if (*value && strchr("ymn", *value) && (value[1] == ' ' || value[1] == '\t'))
		value[1] = '\0';
}

/* "CONFIG_NAME=value" */
static void read_assignment(struct reader *reader, struct line line)
{
	char *name = line.text + strlen(PREFIX);
	size_t rest = line.size - strlen(PREFIX), size = name_size(name, rest, '=');
	struct symbol_place place;
	char *value = name + size + 1;

	if (!size) {
		ignore(reader);
		return;
	}
	place = symbol_find(name, size);
	if (place.symbol != SYMBOL_NONE || place.fact != SYMBOL_NONE) {
		line.text[line.size] = '\0';
		if (strlen(value) != rest - size - 1) /* a NUL in it */
			value = NULL;
		else if (*value == '"')
			value = unquoted(value);
		else
			strip_tristate(value);
		if (!value) {
			ignore(reader);
			return;
		}
		store(reader, place, value);
	}
	reader->config->settings++;
}

/* "# CONFIG_NAME is not set" */
static void read_unset(struct reader *reader, struct line line)
{
	char *name = line.text + strlen("# " PREFIX);
	size_t rest = line.size - strlen("# " PREFIX), size = name_size(name, rest, ' ');

	if (!size || rest - size != strlen(NOT_SET) ||
	    memcmp(name + size, NOT_SET, strlen(NOT_SET)) != 0)
		return; /* a comment */
	store(reader, symbol_find(name, size), "n");
	reader->config->settings++;
}

/* "# Linux/x86 6.1.192 Kernel Configuration", "# Linux kernel version: 2.6.32" */
static void read_heading(struct reader *reader, struct line line)
{
	char *end;

	if (reader->config->heading || reader->line > HEADING_LINES)
		return;
	line.text[line.size] = '\0';
	end = strstr(line.text, " Kernel Configuration");
	if (end)
		*end = '\0';
	if (end || strstr(line.text, "kernel version: "))
		reader->config->heading = line.text + strlen("# ");
}

static void read_sign(struct reader *reader, struct line line)
{
	for (size_t i = 0; i < SIGNS; i++)
		if (line.size == strlen(signs[i]) && starts(&line, signs[i], line.size))
			reader->seen[i] = true;
}

static void read_line(struct reader *reader, struct line line)
{
	if (line.size && line.text[line.size - 1] == '\r')
		line.size--;
	if (starts(&line, PREFIX, strlen(PREFIX)))
		read_assignment(reader, line);
	else if (starts(&line, "# " PREFIX, strlen("# " PREFIX)))
		read_unset(reader, line);
	else if (starts(&line, "# Linux", strlen("# Linux")))
		read_heading(reader, line);
	else if (starts(&line, "# ", strlen("# ")))
		read_sign(reader, line);
}

static bool is_complete(const struct reader *reader, bool whole_lines)
{
	struct version version = {0}, ends = {{5, 4}, 2};

	if (!reader->config->heading)
		return false;
	version = kernel_of(reader->config).version;
	if (!version.size || !version_before(&version, &ends))
		return reader->seen[HACKING_ENDS];
	return whole_lines && reader->seen[HACKING_BEGINS] && reader->seen[LIBRARY_BEGINS];
}

struct config *config_parse(char *text, size_t size)
{
	struct config *config = text_memory(calloc(1, sizeof(*config)));
	struct reader reader = {.config = config};
	char *at = text, *end = text + size;

	config->values = text_memory(calloc(catalogue.symbol_count + 1, sizeof(*config->values)));
	while (at < end) {
		char *newline = memchr(at, '\n', (size_t)(end - at));
		char *line_end = newline ? newline : end;

		reader.line++;
		read_line(&reader, (struct line){at, (size_t)(line_end - at)});
		at = line_end + 1;
	}
	config->line_count = reader.line;
	/* a last line without a newline leaves it one byte behind the end */
	config->complete = is_complete(&reader, at == end);
	return config;
}

void config_free(struct config *config)
{
	if (!config)
		return;
	free(config->values);
	free(config);
}

bool config_has_settings(const struct config *config)
{
	return config->settings > 0;
}

bool config_is_set(const struct config *config, enum fact fact)
{
	const char *text = config->facts[fact].text;

	return text && strcmp(text, "y") == 0;
}
