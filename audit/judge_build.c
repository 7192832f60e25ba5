/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a config says of an option.
 *
 * A line in the config is a fact, whatever the catalogue says of the kernel's version:
 * vendors bring options into older kernels. A symbol without a line is off, does not
 * exist, or was not written down; which of these decides.
 */
#include <stdlib.h>
#include <string.h>

#include "judging.h"
#include "text.h"

static char *place(const struct evidence *evidence, unsigned int line)
{
	return text_printf("%s:%u", evidence->config_path, line);
}

static const char *symbol(size_t name)
{
	return catalogue.symbols[name];
}

/* Says that another name, or a version that the entry does not speak of, was found. */
static char *naming(const struct entry *entry, const struct name *name,
		    const struct evidence *evidence)
{
	const struct version *version = &evidence->kernel.version;
	char text[VERSION_TEXT_SIZE];

	version_text(version, text);
	if (version->size && !version_in(version, &name->kernels))
		return text_printf("%s is in this config, though not in mainline's %s",
				   symbol(name->name), text);
	if (name->name != entry->setting.name)
		return text_printf("called %s in %s", symbol(name->name),
				   version->size ? text : "this version");
	return text_printf("%s", "");
}

/* The setting under the name that this kernel has for it. */
static struct setting renamed(const struct entry *entry, const struct name *name)
{
	struct setting setting = entry->setting;

	setting.name = name->name;
	return setting;
}

static bool is_nearly(const struct setting *setting, const char *value)
{
	return setting->match == MATCH_EXACT && strcmp(setting->value, "y") == 0 &&
	       strcmp(value, "m") == 0;
}

/* The first option among them that holds: boot and run time have stages of their own. */
static const struct setting *built_so(const struct evidence *evidence, const struct entry *entry,
				      const struct settings *settings)
{
	return first_held_of(evidence, entry, settings, KIND_KCONFIG);
}

static void by_line(const struct evidence *evidence, struct answer *answer, const struct name *name)
{
	const struct entry *entry = answer->entry;
	const struct value *value = &evidence->config->values[name->name];
	struct setting setting = renamed(entry, name);
	char *where = place(evidence, value->line), *naming_text;
	const struct setting *other;

	naming_text = naming(entry, name, evidence);
	if (holds(evidence, entry, &setting) == YES)
		find(answer, STAGE_BUILD, VERDICT_OK, value->text, where, "%s", naming_text);
	else if ((other = built_so(evidence, entry, &entry->stronger)))
		find(answer, STAGE_BUILD, VERDICT_STRONGER, value->text, where, "%s", other->text);
	else if (is_nearly(&setting, value->text))
		find(answer, STAGE_BUILD, VERDICT_WEAKER, value->text, where, "m, not built in");
	else if ((other = built_so(evidence, entry, &entry->weaker)))
		find(answer, STAGE_BUILD, VERDICT_WEAKER, value->text, where, "only %s",
		     other->text);
	else
		find(answer, STAGE_BUILD, VERDICT_FAIL, value->text, where, "%s", naming_text);
	free(naming_text);
}

static void find_compiler(const struct evidence *evidence, struct answer *answer)
{
	const struct entry *entry = answer->entry;
	char *have = compiler_text(&evidence->kernel.compiler), *needs = NULL;

	for (size_t i = 0; i < entry->compiler_count; i++) {
		struct compiler family = {entry->compilers[i].family, {{0}, 0}};
		char version[VERSION_TEXT_SIZE], *name = compiler_text(&family);

		version_text(&entry->compilers[i].version, version);
		needs = text_joined(needs, " or ",
				    text_printf("%s%s%s", name, *version ? " >= " : "", version));
		free(name);
	}
	find(answer, STAGE_BUILD, VERDICT_NA, NULL, NULL, "needs %s; this is %s", needs, have);
	free(needs);
	free(have);
}

/* "called GCC_PLUGIN_STACKLEAK in 6.1.192; ", or nothing. */
static char *other_name(const struct evidence *evidence, const struct entry *entry)
{
	const struct version *version = &evidence->kernel.version;
	char text[VERSION_TEXT_SIZE];

	version_text(version, text);
	for (size_t i = 0; version->size && i < entry->name_count; i++) {
		if (!version_in(version, &entry->names[i].kernels))
			continue;
		if (entry->names[i].name == entry->setting.name)
			break;
		return text_printf("called %s in %s; ", symbol(entry->names[i].name), text);
	}
	return text_printf("%s", "");
}

/* Of a bool that is not there people expect to read that it is off. */
static const char *off(const struct entry *entry)
{
	bool tristate = strlen(entry->setting.value) == 1 && strchr("ymn", *entry->setting.value);

	return entry->setting.match == MATCH_EXACT && tristate ? "n" : NULL;
}

/* One that is not held; with a line in the config, since others may be of other versions. */
static const struct setting *needed(const struct evidence *evidence, const struct entry *entry)
{
	for (size_t i = 0; i < entry->prerequisites.size; i++) {
		const struct setting *setting = &entry->prerequisites.at[i];

		if (setting->kind == KIND_KCONFIG && evidence->config->values[setting->name].text &&
		    holds(evidence, entry, setting) == NO)
			return setting;
	}
	return first_missing(evidence, entry, &entry->prerequisites);
}

static void find_missing(const struct evidence *evidence, struct answer *answer)
{
	const struct entry *entry = answer->entry;
	const struct setting *needs = needed(evidence, entry);
	const struct value *value = needs ? &evidence->config->values[needs->name] : NULL;
	char *name = other_name(evidence, entry);

	if (!needs)
		find(answer, STAGE_BUILD, VERDICT_FAIL, off(entry), NULL,
		     "%sit has no line: something it depends on is off", name);
	else if (!value->text)
		find(answer, STAGE_BUILD, VERDICT_FAIL, off(entry), NULL,
		     "%sneeds %s, which has no line either", name, needs->text);
	else
		find(answer, STAGE_BUILD, VERDICT_FAIL, off(entry), place(evidence, value->line),
		     "%sneeds %s, which is %s", name, needs->text, value->text);
	free(name);
}

/* A whole config of a known version does not mention it. */
static void by_absence(const struct evidence *evidence, struct answer *answer)
{
	const struct entry *entry = answer->entry;
	const struct setting *other;

	if (entry->setting.match == MATCH_EXACT && strcmp(entry->setting.value, "n") == 0)
		find(answer, STAGE_BUILD, VERDICT_OK, "n", NULL, "off, like what it depends on");
	else if (!compiler_will_do(entry, &evidence->kernel.compiler))
		find_compiler(evidence, answer);
	else if ((other = built_so(evidence, entry, &entry->weaker)))
		find(answer, STAGE_BUILD, VERDICT_WEAKER, off(entry), NULL, "only %s", other->text);
	else
		find_missing(evidence, answer);
}

static void without_line(const struct evidence *evidence, struct answer *answer)
{
	const struct entry *entry = answer->entry;
	const struct version *version = &evidence->kernel.version;
	const struct setting *other = built_so(evidence, entry, &entry->stronger);

	if (version->size && version_in(version, &entry->always_on)) {
		char *ranges = ranges_text(&entry->always_on);

		find(answer, STAGE_BUILD, VERDICT_OK, NULL, NULL,
		     "always so (%s), no symbol needed", ranges);
		free(ranges);
	} else if (other) {
		find(answer, STAGE_BUILD, VERDICT_STRONGER, NULL, NULL, "%s", other->text);
	} else if (!exists(entry, version)) {
		find_not_in_version(answer, STAGE_BUILD, evidence);
	} else if (!evidence->config->complete) {
		find(answer, STAGE_BUILD, VERDICT_UNKNOWN, NULL, NULL,
		     "not in this file, which is not a whole .config");
	} else if (!version->size) {
		find(answer, STAGE_BUILD, VERDICT_UNKNOWN, NULL, NULL,
		     "it has no line, and the config does not tell the kernel's version");
	} else {
		by_absence(evidence, answer);
	}
}

void judge_build(const struct evidence *evidence, struct answer *answer)
{
	const struct entry *entry = answer->entry;
	const struct name *name;

	if (entry->setting.kind != KIND_KCONFIG || !evidence->config)
		return;
	if (!concerns(entry, evidence)) {
		find_other_architecture(answer, STAGE_BUILD);
		return;
	}
	name = name_with_line(entry, evidence);
	if (!name) {
		without_line(evidence, answer);
		return;
	}
	answer->line = evidence->config->values[name->name].line;
	by_line(evidence, answer, name);
}
