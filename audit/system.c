/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The running kernel. Which config is its own can only be told for sure of
 * /proc/config.gz; of a file it is told what release it is for.
 */
#include "system.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "kernel.h"
#include "system_kernel.h"
#include "text.h"

/* In the order in which they are tried. */
static const struct system_place places[] = {
	{"/boot/config-", ""},
	{"/usr/lib/modules/", "/config"},
	{"/lib/modules/", "/build/.config"},
};
static const char own_config[] = "/proc/config.gz";

#define HEADING_MAX 2000 /* it is one of the first lines */

/* The version in a config's heading: "# Linux/x86 6.1.192 Kernel Configuration" */
static bool heading_version(const struct found *config, struct version *version)
{
	char start[HEADING_MAX + 1], *end, *word;
	size_t size = config->size < HEADING_MAX ? config->size : HEADING_MAX;

	*(char *)mempcpy(start, config->text, size) = '\0';
	end = strstr(start, " Kernel Configuration");
	if (!end)
		return false;
	*end = '\0';
	word = strrchr(start, ' ');
	return word && version_parse(word + 1, version);
}

/* As a whole: 6.1.19 is not in "Debian 6.1.192-1". */
static bool names_version(const char *text, const char *version)
{
	size_t size = strlen(version);

	for (const char *at = strstr(text, version); at; at = strstr(at + 1, version)) {
		bool begins = at == text || (!isdigit((unsigned char)at[-1]) && at[-1] != '.');

		if (begins && !isdigit((unsigned char)at[size]) && at[size] != '.')
			return true;
	}
	return false;
}

/*
 * Some distributions' releases leave out the stable release that the heading has: Debian's
 * 6.1.0-49-amd64 is 6.1.170. The build's description has it then.
 */
static bool is_running(const struct version *version, const struct utsname *running)
{
	char text[VERSION_TEXT_SIZE];
	struct version release;

	version_text(version, text);
	if (version_parse(running->release, &release) &&
	    memcmp(release.part, version->part, sizeof(release.part)) == 0)
		return true;
	return names_version(running->version, text);
}

/* Whose config it is, of those that do not come from the kernel itself. */
static char *match_text(const struct found *config, const struct utsname *running)
{
	struct version version;
	char text[VERSION_TEXT_SIZE];

	if (!heading_version(config, &version))
		return text_printf("read %s; it does not say for which release it is, so that it "
				   "may not be that of the running kernel, %s",
				   config->source, running->release);
	version_text(&version, text);
	if (is_running(&version, running))
		return text_printf("read %s, which is for %s, as is the running kernel, %s",
				   config->source, text, running->release);
	return text_printf("read %s, which is for %s and not for the running kernel, %s (%s)",
			   config->source, text, running->release, running->version);
}

/* True when there is one. */
static bool read_config(struct system_kernel *kernel, const char *path)
{
	struct found_list list = {0};
	char *problem = input_read(path, &list);

	if (problem) {
		system_add_note(kernel, problem);
		return false;
	}
	kernel->config = list.at[0];
	list.at[0] = (struct found){0};
	found_list_free(&list);
	system_clear_note(kernel);
	return true;
}

/* The first config that can be read, and the note on it. */
static void find_config(struct system_kernel *kernel, const struct utsname *running)
{
	bool found = read_config(kernel, own_config);

	if (found) {
		kernel->note = text_printf("read %s, which is that of the running kernel, %s",
					   own_config, running->release);
		return;
	}
	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && !found; i++) {
		char *path = system_path(&places[i], running->release);

		found = read_config(kernel, path);
		free(path);
	}
	if (found)
		kernel->note = match_text(&kernel->config, running);
}

struct system_kernels *system_running(void)
{
	struct system_kernels *kernels = text_memory(calloc(1, sizeof(*kernels)));
	struct system_kernel *kernel;
	struct utsname running;
	char *problem;
	size_t size;

	uname(&running);
	kernel = system_add_kernel(kernels, running.release);
	find_config(kernel, &running);
	problem = input_read_text("/proc/cmdline", SYSTEM_CMDLINE_MAX, &kernel->cmdline, &size);
	if (problem) {
		system_add_note(kernel, problem);
		return kernels;
	}
	kernel->cmdline[size] = '\0';
	kernel->cmdline_source = text_printf("/proc/cmdline");
	return kernels;
}
