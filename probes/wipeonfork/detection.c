/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The detection that BoringSSL describes (crypto/rand/fork_detect.cc): advice that
 * does not exist must be refused, else advice is merely ignored; then the advice
 * must be taken; and in the end only the look at a child's memory decides.
 */
#include <errno.h>
#include <string.h>

#include "wipeonfork.h"

static const char group[] = "detection";

static const char *suspect(int error)
{
	switch (error) {
	case EINVAL:
		return "Linux before 4.14, or a filter";
	case ENOSYS:
		return "CONFIG_ADVISE_SYSCALLS=n, or a filter";
	default:
		return "a filter";
	}
}

/* madvise(2) on a fresh page; what does not know the advice at all has no case here. */
static unsigned char *page_with_advice(void)
{
	unsigned char *page = new_pages(1);

	child_stage("madvise");
	if (madvise(page, page_size(), MADV_WIPEONFORK))
		conclude(VERDICT_NA, "madvise(MADV_WIPEONFORK): %s: %s", strerrorname_np(errno),
			 suspect(errno));
	return page;
}

static void madvise_wipeonfork(void)
{
	page_with_advice();
}

/* Only means something where other advice is taken. */
static void minus1_check(void)
{
	unsigned char *page = page_with_advice();

	if (!madvise(page, page_size(), -1))
		conclude(VERDICT_FAIL, "madvise(-1) returns 0, not EINVAL: any advice is accepted");
	if (errno != EINVAL)
		conclude(VERDICT_OK, "madvise(-1) fails with %s, which a filter must have done",
			 strerrorname_np(errno));
}

static void vmflags(void)
{
	unsigned char *plain = new_pages(1);
	unsigned char *page = page_with_advice();
	char flags[256];

	smaps_read(page, "VmFlags", flags, sizeof(flags));
	if (!strstr(flags, " wf"))
		conclude(VERDICT_FAIL, "no \"wf\" in /proc/self/smaps: VmFlags:%s", flags);
	smaps_read(plain, "VmFlags", flags, sizeof(flags));
	if (strstr(flags, " wf"))
		conclude(VERDICT_UNKNOWN, "a page without the advice has \"wf\", too");
}

static void functional(void)
{
	expect_wiped(&by_fork, page_with_advice(), page_size());
}

static void add_outcome(struct result *result)
{
	static const char *const outcomes[] = {
		[VERDICT_OK] = "wiped",
		[VERDICT_NA] = "refused",
		[VERDICT_FAIL] = "accepted but not wiped",
		[VERDICT_UNKNOWN] = "inconclusive",
	};

	result_outcome(result, "%s", outcomes[result->verdict]);
}

struct result *detect(struct report *report)
{
	static const struct test_case preliminary[] = {
		{"minus1-check", minus1_check},
		{"madvise-wipeonfork", madvise_wipeonfork},
		{"vmflags", vmflags},
	};
	static const struct test_case decisive = {"functional", functional};
	struct result *result;

	for (size_t i = 0; i < sizeof(preliminary) / sizeof(*preliminary); i++)
		case_run(report, group, &preliminary[i]);
	result = case_run(report, group, &decisive);
	add_outcome(result);
	return result;
}
