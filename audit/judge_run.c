/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What sysctls make of an option, and entries that are sysctls.
 */
#include <stdlib.h>
#include <string.h>

#include "judging.h"
#include "text.h"

static const struct sysctl_value *value_of(const struct evidence *evidence,
					   const struct setting *setting)
{
	static const struct sysctl_value none = {.state = SYSCTL_ABSENT};

	if (!evidence->sysctls || setting->kind != KIND_SYSCTL)
		return &none;
	return &evidence->sysctls->values[setting->name];
}

static const char *name_of(const struct setting *setting)
{
	return catalogue.sysctls[setting->name];
}

static char *place(const struct evidence *evidence, const struct setting *setting)
{
	const struct sysctls *sysctls = evidence->sysctls;
	unsigned int line = sysctls->values[setting->name].line;

	if (line)
		return text_printf("%s:%u", sysctls->source, line);
	return text_printf("%s", sysctls->source);
}

/* The first sysctl among them that holds. */
static const struct setting *held_at_run(const struct evidence *evidence, const struct entry *entry,
					 const struct settings *settings)
{
	return first_held_of(evidence, entry, settings, KIND_SYSCTL);
}

/* The first sysctl among them that is in this state. */
static const struct setting *first_in(const struct evidence *evidence,
				      const struct settings *settings, enum sysctl_state state)
{
	for (size_t i = 0; i < settings->size; i++)
		if (settings->at[i].kind == KIND_SYSCTL &&
		    value_of(evidence, &settings->at[i])->state == state)
			return &settings->at[i];
	return NULL;
}

static bool is_met(const struct finding *finding)
{
	return finding && (finding->verdict == VERDICT_OK || finding->verdict == VERDICT_STRONGER);
}

/* ---- Options ---- */

/* "kernel.dmesg_restrict = 1" */
static void find_value(const struct evidence *evidence, struct answer *answer, enum verdict verdict,
		       const char *before_it, const struct setting *setting, const char *after_it)
{
	const struct sysctl_value *value = value_of(evidence, setting);

	find(answer, STAGE_RUN, verdict, value->value, place(evidence, setting), "%s%s = %s%s",
	     before_it, name_of(setting), value->value, after_it);
}

static void find_unreadable(const struct evidence *evidence, struct answer *answer,
			    const struct setting *setting, const struct finding *earlier)
{
	find(answer, STAGE_RUN, VERDICT_UNKNOWN, NULL, place(evidence, setting), "%s: %s%s%s",
	     name_of(setting), value_of(evidence, setting)->value, earlier ? "; without it: " : "",
	     earlier ? verdict_word(earlier->verdict) : "");
}

/* The sysctl has the last word: the option is only its default. */
static void judge_twins(const struct evidence *evidence, struct answer *answer,
			const struct finding *earlier)
{
	const struct entry *entry = answer->entry;
	const struct setting *held = held_at_run(evidence, entry, &entry->run);
	const struct setting *read = first_in(evidence, &entry->run, SYSCTL_READ);
	const struct setting *unread = first_in(evidence, &entry->run, SYSCTL_UNREADABLE);

	if (held)
		find_value(evidence, answer, VERDICT_OK, "", held, "");
	else if (read && held_at_run(evidence, entry, &entry->stronger))
		find_value(evidence, answer, VERDICT_STRONGER, "", read, "");
	else if (read && held_at_run(evidence, entry, &entry->weaker))
		find_value(evidence, answer, VERDICT_WEAKER, "only ", read, "");
	else if (read)
		find_value(evidence, answer, VERDICT_FAIL, is_met(earlier) ? "undone by " : "",
			   read, "");
	else if (unread)
		find_unreadable(evidence, answer, unread, earlier);
}

static void judge_instead(const struct evidence *evidence, struct answer *answer,
			  const struct finding *earlier)
{
	const struct entry *entry = answer->entry;
	const struct setting *held = held_at_run(evidence, entry, &entry->instead);
	const struct setting *unread = first_in(evidence, &entry->instead, SYSCTL_UNREADABLE);
	const struct setting *stronger = held_at_run(evidence, entry, &entry->stronger);
	const struct setting *weaker = held_at_run(evidence, entry, &entry->weaker);

	if (!earlier || (earlier->verdict != VERDICT_FAIL && earlier->verdict != VERDICT_WEAKER))
		return;
	if (held)
		find_value(evidence, answer, VERDICT_OK, "", held, " does as well");
	else if (stronger)
		find_value(evidence, answer, VERDICT_STRONGER, "", stronger, "");
	else if (weaker && earlier->verdict == VERDICT_FAIL)
		find_value(evidence, answer, VERDICT_WEAKER, "only ", weaker, "");
	else if (unread)
		find_unreadable(evidence, answer, unread, earlier);
}

static void judge_option(const struct evidence *evidence, struct answer *answer)
{
	const struct finding *earlier = before(answer, STAGE_RUN);

	if (!evidence->sysctls || !concerns(answer->entry, evidence) ||
	    (earlier && earlier->verdict == VERDICT_NA))
		return;
	judge_twins(evidence, answer, earlier);
	if (!answer->stages[STAGE_RUN].judged)
		judge_instead(evidence, answer, earlier);
}

/* ---- Entries that are sysctls ---- */

static void by_value(const struct evidence *evidence, struct answer *answer,
		     const struct sysctl_value *value)
{
	const struct entry *entry = answer->entry;
	const struct setting *weaker = first_held(evidence, entry, &entry->weaker);
	char *where = place(evidence, &entry->setting);

	if (setting_held(&entry->setting, value->value, NULL))
		find(answer, STAGE_RUN, VERDICT_OK, value->value, where, "%s", "");
	else if (weaker)
		find(answer, STAGE_RUN, VERDICT_WEAKER, value->value, where, "only %s",
		     weaker->text);
	else
		find(answer, STAGE_RUN, VERDICT_FAIL, value->value, where, "%s", "");
}

static void by_absence(const struct evidence *evidence, struct answer *answer,
		       const struct sysctl_value *value)
{
	if (value->state == SYSCTL_UNREADABLE)
		find(answer, STAGE_RUN, VERDICT_UNKNOWN, NULL,
		     place(evidence, &answer->entry->setting), "%s", value->value);
	else if (evidence->sysctls->complete)
		find(answer, STAGE_RUN, VERDICT_UNKNOWN, NULL, NULL,
		     "not in %s%s: was it read without root?", evidence->sysctls->source,
		     evidence->kernel.version.size ? ", though this kernel has it" : "");
	else
		find(answer, STAGE_RUN, VERDICT_UNKNOWN, NULL, NULL,
		     "not in %s, which is only a part of /proc/sys", evidence->sysctls->source);
}

static void judge_sysctl(const struct evidence *evidence, struct answer *answer)
{
	const struct entry *entry = answer->entry;
	const struct version *version = &evidence->kernel.version;
	const struct sysctl_value *value = value_of(evidence, &entry->setting);
	const struct setting *stronger, *needs;

	if (!concerns(entry, evidence))
		find_other_architecture(answer, STAGE_RUN);
	else if ((stronger = first_held(evidence, entry, &entry->stronger)))
		find(answer, STAGE_RUN, VERDICT_STRONGER,
		     value->state == SYSCTL_READ ? value->value : NULL,
		     evidence->sysctls ? place(evidence, &entry->setting) : NULL, "%s",
		     stronger->text);
	else if (value->state == SYSCTL_READ)
		by_value(evidence, answer, value);
	else if (!exists(entry, version))
		find_not_in_version(answer, STAGE_RUN, evidence);
	else if ((needs = first_missing(evidence, entry, &entry->prerequisites)))
		find(answer, STAGE_RUN, VERDICT_NA, NULL, NULL, "it needs %s", needs->text);
	else if (evidence->sysctls)
		by_absence(evidence, answer, value);
}

void judge_run(const struct evidence *evidence, struct answer *answer)
{
	if (answer->entry->setting.kind == KIND_KCONFIG)
		judge_option(evidence, answer);
	else if (answer->entry->setting.kind == KIND_SYSCTL)
		judge_sysctl(evidence, answer);
}
