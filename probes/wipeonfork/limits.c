/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the advice does something else than one might think.
 */
#include <errno.h>
#include <string.h>

#include "wipeonfork.h"

/* An error, and yet the advice holds for what is mapped, on both sides of the hole. */
static void hole(void)
{
	const size_t size = page_size();
	unsigned char *memory = new_pages(3);
	unsigned char *last = memory + 2 * size;

	fill(last, size);
	child_stage("munmap");
	if (munmap(memory + size, size))
		conclude(VERDICT_UNKNOWN, "munmap: %s", strerrorname_np(errno));
	child_stage("madvise");
	if (!madvise(memory, 3 * size, MADV_WIPEONFORK))
		conclude(VERDICT_FAIL, "madvise over a hole returns 0, not ENOMEM");
	if (errno != ENOMEM)
		conclude(VERDICT_FAIL, "madvise over a hole: %s, not ENOMEM",
			 strerrorname_np(errno));
	expect_wiped(&by_fork, memory, size);
	expect_wiped(&by_fork, last, size);
}

/* MADV_DONTNEED zeroes the page without any fork: a false alarm for who checks it. */
static void dontneed(void)
{
	unsigned char *page = new_wiped_page();
	enum sight seen;

	advise(page, page_size(), MADV_DONTNEED);
	seen = look(page, page_size());
	if (seen != SIGHT_ZEROS)
		conclude(VERDICT_FAIL, "after MADV_DONTNEED there are %s, not zeros",
			 sight_words(seen));
	fill(page, page_size());
	expect_wiped(&by_fork, page, page_size());
}

static const struct test_case cases[] = {
	{"hole", hole},
	{"dontneed", dontneed},
};

const struct case_group limits_group = {
	.name = "limits",
	.cases = cases,
	.count = sizeof(cases) / sizeof(*cases),
};
