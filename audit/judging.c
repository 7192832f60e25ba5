/* SPDX-License-Identifier: GPL-2.0-only */
#include "judging.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* ---- The state of things ---- */

/*
 * A symbol without a line in a whole config is off, or does not exist, or has another
 * name in this version. What the catalogue knows of its names tells these apart; other
 * symbols count as off.
 */
struct whereabouts {
	bool may_exist;
	const char *value; /* under another name; NULL: none has a line */
};

static bool has_name(const struct entry *entry, size_t symbol)
{
	for (size_t i = 0; entry->setting.kind == KIND_KCONFIG && i < entry->name_count; i++)
		if (entry->names[i].name == symbol)
			return true;
	return false;
}

static struct whereabouts whereabouts_of(const struct evidence *evidence, size_t symbol)
{
	const struct version *version = &evidence->kernel.version;
	struct whereabouts found = {true, NULL};

	for (size_t i = 0; i < catalogue.entry_count; i++) {
		const struct entry *entry = &catalogue.entries[i];

		if (!has_name(entry, symbol))
			continue;
		found.may_exist = !version->size;
		for (size_t n = 0; n < entry->name_count; n++) {
			const struct name *name = &entry->names[n];
			const char *value = evidence->config->values[name->name].text;

			if (!version_in(version, &name->kernels))
				continue;
			if (name->name == symbol)
				return (struct whereabouts){true, NULL};
			if (value)
				found.value = value;
		}
	}
	return found;
}

static bool wants_off(const struct setting *setting)
{
	return setting->match == MATCH_EXACT && strcmp(setting->value, "n") == 0;
}

static enum truth absent_symbol_holds(const struct evidence *evidence,
				      const struct setting *setting, const char *highest)
{
	struct whereabouts found = whereabouts_of(evidence, setting->name);

	if (found.value)
		return setting_held(setting, found.value, highest) ? YES : NO;
	if (!evidence->config->complete)
		return NOT_KNOWN;
	if (!wants_off(setting))
		return NO;
	/* what does not exist is neither on nor a protection that was chosen */
	return found.may_exist ? YES : NOT_KNOWN;
}

/* The highest value that the range of an entry's symbol allows; NULL: not known. */
static const char *highest_of(const struct evidence *evidence, const struct entry *entry)
{
	if (!evidence->config || entry->maximum == SYMBOL_NONE)
		return NULL;
	return evidence->config->values[entry->maximum].text;
}

static enum truth symbol_holds(const struct evidence *evidence, const struct entry *entry,
			       const struct setting *setting)
{
	const char *value, *highest = highest_of(evidence, entry);

	if (!evidence->config)
		return NOT_KNOWN;
	value = evidence->config->values[setting->name].text;
	if (!value)
		return absent_symbol_holds(evidence, setting, highest);
	return setting_held(setting, value, highest) ? YES : NO;
}

static enum truth parameter_holds(const struct evidence *evidence, const struct setting *setting)
{
	const struct cmdline *cmdline = evidence->cmdline;
	const struct given *given;
	char *why = NULL;
	bool works;

	if (!cmdline)
		return NOT_KNOWN;
	given = &cmdline->given[setting->name];
	if (!given->present)
		return cmdline->complete ? NO : NOT_KNOWN;
	works = parameter_works(evidence, setting->name, &why);
	free(why);
	return works && setting_held(setting, given->value, NULL) ? YES : NO;
}

static enum truth sysctl_holds(const struct evidence *evidence, const struct entry *entry,
			       const struct setting *setting)
{
	const struct sysctls *sysctls = evidence->sysctls;
	const char *highest = highest_of(evidence, entry);
	const struct sysctl_value *value;

	if (!sysctls || (setting->match == MATCH_HIGHEST && !highest))
		return NOT_KNOWN;
	value = &sysctls->values[setting->name];
	if (value->state == SYSCTL_READ)
		return setting_held(setting, value->value, highest) ? YES : NO;
	return value->state == SYSCTL_ABSENT && sysctls->complete ? NO : NOT_KNOWN;
}

enum truth holds(const struct evidence *evidence, const struct entry *entry,
		 const struct setting *setting)
{
	if (setting->kind == KIND_KCONFIG)
		return symbol_holds(evidence, entry, setting);
	if (setting->kind == KIND_CMDLINE)
		return parameter_holds(evidence, setting);
	return sysctl_holds(evidence, entry, setting);
}

static const struct setting *first(const struct evidence *evidence, const struct entry *entry,
				   const struct settings *settings, enum truth truth)
{
	for (size_t i = 0; i < settings->size; i++)
		if (holds(evidence, entry, &settings->at[i]) == truth)
			return &settings->at[i];
	return NULL;
}

const struct setting *first_held(const struct evidence *evidence, const struct entry *entry,
				 const struct settings *settings)
{
	return first(evidence, entry, settings, YES);
}

const struct setting *first_missing(const struct evidence *evidence, const struct entry *entry,
				    const struct settings *settings)
{
	return first(evidence, entry, settings, NO);
}

/* ---- Which kernels an entry speaks of ---- */

bool concerns(const struct entry *entry, const struct evidence *evidence)
{
	unsigned int architecture = evidence->kernel.architecture;

	return !architecture || entry->architectures & architecture;
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
		if (setting->kind == KIND_KCONFIG && symbol_holds(evidence, &none, setting) == NO) {
			*why = text_printf("it needs %s", setting->text);
			return false;
		}
	}
	return true;
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
	return other;
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
		char *more = ranges_text(&entry->names[i].kernels), *both;

		both = text_printf("%s; %s %s", ranges,
				   entry->setting.kind == KIND_KCONFIG
					   ? catalogue.symbols[entry->names[i].name]
					   : "under another name",
				   more);
		free(ranges);
		free(more);
		ranges = both;
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
