/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernels of another system's file system. Paths are resolved by openat2() within
 * its root, so that a symbolic link there means what it means there.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "system_boot.h"
#include "system_kernel.h"
#include "text.h"

/* What there may be of one release; the first that can be read counts. */
static const struct system_place configs[] = {
	{"boot/config-", ""},  {"usr/lib/modules/", "/config"},	 {"lib/modules/", "/config"},
	{"boot/vmlinuz-", ""}, {"usr/lib/modules/", "/vmlinuz"}, {"lib/modules/", "/vmlinuz"},
};

/* Folders, and what goes before the release in the names of files there. */
static const struct where {
	const char *folder, *prefix;
} releases[] = {
	{"boot", "config-"},
	{"boot", "vmlinuz-"},
	{"usr/lib/modules", ""},
	{"lib/modules", ""},
};

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

DIR *system_open_folder(int root, const char *path)
{
	const struct open_how how = {
		.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !folder)
		close(fd);
	return folder;
}

static bool is_known(const struct system_kernels *kernels, const char *release)
{
	for (size_t i = 0; i < kernels->size; i++) {
		if (!strcmp(kernels->at[i].release, release))
			return true;
	}
	return false;
}

static void add_releases(struct system_kernels *kernels, int root, const struct where *where)
{
	DIR *folder = system_open_folder(root, where->folder);
	size_t size = strlen(where->prefix);
	struct dirent *file;

	while (folder && (file = readdir(folder))) {
		if (file->d_name[0] == '.' || strncmp(file->d_name, where->prefix, size) != 0)
			continue;
		if (file->d_name[size] && !is_known(kernels, file->d_name + size))
			system_add_kernel(kernels, file->d_name + size);
	}
	if (folder)
		closedir(folder);
}

/* Newer ones last, whatever order the folder has them in. */
static int compare(const void *a, const void *b)
{
	const struct system_kernel *one = a, *other = b;

	return strverscmp(one->release, other->release);
}

static bool is_there(int root, const char *path)
{
	const struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof(how));

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != ENOENT;
}

/* Try one place; true when there is something, readable or not. */
static bool read_config(struct system_kernel *kernel, int root, const char *root_path,
			const struct system_place *place)
{
	struct found_list list = {0};
	char *path = system_path(place, kernel->release);
	bool there = is_there(root, path);
	char *problem = there ? input_read_in(root, path, &list) : NULL;

	if (problem) {
		system_add_note(kernel, problem);
	} else if (list.size) {
		kernel->config = list.at[0];
		kernel->config.source = text_printf("%s/%s", root_path, list.at[0].source);
		free(list.at[0].source);
		list.at[0] = (struct found){0};
		system_clear_note(kernel);
	}
	found_list_free(&list);
	free(path);
	return there;
}

/* False: there is nothing of that release but, say, what its removal has left. */
static bool read_kernel(struct system_kernel *kernel, int root, const char *root_path)
{
	bool any = false;

	for (size_t i = 0; i < COUNT(configs) && !kernel->config.text; i++)
		any |= read_config(kernel, root, root_path, &configs[i]);
	if (any)
		system_read_boot(kernel, root, root_path);
	return any;
}

/* Keep those of which something is there. */
static void read_kernels(struct system_kernels *kernels, int root, const char *root_path)
{
	size_t kept = 0;

	for (size_t i = 0; i < kernels->size; i++) {
		struct system_kernel *kernel = &kernels->at[i];

		if (read_kernel(kernel, root, root_path))
			kernels->at[kept++] = *kernel;
		else
			free(kernel->release);
	}
	kernels->size = kept;
}

/* Without openat2() everything would seem to be missing. */
static bool can_resolve(int root)
{
	DIR *folder = system_open_folder(root, ".");

	return folder && closedir(folder) == 0;
}

struct system_kernels *system_at(const char *root_path, char **problem)
{
	int root = open(root_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct system_kernels *kernels;

	if (root < 0) {
		*problem = text_printf("%s: %s; --root wants the folder in which a system's file "
				       "system is mounted",
				       root_path, strerror(errno));
		return NULL;
	}
	if (!can_resolve(root)) {
		*problem = text_printf("%s: openat2: %s; --root needs a kernel since 5.6 to run on",
				       root_path, strerror(errno));
		close(root);
		return NULL;
	}
	kernels = text_memory(calloc(1, sizeof(*kernels)));
	for (size_t i = 0; i < COUNT(releases); i++)
		add_releases(kernels, root, &releases[i]);
	if (kernels->size)
		qsort(kernels->at, kernels->size, sizeof(*kernels->at), compare);
	read_kernels(kernels, root, root_path);
	close(root);
	if (kernels->size)
		return kernels;
	*problem = text_printf("%s: no kernel is in it: there is no boot/config-*, boot/vmlinuz-* "
			       "or usr/lib/modules/*/config; is the system's boot partition "
			       "mounted there, too?",
			       root_path);
	system_kernels_free(kernels);
	return NULL;
}
