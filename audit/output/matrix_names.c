/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the columns of a matrix are called.
 */
#include <stdlib.h>
#include <string.h>

#include "matrix.h"
#include "text.h"

/* "6.1.192 x86_64"; NULL for a kernel of which the version is not known */
static char *kernel_name(const struct audit *audit)
{
	const struct kernel *kernel = &audit->evidence.kernel;
	char version[VERSION_TEXT_SIZE];

	if (audit->problem || !kernel->version.size)
		return NULL;
	version_text(&kernel->version, version);
	if (!kernel->release)
		return text_printf("%s %s", version, architecture_text(kernel->architecture));
	return text_printf("%.*s %s", (int)strcspn(kernel->release, " "), kernel->release,
			   architecture_text(kernel->architecture));
}

/* "6.1-cloud-amd64" of "/configs/6.1-cloud-amd64.config" */
static char *file_name(const struct audit *audit)
{
	const char *slash = strrchr(audit->source, '/');
	const char *name = slash && slash[1] ? slash + 1 : audit->source;
	const char *suffix = strstr(name, ".config");
	size_t size = suffix && suffix != name && !suffix[strlen(".config")]
			      ? (size_t)(suffix - name)
			      : strlen(name);

	return text_printf("%.*s", (int)size, name);
}

static bool named_twice(char *const *names, size_t count, size_t column)
{
	for (size_t i = 0; i < count; i++)
		if (i != column && names[i] && !strcmp(names[i], names[column]))
			return true;
	return false;
}

char **matrix_names(const struct audit *audits, size_t count)
{
	char **versions = text_memory(calloc(count + 1, sizeof(*versions)));
	char **names = text_memory(calloc(count + 1, sizeof(*names)));

	for (size_t i = 0; i < count; i++)
		versions[i] = kernel_name(&audits[i]);
	for (size_t i = 0; i < count; i++)
		names[i] = versions[i] && !named_twice(versions, count, i)
				   ? text_printf("%s", versions[i])
				   : file_name(&audits[i]);
	for (size_t i = 0; i < count; i++)
		free(versions[i]);
	free(versions);
	return names;
}

void matrix_letter(size_t column, char letter[MATRIX_LETTERS])
{
	size_t start = MATRIX_LETTERS - 1;

	letter[start] = '\0';
	for (size_t rest = column + 1; rest; rest = (rest - 1) / 26)
		letter[--start] = (char)('A' + (rest - 1) % 26);
	memmove(letter, &letter[start], MATRIX_LETTERS - start);
}
