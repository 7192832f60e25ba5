/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which kernels an entry speaks of, and how a stage writes down what it found.
 */
#include "judging.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* ---- Which kernels an entry speaks of ---- */

bool concerns(const struct entry *entry, const struct evidence *evidence)
{
	unsigned int architecture = evidence->kernel.architecture;

	if (architecture)
		return entry->architectures & architecture;
	/* a whole config that is of none of those with a bit */
	if (evidence->config && evidence->config->complete)
		return entry->architectures == ARCH_ALL;
	return true;
}

bool exists(const struct entry *entry, const struct version *version)
{
	if (!version->size)
		return true;
	for (size_t i = 0; i < entry->name_count; i++)
		if (version_in(version, &entry->names[i].kernels))
			return true;
	return false;
}

bool compiler_will_do(const struct entry *entry, const struct compiler *compiler)
{
	if (!entry->compiler_count || compiler->family == COMPILER_UNKNOWN)
		return true;
	for (size_t i = 0; i < entry->compiler_count; i++)
		if (compiler_meets(compiler, &entry->compilers[i]))
			return true;
	return false;
}

bool parameter_works(const struct evidence *evidence, size_t place, char **why)
{
	const struct parameter *parameter = &catalogue.parameters[place];
	const struct kernel *kernel = &evidence->kernel;

	if (kernel->architecture && !(parameter->architectures & kernel->architecture)) {
		*why = text_printf("%s kernels do not know it",
				   architecture_text(kernel->architecture));
		return false;
	}
	if (kernel->version.size && !version_in(&kernel->version, &parameter->kernels)) {
		char *ranges = ranges_text(&parameter->kernels);

		*why = text_printf("kernels know it %s", ranges);
		free(ranges);
		return false;
	}
	for (size_t i = 0; i < parameter->prerequisites.size; i++) {
		const struct setting *setting = &parameter->prerequisites.at[i];
		/* of no entry: it has no =max */
		static const struct entry none = {.maximum = SYMBOL_NONE};

		/* options all of them (docs/guide/catalogue.rst) */
		if (setting->kind == KIND_KCONFIG && holds(evidence, &none, setting) == NO) {
			*why = text_printf("it needs %s", setting->text);
			return false;
		}
	}
	return true;
}

/* Has another entry for the same thing, at whatever level, this version? */
static bool is_left_to_another(const struct entry *entry, const struct evidence *evidence)
{
	for (size_t i = 0; i < catalogue.entry_count; i++) {
		const struct entry *other = &catalogue.entries[i];

		if (other != entry && other->group == entry->group && concerns(other, evidence) &&
		    exists(other, &evidence->kernel.version))
			return true;
	}
	return false;
}

const struct name *name_with_line(const struct entry *entry, const struct evidence *evidence)
{
	const struct version *version = &evidence->kernel.version;
	const struct name *other = NULL;

	if (!evidence->config || entry->setting.kind != KIND_KCONFIG)
		return NULL;
	for (size_t i = 0; i < entry->name_count; i++) {
		const struct name *name = &entry->names[i];

		if (!evidence->config->values[name->name].text)
			continue;
		if (!version->size || version_in(version, &name->kernels))
			return name;
		if (!other)
			other = name;
	}
	return other && !is_left_to_another(entry, evidence) ? other : NULL;
}

/* ---- Findings ---- */

void find(struct answer *answer, enum stage stage, enum verdict verdict, const char *got,
	  char *where, const char *reason, ...)
{
	struct finding *finding = &answer->stages[stage];
	char *copy;
	va_list args;

	va_start(args, reason);
	*finding = (struct finding){true, verdict, text_vprintf(reason, args)};
	va_end(args);
	if (!got && !where)
		return;
	/* it may be the old one */
	copy = got ? text_printf("%s", got) : NULL;
	free(answer->got);
	free(answer->where);
	answer->got = copy;
	answer->where = where;
}

void find_not_in_version(struct answer *answer, enum stage stage, const struct evidence *evidence)
{
	const struct entry *entry = answer->entry;
	char version[VERSION_TEXT_SIZE], *ranges = ranges_text(&entry->names[0].kernels);

	version_text(&evidence->kernel.version, version);
	for (size_t i = 1; i < entry->name_count; i++) {
		char *more = ranges_text(&entry->names[i].kernels);

		ranges = text_joined(ranges, "; ",
				     text_printf("%s %s",
						 entry->setting.kind == KIND_KCONFIG
							 ? catalogue.symbols[entry->names[i].name]
							 : "under another name",
						 more));
		free(more);
	}
	find(answer, stage, VERDICT_NA, NULL, NULL, "not in %s (%s)", version, ranges);
	free(ranges);
}

void find_other_architecture(struct answer *answer, enum stage stage)
{
	char *names = architectures_text(answer->entry->architectures);

	find(answer, stage, VERDICT_NA, NULL, NULL, "for %s only", names);
	free(names);
}

const struct finding *before(const struct answer *answer, enum stage stage)
{
	while (stage-- > 0)
		if (answer->stages[stage].judged)
			return &answer->stages[stage];
	return NULL;
}
