/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the command line makes of an option, and entries that are boot parameters.
 */
#include <stdlib.h>
#include <string.h>

#include "judging.h"
#include "text.h"

static const struct given *given_of(const struct evidence *evidence, const struct setting *setting)
{
	static const struct given none;

	if (!evidence->cmdline || setting->kind != KIND_CMDLINE)
		return &none;
	return &evidence->cmdline->given[setting->name];
}

static char *place(const struct evidence *evidence)
{
	return text_printf("%s", evidence->cmdline->source);
}

/* The first that is given and held, and that this kernel heeds. */
static const struct setting *held_at_boot(const struct evidence *evidence,
					  const struct entry *entry,
					  const struct settings *settings)
{
	return first_held_of(evidence, entry, settings, KIND_CMDLINE);
}

/* ---- Options ---- */

/* A twin that is given with another value than the one that is wanted. */
static const struct setting *contradicting(const struct evidence *evidence,
					   const struct entry *entry)
{
	for (size_t i = 0; i < entry->boot.size; i++) {
		const struct setting *twin = &entry->boot.at[i];
		char *why = NULL;

		if (!given_of(evidence, twin)->present ||
		    catalogue.parameters[twin->name].repeats == REPEATS_HIGHEST)
			continue;
		if (parameter_works(evidence, twin->name, &why))
			return twin;
		free(why);
	}
	return NULL;
}

/* A parameter that is given and would do, if only this kernel knew it. */
static bool find_without_effect(const struct evidence *evidence, struct answer *answer,
				const struct settings *settings, const struct finding *built)
{
	for (size_t i = 0; i < settings->size; i++) {
		const struct setting *setting = &settings->at[i];
		const struct given *given = given_of(evidence, setting);
		char *why = NULL;

		if (!given->present || !setting_held(setting, given->value, NULL) ||
		    parameter_works(evidence, setting->name, &why))
			continue;
		find(answer, STAGE_BOOT, built->verdict, NULL, NULL, "%s%s%s has no effect: %s",
		     built->reason, *built->reason ? "; " : "", given->word, why);
		free(why);
		return true;
	}
	return false;
}

/* What the command line changes, or could: found, or not judged. */
static void judge_twins(const struct evidence *evidence, struct answer *answer,
			const struct finding *built)
{
	const struct entry *entry = answer->entry;
	const struct setting *held = held_at_boot(evidence, entry, &entry->boot), *other;
	const struct given *given;

	if (held) {
		given = given_of(evidence, held);
		find(answer, STAGE_BOOT, VERDICT_OK, given->value, place(evidence),
		     "%s on the command line", given->word);
		return;
	}
	other = contradicting(evidence, entry);
	if (!other)
		return;
	given = given_of(evidence, other);
	if (held_at_boot(evidence, entry, &entry->stronger))
		find(answer, STAGE_BOOT, VERDICT_STRONGER, given->value, place(evidence),
		     "%s on the command line", given->word);
	else if (held_at_boot(evidence, entry, &entry->weaker))
		find(answer, STAGE_BOOT, VERDICT_WEAKER, given->value, place(evidence),
		     "only %s, on the command line", given->word);
	else if (built && built->verdict == VERDICT_STRONGER)
		find(answer, STAGE_BOOT, VERDICT_STRONGER, NULL, NULL, "%s", built->reason);
	else
		find(answer, STAGE_BOOT, VERDICT_FAIL, given->value, place(evidence),
		     "%s %s on the command line",
		     built && built->verdict == VERDICT_OK ? "undone by" : "not with", given->word);
}

/* What is stronger by another option does not need the protection that is undone. */
static bool can_be_undone(const struct finding *built)
{
	return !built || built->verdict == VERDICT_OK || built->verdict == VERDICT_WEAKER ||
	       built->verdict == VERDICT_UNKNOWN;
}

/* No parameter decides: another may do as well, or the build's verdict stands. */
static void keep_or_replace(const struct evidence *evidence, struct answer *answer,
			    const struct finding *built)
{
	const struct entry *entry = answer->entry;
	const struct setting *instead = held_at_boot(evidence, entry, &entry->instead);
	const struct setting *stronger = held_at_boot(evidence, entry, &entry->stronger);
	const struct setting *weaker = held_at_boot(evidence, entry, &entry->weaker);
	bool open = built->verdict == VERDICT_FAIL || built->verdict == VERDICT_WEAKER;

	if (instead && open)
		find(answer, STAGE_BOOT, VERDICT_OK, answer->got, place(evidence),
		     "%s on the command line does as well", given_of(evidence, instead)->word);
	else if (stronger && open)
		find(answer, STAGE_BOOT, VERDICT_STRONGER, answer->got, place(evidence),
		     "%s on the command line", given_of(evidence, stronger)->word);
	else if (weaker && built->verdict == VERDICT_FAIL)
		find(answer, STAGE_BOOT, VERDICT_WEAKER, answer->got, place(evidence),
		     "only %s, on the command line", given_of(evidence, weaker)->word);
	else if (!find_without_effect(evidence, answer, &entry->boot, built) &&
		 !find_without_effect(evidence, answer, &entry->instead, built) &&
		 evidence->cmdline->complete)
		find(answer, STAGE_BOOT, built->verdict, NULL, NULL, "%s", built->reason);
}

static void judge_others(const struct evidence *evidence, struct answer *answer,
			 const struct finding *built)
{
	const struct entry *entry = answer->entry;
	const struct setting *undone = held_at_boot(evidence, entry, &entry->undone_by);

	if (undone && can_be_undone(built))
		find(answer, STAGE_BOOT, VERDICT_FAIL, answer->got, place(evidence),
		     "undone by %s on the command line", given_of(evidence, undone)->word);
	else if (built)
		keep_or_replace(evidence, answer, built);
}

static bool has_parameter(const struct settings *settings)
{
	for (size_t i = 0; i < settings->size; i++)
		if (settings->at[i].kind == KIND_CMDLINE)
			return true;
	return false;
}

static bool concerns_boot(const struct entry *entry)
{
	return entry->boot.size || entry->undone_by.size || has_parameter(&entry->instead) ||
	       has_parameter(&entry->stronger) || has_parameter(&entry->weaker);
}

static void judge_option(const struct evidence *evidence, struct answer *answer)
{
	const struct entry *entry = answer->entry;
	const struct finding *built = before(answer, STAGE_BOOT);

	if (!evidence->cmdline || !concerns_boot(entry) || (built && built->verdict == VERDICT_NA))
		return;
	judge_twins(evidence, answer, built);
	if (!answer->stages[STAGE_BOOT].judged)
		judge_others(evidence, answer, built);
}

/* ---- Entries that are boot parameters ---- */

static void by_value(const struct evidence *evidence, struct answer *answer)
{
	const struct entry *entry = answer->entry;
	const struct given *given = given_of(evidence, &entry->setting);
	const struct setting *weaker = first_held(evidence, entry, &entry->weaker);
	char *why = NULL;

	if (given->present && !parameter_works(evidence, entry->setting.name, &why))
		find(answer, STAGE_BOOT, VERDICT_FAIL, given->value, place(evidence),
		     "%s has no effect: %s", given->word, why);
	else if (given->present && setting_held(&entry->setting, given->value, NULL))
		find(answer, STAGE_BOOT, VERDICT_OK, given->value, place(evidence), "%s", "");
	else if (weaker)
		find(answer, STAGE_BOOT, VERDICT_WEAKER, given->value, place(evidence), "only %s",
		     weaker->text);
	else if (given->present)
		find(answer, STAGE_BOOT, VERDICT_FAIL, given->value, place(evidence), "%s",
		     given->word);
	else if (given->ignored)
		find(answer, STAGE_BOOT, VERDICT_FAIL, NULL, place(evidence),
		     "the kernel does not understand %s", given->ignored);
	else if (evidence->cmdline->complete)
		find(answer, STAGE_BOOT, VERDICT_FAIL, NULL, place(evidence),
		     "not on the command line");
	free(why);
}

static void judge_parameter(const struct evidence *evidence, struct answer *answer)
{
	const struct entry *entry = answer->entry;
	const struct version *version = &evidence->kernel.version;
	const struct setting *stronger, *needs;

	if (!concerns(entry, evidence))
		find_other_architecture(answer, STAGE_BOOT);
	else if (version->size && version_in(version, &entry->always_on))
		find(answer, STAGE_BOOT, VERDICT_OK, NULL, NULL, "always so in this version");
	else if ((stronger = first_held(evidence, entry, &entry->stronger)))
		find(answer, STAGE_BOOT, VERDICT_STRONGER, NULL, NULL, "%s", stronger->text);
	else if (!exists(entry, version))
		find_not_in_version(answer, STAGE_BOOT, evidence);
	else if ((needs = first_missing(evidence, entry, &entry->prerequisites)))
		find(answer, STAGE_BOOT, VERDICT_NA, NULL, NULL, "it needs %s", needs->text);
	else if (evidence->cmdline)
		by_value(evidence, answer);
}

void judge_boot(const struct evidence *evidence, struct answer *answer)
{
	if (answer->entry->setting.kind == KIND_KCONFIG)
		judge_option(evidence, answer);
	else if (answer->entry->setting.kind == KIND_CMDLINE)
		judge_parameter(evidence, answer);
}
