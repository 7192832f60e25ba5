/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Children that must not find zeros: those that share their parent's memory, where
 * zeros would be the parent's loss, and where the advice was taken back. Each case
 * forks as well, as a control: where nothing ever is wiped, data that is kept
 * proves nothing.
 */
#include <errno.h>
#include <string.h>

#include "wipeonfork.h"

static int look_at_page(void *page)
{
	return (int)look(page, page_size());
}

static void control(unsigned char *page)
{
	enum sight seen = sight_of(&by_fork, look_at_page, page);

	if (seen != SIGHT_ZEROS)
		conclude(VERDICT_UNKNOWN, "control: fork: the child sees %s, not zeros",
			 sight_words(seen));
}

static void kept_when_shared(const struct way *way)
{
	unsigned char *page = new_wiped_page();

	control(page);
	expect_kept(way, page, page_size());
}

static void vfork_child(void)
{
	kept_when_shared(&by_vfork);
}

static void clone_vm(void)
{
	kept_when_shared(&by_clone_vm);
}

/* The way of posix_spawn(3). */
static void clone_vm_vfork(void)
{
	kept_when_shared(&by_clone_vm_vfork);
}

static void keeponfork(void)
{
	unsigned char *page = new_wiped_page();

	control(page);
	advise(page, page_size(), MADV_KEEPONFORK);
	expect_kept(&by_fork, page, page_size());
}

/* mincore(2) tells memory that is not mapped without a fault, which the kernel would log. */
static int look_if_mapped(void *page)
{
	unsigned char resident;

	child_stage("mincore");
	if (!mincore(page, page_size(), &resident))
		return (int)look(page, page_size());
	if (errno != ENOMEM)
		conclude(VERDICT_UNKNOWN, "mincore: %s", strerrorname_np(errno));
	return SIGHT_NOTHING;
}

/* MADV_DONTFORK wins: the child has no such page. */
static void dontfork(void)
{
	unsigned char *page = new_wiped_page();
	enum sight seen;

	control(page);
	advise(page, page_size(), MADV_DONTFORK);
	seen = sight_of(&by_fork, look_if_mapped, page);
	if (seen != SIGHT_NOTHING)
		conclude(VERDICT_FAIL, "the child sees %s, not %s", sight_words(seen),
			 sight_words(SIGHT_NOTHING));
}

/* A new mapping in the old one's place knows nothing of its advice. */
static void mapped_over(void)
{
	unsigned char *page = new_wiped_page();

	control(page);
	page = map(page, page_size(), MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1);
	fill(page, page_size());
	expect_kept(&by_fork, page, page_size());
}

static void zero_length(void)
{
	unsigned char *page = new_pages(1);

	advise(page, 0, MADV_WIPEONFORK);
	expect_kept(&by_fork, page, page_size());
	advise(page, page_size(), MADV_WIPEONFORK);
	control(page);
}

static const struct test_case cases[] = {
	{"vfork", vfork_child},	      {"clone-vm", clone_vm}, {"clone-vm-vfork", clone_vm_vfork},
	{"keeponfork", keeponfork},   {"dontfork", dontfork}, {"mapped-over", mapped_over},
	{"zero-length", zero_length},
};

const struct case_group kept_group = {
	.name = "not-wiped",
	.cases = cases,
	.count = sizeof(cases) / sizeof(*cases),
};
