/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the pieces of evidence of each kernel come from.
 */
#include "gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "system.h"
#include "text.h"

#define CMDLINE_MAX ((size_t)64 << 10) /* more than any architecture takes */
#define SYSCTL_MAX  ((size_t)16 << 20)

void audit_list_add(struct audit_list *list, struct audit audit)
{
	list->at = text_memory(reallocarray(list->at, list->size + 1, sizeof(*list->at)));
	list->at[list->size++] = audit;
}

static char *copy(const char *text)
{
	return text ? text_memory(strdup(text)) : NULL;
}

static void material_free(struct material *material)
{
	free(material->source);
	free(material->note);
	free(material->config);
	free(material->cmdline);
	free(material->cmdline_source);
	free(material->sysctl);
	free(material->sysctl_source);
	sysctls_free(material->sysctls);
}

/* A command line is one line; an editor's newline at its end is none of it. */
static char *read_cmdline(const char *path, struct material *material)
{
	size_t size;
	char *text, *problem = input_read_text(path, CMDLINE_MAX, &text, &size);

	if (problem)
		return problem;
	free(material->cmdline);
	free(material->cmdline_source);
	text[size] = '\0';
	material->cmdline = text;
	material->cmdline_source = copy(path);
	if (!size)
		return text_printf("%s: the file is empty; if the kernel was given no parameters, "
				   "it holds one empty line",
				   path);
	if (strlen(text) != size)
		return text_printf("%s: there is a NUL in it, so that it is no command line; "
				   "copy /proc/cmdline",
				   path);
	return NULL;
}

/* What --cmdline and --sysctl name goes before what was found elsewhere. */
static char *read_given(const struct options *options, struct material *material)
{
	char *text, *problem = NULL;
	size_t size;

	if (options->cmdline)
		problem = read_cmdline(options->cmdline, material);
	if (problem || !options->sysctl)
		return problem;
	problem = input_read_text(options->sysctl, SYSCTL_MAX, &text, &size);
	if (problem)
		return problem;
	free(material->sysctl);
	free(material->sysctl_source);
	material->sysctl = text;
	material->sysctl_size = size;
	material->sysctl_source = copy(options->sysctl);
	return NULL;
}

/* The audit of what was read and of the files that the options name. */
static void add_audit(struct material *material, const struct options *options,
		      const struct terms *terms, struct audit_list *list)
{
	char *problem = read_given(options, material);

	if (!problem) {
		audit_list_add(list, audit_of(material, terms));
		return;
	}
	audit_list_add(list, audit_problem(material->source, problem, terms));
	material_free(material);
}

/* Of several kernels it cannot be told whose command line and sysctls were given. */
static bool given_to_several(const char *source, size_t count, const struct options *options,
			     const struct terms *terms, struct audit_list *list)
{
	if (count < 2 || !(options->cmdline || options->sysctl))
		return false;
	audit_list_add(
		list,
		audit_problem(source,
			      text_printf("%s: there are %zu kernels in it, but --%s is that "
					  "of one; give the config of that one",
					  source, count, options->cmdline ? "cmdline" : "sysctl"),
			      terms));
	return true;
}

void gather_found(const char *path, char *problem, struct found_list *found,
		  const struct options *options, const struct terms *terms, struct audit_list *list)
{
	if (problem) {
		audit_list_add(list, audit_problem(path, problem, terms));
		return;
	}
	if (!given_to_several(path, found->size, options, terms, list)) {
		for (size_t i = 0; i < found->size; i++) {
			struct found *one = &found->at[i];
			struct material material = {
				.source = one->source,
				.config = one->text,
				.config_size = one->size,
			};

			*one = (struct found){0};
			add_audit(&material, options, terms, list);
		}
	}
	found_list_free(found);
}

void gather_path(const char *path, const struct options *options, const struct terms *terms,
		 struct audit_list *list)
{
	struct found_list found = {0};
	char *problem = input_read(path, &found);

	gather_found(path, problem, &found, options, terms, list);
}

/* A kernel of a system; what is in the material is no longer in the kernel. */
static struct material material_of(struct system_kernel *kernel)
{
	struct material material = {
		.source = kernel->config.source,
		.note = kernel->note,
		.config = kernel->config.text,
		.config_size = kernel->config.size,
		.cmdline = kernel->cmdline,
		.cmdline_source = kernel->cmdline_source,
		.sysctl = kernel->sysctl,
		.sysctl_source = kernel->sysctl_source,
	};

	if (!material.source)
		material.source = text_printf("kernel %s", kernel->release ? kernel->release
									   : "of unknown release");
	if (material.sysctl)
		material.sysctl_size = strlen(material.sysctl);
	kernel->config = (struct found){0};
	kernel->note = kernel->cmdline = kernel->cmdline_source = NULL;
	kernel->sysctl = kernel->sysctl_source = NULL;
	return material;
}

static void gather_running(const struct options *options, const struct terms *terms,
			   struct audit_list *list)
{
	struct system_kernels *kernels = system_running();

	for (size_t i = 0; i < kernels->size; i++) {
		struct material material = material_of(&kernels->at[i]);

		material.running = true;
		material.sysctls = sysctls_read("/proc/sys");
		add_audit(&material, options, terms, list);
	}
	system_kernels_free(kernels);
}

static void gather_root(const struct options *options, const struct terms *terms,
			struct audit_list *list)
{
	char *problem = NULL;
	struct system_kernels *kernels = system_at(options->root, &problem);

	if (!kernels) {
		audit_list_add(list, audit_problem(options->root, problem, terms));
		return;
	}
	if (!given_to_several(options->root, kernels->size, options, terms, list)) {
		for (size_t i = 0; i < kernels->size; i++) {
			struct material material = material_of(&kernels->at[i]);

			add_audit(&material, options, terms, list);
		}
	}
	system_kernels_free(kernels);
}

void gather_system(const struct options *options, const struct terms *terms,
		   struct audit_list *list)
{
	if (options->root) {
		gather_root(options, terms, list);
	} else if (options->cmdline || options->sysctl) {
		struct material material = {
			.source = copy(options->cmdline ? options->cmdline : options->sysctl),
		};

		add_audit(&material, options, terms, list);
	} else {
		gather_running(options, terms, list);
	}
}

void audit_list_clear(struct audit_list *list)
{
	for (size_t i = 0; i < list->size; i++)
		audit_clear(&list->at[i]);
	free(list->at);
	*list = (struct audit_list){0};
}
