/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What of an audit is shown, and in which order.
 */
#include <stdlib.h>

#include "output.h"
#include "text.h"

const char *const kind_words[KIND_COUNT] = {"kconfig", "cmdline", "sysctl"};

struct sorted {
	const struct audit *audit;
	enum order order;
};

static int by_number(size_t one, size_t other)
{
	return (one > other) - (one < other);
}

/* What has no line in the config comes behind what has. */
static int by_line(const struct answer *one, const struct answer *other)
{
	return by_number(one->line - 1u, other->line - 1u);
}

static int compare(const void *a, const void *b, void *context)
{
	const struct sorted *sorted = context;
	const size_t *one = a, *other = b;
	const struct answer *answer = &sorted->audit->answers[*one];
	const struct answer *next = &sorted->audit->answers[*other];
	int order = 0;

	if (sorted->order == ORDER_MENU)
		order = by_line(answer, next);
	else if (sorted->order == ORDER_LEVEL)
		order = by_number(answer->entry->level, next->entry->level);
	return order ? order : by_number(*one, *other);
}

size_t *shown(const struct audit *audit, const struct view *view, size_t *count)
{
	const struct standing *standing = &audit->levels[audit->level];
	struct sorted sorted = {audit, view->order};
	size_t *list = text_memory(malloc((standing->asked_count + 1) * sizeof(*list)));

	*count = 0;
	for (size_t i = 0; i < standing->asked_count; i++) {
		size_t index = standing->asked[i];

		if (!view->only || view->only & 1U << audit->answers[index].verdict)
			list[(*count)++] = index;
	}
	if (view->order != ORDER_CATALOGUE)
		qsort_r(list, *count, sizeof(*list), compare, &sorted);
	return list;
}
