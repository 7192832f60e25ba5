/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a level asks of a kernel, by the rules of wanted() in gen/levels.py: one entry
 * for each thing, the one at the highest level that suits the kernel; and, so that a
 * report can say why not, the one that comes nearest where none does.
 */
#include "judge.h"

#include <stdlib.h>
#include <string.h>

#include "judging.h"
#include "text.h"

static bool version_suits(const struct entry *entry, const struct evidence *evidence)
{
	const struct version *version = &evidence->kernel.version;

	return exists(entry, version) || version_in(version, &entry->always_on);
}

/*
 * Architecture, version and compiler suit, in order of weight. An entry for other
 * versions of which the config has a line, as a vendor's may, suits as well, but less.
 */
enum { SUITS = 1 | 2 | 8 };

static unsigned int nearness(const struct entry *entry, const struct evidence *evidence)
{
	unsigned int near = concerns(entry, evidence) ? 8 : 0;

	if (version_suits(entry, evidence))
		near |= 4 | 2;
	else if (name_with_line(entry, evidence))
		near |= 2;
	return near | compiler_will_do(entry, &evidence->kernel.compiler);
}

/* Of two entries of one group, is this the better one? */
static bool is_better(const struct entry *entry, const struct entry *than,
		      const struct evidence *evidence)
{
	unsigned int near = nearness(entry, evidence), other = nearness(than, evidence);
	bool both_suit = (near & SUITS) == SUITS && (other & SUITS) == SUITS;

	if (both_suit && near == other)
		return entry->level > than->level;
	return near > other;
}

static bool is_open(const struct answer *answer)
{
	return answer->verdict == VERDICT_FAIL || answer->verdict == VERDICT_WEAKER ||
	       (answer->verdict == VERDICT_UNKNOWN && !answer->unchecked);
}

static bool same(const struct setting *a, const struct setting *b)
{
	return a->kind == b->kind && a->name == b->name && a->match == b->match &&
	       strcmp(a->value, b->value) == 0;
}

/* Would another missing setting, once it is there, do for this one as well? */
static bool comes_along(const struct standing *standing, const struct answer *answers,
			const struct answer *answer)
{
	const struct settings *stronger = &answer->entry->stronger;

	for (size_t s = 0; s < stronger->size; s++)
		for (size_t i = 0; i < standing->asked_count; i++) {
			const struct answer *other = &answers[standing->asked[i]];

			if (is_open(other) && same(&stronger->at[s], &other->entry->setting))
				return true;
		}
	return false;
}

static void choose(struct standing *standing, enum level level, const struct evidence *evidence)
{
	const struct entry **best =
		text_memory(calloc(catalogue.group_count + 1, sizeof(const struct entry *)));

	for (size_t i = 0; i < catalogue.entry_count; i++) {
		const struct entry *entry = &catalogue.entries[i], **old = &best[entry->group];

		if (entry->level <= level && (!*old || is_better(entry, *old, evidence)))
			*old = entry;
	}
	for (size_t i = 0; i < catalogue.entry_count; i++)
		if (best[catalogue.entries[i].group] == &catalogue.entries[i])
			standing->asked[standing->asked_count++] = i;
	free(best);
}

static void count(struct standing *standing, const struct answer *answers)
{
	standing->met = true;
	for (size_t i = 0; i < standing->asked_count; i++) {
		const struct answer *answer = &answers[standing->asked[i]];

		standing->counts[answer->verdict]++;
		standing->unchecked += answer->verdict == VERDICT_UNKNOWN && answer->unchecked;
		standing->failed = standing->failed || answer->verdict == VERDICT_FAIL ||
				   answer->verdict == VERDICT_WEAKER;
		standing->met = standing->met && !is_open(answer);
		if (is_open(answer) && !comes_along(standing, answers, answer))
			standing->missing[standing->missing_count++] = standing->asked[i];
	}
}

struct standing standing_of(enum level level, const struct answer *answers,
			    const struct evidence *evidence)
{
	struct standing standing = {
		.asked = text_memory(calloc(catalogue.group_count + 1, sizeof(size_t))),
		.missing = text_memory(calloc(catalogue.group_count + 1, sizeof(size_t))),
	};

	choose(&standing, level, evidence);
	count(&standing, answers);
	return standing;
}

void standing_free(struct standing *standing)
{
	free(standing->asked);
	free(standing->missing);
	*standing = (struct standing){0};
}
