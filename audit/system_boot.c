/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command line from the boot loader's menu, or from where kernel-install has it; the
 * sysctls from the files that sysctl.d(5) names.
 */
#include "system_boot.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "system_entries.h"
#include "system_kernel.h"
#include "text.h"

#define MENU_MAX     ((size_t)4 << 20)
#define SYSCTL_MAX   ((size_t)1 << 20)
#define BLANKS	     " \t"
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const char *const menus[] = {"boot/grub/grub.cfg", "boot/grub2/grub.cfg"};

/* From the lowest priority to the highest: of files of one name the last counts. */
static const char *const folders[] = {
	"usr/lib/sysctl.d",
	"usr/local/lib/sysctl.d",
	"run/sysctl.d",
	"etc/sysctl.d",
};

/*
 * A file's text, with a NUL at its end, or NULL. One that is there and cannot be used
 * might say anything: *unusable. A link that leads nowhere is how sysctl.d(5) has files
 * masked.
 */
static char *read_text(int root, const char *path, size_t max, bool *unusable)
{
	char *text = NULL, *problem;
	struct stat status;
	size_t size;

	problem = input_read_text_in(root, path, max, &text, &size);
	if (problem) {
		free(problem);
		if (fstatat(root, path, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(status.st_mode))
			*unusable = true;
		return NULL;
	}
	text[size] = '\0';
	if (strlen(text) == size)
		return text;
	*unusable = true;
	free(text);
	return NULL;
}

static void tell_unusable(struct system_kernel *kernel, const char *what, const char *root_path)
{
	system_add_note(kernel,
			text_printf("%s: a file that tells the %s cannot be used, so that they are "
				    "not known",
				    root_path, what));
}

/* "linux /boot/vmlinuz-RELEASE root=... quiet": what stands behind the image, or NULL. */
static char *of_menu_line(char *line, const char *release)
{
	char *image = line + strspn(line, BLANKS), *rest;
	size_t size, wanted = strlen(release);

	if (strncmp(image, "linux", strlen("linux")) != 0)
		return NULL;
	image += strcspn(image, BLANKS);
	image += strspn(image, BLANKS);
	size = strcspn(image, BLANKS);
	rest = image + size;
	if (size <= wanted || image[size - wanted - 1] != '-' ||
	    strncmp(rest - wanted, release, wanted) != 0)
		return NULL;
	return rest + strspn(rest, BLANKS);
}

/* The first entry for a release is the one without further words, such as "single". */
static char *of_menu(char *menu, const char *release, bool *unusable)
{
	char *rest;

	for (char *line = strtok_r(menu, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char *words = of_menu_line(line, release);

		/* A variable is filled in by the boot loader, from elsewhere. */
		if (words && !strchr(words, '$'))
			return text_memory(strdup(words));
		*unusable = *unusable || words;
	}
	return NULL;
}

static void read_cmdline(struct system_kernel *kernel, int root, const char *root_path)
{
	bool unusable = false;

	for (size_t i = 0; i < COUNT(menus) && !kernel->cmdline; i++) {
		char *menu = read_text(root, menus[i], MENU_MAX, &unusable);

		kernel->cmdline = menu ? of_menu(menu, kernel->release, &unusable) : NULL;
		if (kernel->cmdline)
			kernel->cmdline_source = text_printf("%s/%s", root_path, menus[i]);
		free(menu);
	}
	if (!kernel->cmdline && !unusable)
		system_read_entries(kernel, root, root_path);
	if (!kernel->cmdline && !unusable) {
		kernel->cmdline =
			read_text(root, "etc/kernel/cmdline", SYSTEM_CMDLINE_MAX, &unusable);
		if (kernel->cmdline)
			kernel->cmdline_source = text_printf("%s/etc/kernel/cmdline", root_path);
	}
	if (!kernel->cmdline && unusable)
		tell_unusable(kernel, "boot parameters", root_path);
}

struct files {
	struct file {
		char *name, *path;
	} * at;
	size_t size;
};

static void add_file(struct files *files, const char *folder, const char *name)
{
	size_t i = 0;

	while (i < files->size && strcmp(files->at[i].name, name) != 0)
		i++;
	if (i == files->size) {
		files->at =
			text_memory(reallocarray(files->at, files->size + 1, sizeof(*files->at)));
		files->at[files->size++] = (struct file){.name = text_memory(strdup(name))};
	}
	free(files->at[i].path);
	if (asprintf(&files->at[i].path, "%s/%s", folder, name) < 0)
		text_memory(NULL);
}

static void add_folder(struct files *files, int root, const char *path)
{
	DIR *folder = system_open_folder(root, path);
	struct dirent *file;

	while (folder && (file = readdir(folder))) {
		size_t size = strlen(file->d_name);

		if (size > strlen(".conf") && !strcmp(file->d_name + size - 5, ".conf"))
			add_file(files, path, file->d_name);
	}
	if (folder)
		closedir(folder);
}

static int compare(const void *a, const void *b)
{
	const struct file *one = a, *other = b;

	return strcmp(one->name, other->name);
}

static void append_text(FILE *out, int root, const char *path, bool *unusable)
{
	char *text = read_text(root, path, SYSCTL_MAX, unusable);

	if (text)
		fprintf(out, "%s\n", text);
	free(text);
}

static void read_sysctls(struct system_kernel *kernel, int root, const char *root_path)
{
	struct files files = {0};
	size_t size;
	FILE *out = text_memory(open_memstream(&kernel->sysctl, &size));
	bool unusable = false;

	for (size_t i = 0; i < COUNT(folders); i++)
		add_folder(&files, root, folders[i]);
	if (files.size)
		qsort(files.at, files.size, sizeof(*files.at), compare);
	for (size_t i = 0; i < files.size; i++) {
		append_text(out, root, files.at[i].path, &unusable);
		free(files.at[i].name);
		free(files.at[i].path);
	}
	free(files.at);
	append_text(out, root, "etc/sysctl.conf", &unusable);
	if (fclose(out))
		text_memory(NULL);
	if (unusable)
		tell_unusable(kernel, "sysctls", root_path);
	if (size && !unusable) {
		kernel->sysctl_source = text_printf("%s/etc/sysctl.d and the like", root_path);
		return;
	}
	free(kernel->sysctl);
	kernel->sysctl = NULL;
}

void system_read_boot(struct system_kernel *kernel, int root, const char *root_path)
{
	read_cmdline(kernel, root, root_path);
	read_sysctls(kernel, root, root_path);
}
