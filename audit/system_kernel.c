/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lists of kernels.
 */
#include "system_kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

char *system_path(const struct system_place *place, const char *release)
{
	char *path;

	if (asprintf(&path, "%s%s%s", place->before, release, place->after) < 0)
		path = text_memory(NULL);
	return path;
}

struct system_kernel *system_add_kernel(struct system_kernels *kernels, const char *release)
{
	struct system_kernel *kernel;

	kernels->at =
		text_memory(reallocarray(kernels->at, kernels->size + 1, sizeof(*kernels->at)));
	kernel = &kernels->at[kernels->size++];
	*kernel = (struct system_kernel){.release = text_printf("%s", release)};
	return kernel;
}

void system_add_note(struct system_kernel *kernel, char *sentence)
{
	kernel->note = text_joined(kernel->note, "\n", sentence);
}

void system_clear_note(struct system_kernel *kernel)
{
	free(kernel->note);
	kernel->note = NULL;
}

void system_kernels_free(struct system_kernels *kernels)
{
	if (!kernels)
		return;
	for (size_t i = 0; i < kernels->size; i++) {
		struct system_kernel *kernel = &kernels->at[i];

		free(kernel->config.text);
		free(kernel->config.source);
		free(kernel->release);
		free(kernel->note);
		free(kernel->cmdline);
		free(kernel->cmdline_source);
		free(kernel->sysctl);
		free(kernel->sysctl_source);
	}
	free(kernels->at);
	free(kernels);
}
