/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What waivers do to answers, and what is to be told of them afterwards.
 */
#include "waivers.h"

#include <stdlib.h>

#include "text.h"
#include "waivers_match.h"

static bool can_be_waived(const struct answer *answer)
{
	return answer->verdict == VERDICT_FAIL || answer->verdict == VERDICT_WEAKER ||
	       answer->verdict == VERDICT_UNKNOWN;
}

/* All formats show the reason. */
static char *reason_of(const struct waiver *waiver, const struct answer *answer)
{
	return text_printf("%s (%s, until %s); without it %s%s%s", waiver->reason, waiver->owner,
			   waiver->expiry, verdict_word(answer->verdict),
			   *answer->reason ? ": " : "", answer->reason);
}

static void apply(struct waiver *waiver, struct answer *answer)
{
	char *reason;

	waiver->used = true;
	/* It was not asked about, so that there is nothing to waive yet. */
	if (answer->unchecked)
		return;
	reason = reason_of(waiver, answer);
	free(answer->reason);
	answer->reason = reason;
	answer->waived = answer->verdict;
	answer->verdict = VERDICT_WAIVED;
	answer->waiver = waiver;
}

void waivers_apply(struct waivers *waivers, struct answer *answers)
{
	for (size_t i = 0; i < waivers->size; i++) {
		struct waiver *waiver = &waivers->at[i];

		for (size_t n = 0; n < catalogue.entry_count && !waiver->expired; n++) {
			if (waiver_names(waiver->setting, answers[n].entry) &&
			    can_be_waived(&answers[n]))
				apply(waiver, &answers[n]);
		}
	}
}

char *waivers_complaint(const struct waivers *waivers, size_t *next)
{
	while (*next < waivers->size) {
		const struct waiver *waiver = &waivers->at[(*next)++];

		if (waiver->expired)
			return text_printf("%s:%u: the waiver of %s by %s ended on %s and does "
					   "nothing; give it a new date or remove it",
					   waivers->path, waiver->line, waiver->setting,
					   waiver->owner, waiver->expiry);
		if (!waiver->used)
			return text_printf("%s:%u: nothing here needs the waiver of %s by %s; "
					   "remove it if it is so everywhere",
					   waivers->path, waiver->line, waiver->setting,
					   waiver->owner);
	}
	return NULL;
}

void waivers_free(struct waivers *waivers)
{
	if (!waivers)
		return;
	for (size_t i = 0; i < waivers->size; i++) {
		free(waivers->at[i].setting);
		free(waivers->at[i].reason);
		free(waivers->at[i].owner);
		free(waivers->at[i].expiry);
	}
	free(waivers->at);
	free(waivers);
}
