/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Stage by stage, entry by entry. What each stage does is in a file of its own.
 */
#include "judge.h"

#include <stdlib.h>

#include "judging.h"
#include "text.h"

const char *const stage_words[STAGE_COUNT] = {"build", "boot", "run"};

/* No stage could say anything, because what it looks at is not there. */
static void leave_unknown(struct answer *answer, bool running)
{
	static const char *const missing[KIND_COUNT] = {
		[KIND_KCONFIG] = "no config could be read",
		[KIND_CMDLINE] = "the command line is not known (--cmdline FILE)",
		[KIND_SYSCTL] = "the sysctls are not known (--sysctl FILE)",
	};
	static const char *const unread[KIND_COUNT] = {
		[KIND_KCONFIG] = "no config could be read",
		[KIND_CMDLINE] = "/proc/cmdline could not be read",
		[KIND_SYSCTL] = "/proc/sys could not be read",
	};
	enum kind kind = answer->entry->setting.kind;

	answer->verdict = VERDICT_UNKNOWN;
	answer->unchecked = !running;
	answer->reason = text_printf("%s", running ? unread[kind] : missing[kind]);
}

static void conclude(struct answer *answer, bool running)
{
	const struct finding *last = before(answer, STAGE_COUNT);

	if (!answer->where)
		answer->where = text_printf("%s", "");
	if (!last) {
		leave_unknown(answer, running);
		return;
	}
	answer->verdict = last->verdict;
	answer->reason = text_printf("%s", last->reason);
}

struct answer *judge(const struct evidence *evidence)
{
	struct answer *answers = text_memory(calloc(catalogue.entry_count + 1, sizeof(*answers)));

	for (size_t i = 0; i < catalogue.entry_count; i++) {
		answers[i].entry = &catalogue.entries[i];
		judge_build(evidence, &answers[i]);
		judge_boot(evidence, &answers[i]);
		judge_run(evidence, &answers[i]);
		conclude(&answers[i], evidence->running);
	}
	return answers;
}

void answers_free(struct answer *answers)
{
	for (size_t i = 0; answers && i < catalogue.entry_count; i++) {
		for (enum stage stage = 0; stage < STAGE_COUNT; stage++)
			free(answers[i].stages[stage].reason);
		free(answers[i].reason);
		free(answers[i].got);
		free(answers[i].where);
	}
	free(answers);
}
