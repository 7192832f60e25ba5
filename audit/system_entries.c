/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entries as the Boot Loader Specification of uapi-group.org has them, and as GRUB's
 * blscfg reads them: a key, blanks and its value on each line. "version" is the release;
 * "options" may come more than once.
 */
#include "system_entries.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system_boot.h"
#include "system_kernel.h"
#include "text.h"

#define ENTRY_MAX ((size_t)64 << 10)
#define BLANKS	  " \t"

static const char *const folders[] = {"boot/loader/entries", "efi/loader/entries",
				      "boot/efi/loader/entries"};

/* The value of a line that starts with the key; NULL: it does not. */
static char *value_of(char *line, const char *key)
{
	size_t size = strlen(key);

	line += strspn(line, BLANKS);
	if (strncmp(line, key, size) != 0 || !strspn(line + size, BLANKS))
		return NULL;
	line += size;
	return line + strspn(line, BLANKS);
}

/* The options of an entry, or NULL if it is for another release, or has none. */
static char *options_of(char *entry, const char *release)
{
	char *rest, *options = NULL;
	bool ours = false;

	for (char *line = strtok_r(entry, "\r\n", &rest); line;
	     line = strtok_r(NULL, "\r\n", &rest)) {
		char *version = value_of(line, "version"), *more = value_of(line, "options");

		ours |= version && strcmp(version, release) == 0;
		if (more)
			options = text_joined(options, " ", text_memory(strdup(more)));
	}
	/* A variable is filled in by the boot loader, from elsewhere. */
	if (ours && options && !strchr(options, '$'))
		return options;
	free(options);
	return NULL;
}

static void read_entry(struct system_kernel *kernel, int root, const char *root_path,
		       const char *path)
{
	char *entry, *problem;
	size_t size;

	problem = input_read_text_in(root, path, ENTRY_MAX, &entry, &size);
	free(problem);
	if (problem)
		return;
	entry[size] = '\0';
	kernel->cmdline = options_of(entry, kernel->release);
	if (kernel->cmdline)
		kernel->cmdline_source = text_printf("%s/%s", root_path, path);
	free(entry);
}

static void read_folder(struct system_kernel *kernel, int root, const char *root_path,
			const char *path)
{
	DIR *folder = system_open_folder(root, path);
	struct dirent *file;

	while (folder && !kernel->cmdline && (file = readdir(folder))) {
		size_t size = strlen(file->d_name);
		char *entry;

		if (size <= strlen(".conf") || strcmp(file->d_name + size - 5, ".conf") != 0)
			continue;
		if (asprintf(&entry, "%s/%s", path, file->d_name) < 0)
			text_memory(NULL);
		read_entry(kernel, root, root_path, entry);
		free(entry);
	}
	if (folder)
		closedir(folder);
}

void system_read_entries(struct system_kernel *kernel, int root, const char *root_path)
{
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders) && !kernel->cmdline; i++)
		read_folder(kernel, root, root_path, folders[i]);
}
