/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of an option, boot parameter or sysctl, by what is known of a kernel.
 */
#include <stdlib.h>
#include <string.h>

#include "judging.h"

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

const struct setting *first_held_of(const struct evidence *evidence, const struct entry *entry,
				    const struct settings *settings, enum kind kind)
{
	for (size_t i = 0; i < settings->size; i++)
		if (settings->at[i].kind == kind && holds(evidence, entry, &settings->at[i]) == YES)
			return &settings->at[i];
	return NULL;
}
