/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Children that must find zeros, in every kind of memory that can carry the advice.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wipeonfork.h"

#define HUGE_SIZE (2UL * 1024 * 1024)

static void read_only(void)
{
	unsigned char *page = new_wiped_page();

	protect(page, page_size(), PROT_READ);
	expect_wiped(&by_fork, page, page_size());
}

static int look_unprotected(void *page)
{
	protect(page, page_size(), PROT_READ);
	return (int)look(page, page_size());
}

static void no_access(void)
{
	unsigned char *page = new_wiped_page();
	enum sight seen;

	protect(page, page_size(), PROT_NONE);
	seen = sight_of(&by_fork, look_unprotected, page);
	if (seen != SIGHT_ZEROS)
		conclude(VERDICT_FAIL, "the child sees %s, not zeros", sight_words(seen));
	if (look_unprotected(page) != SIGHT_PATTERN)
		conclude(VERDICT_FAIL, "the parent's data changed");
}

static void mlocked(void)
{
	unsigned char *page = new_wiped_page();

	child_stage("mlock");
	if (mlock(page, page_size()))
		conclude(VERDICT_NA, "mlock: %s: RLIMIT_MEMLOCK, or a filter",
			 strerrorname_np(errno));
	expect_wiped(&by_fork, page, page_size());
}

/* A page of its own from malloc's heap, on which no bookkeeping of malloc lies. */
static void heap(void)
{
	unsigned char *page = aligned_alloc(page_size(), page_size());

	if (!page)
		conclude(VERDICT_UNKNOWN, "aligned_alloc: %s", strerrorname_np(errno));
	fill(page, page_size());
	advise(page, page_size(), MADV_WIPEONFORK);
	expect_wiped(&by_fork, page, page_size());
}

static void sub_range(void)
{
	unsigned char *memory = new_pages(3);
	unsigned char *middle = memory + page_size();

	fill(middle, page_size());
	fill(middle + page_size(), page_size());
	advise(middle, page_size(), MADV_WIPEONFORK);
	expect_kept(&by_fork, memory, page_size());
	expect_wiped(&by_fork, middle, page_size());
	expect_kept(&by_fork, middle + page_size(), page_size());
}

/* The length is rounded up to whole pages, and not beyond. */
static void short_length(void)
{
	unsigned char *memory = new_pages(2);
	unsigned char *next = memory + page_size();

	fill(next, page_size());
	advise(memory, 64, MADV_WIPEONFORK);
	expect_wiped(&by_fork, memory, page_size());
	expect_kept(&by_fork, next, page_size());
}

static unsigned char *remap(unsigned char *page, size_t size, int flags, void *target)
{
	void *memory;

	child_stage("mremap");
	memory = mremap(page, page_size(), size, flags, target);
	if (memory == MAP_FAILED)
		conclude(VERDICT_UNKNOWN, "mremap: %s", strerrorname_np(errno));
	return memory;
}

static void mremap_grown(void)
{
	const size_t size = 4 * page_size();
	unsigned char *memory = remap(new_wiped_page(), size, MREMAP_MAYMOVE, NULL);

	fill(memory, size);
	expect_wiped(&by_fork, memory, size);
}

static void mremap_moved(void)
{
	unsigned char *page = new_wiped_page();
	unsigned char *target = new_pages(1);

	remap(page, page_size(), MREMAP_MAYMOVE | MREMAP_FIXED, target);
	expect_wiped(&by_fork, target, page_size());
}

static void dofork(void)
{
	unsigned char *page = new_wiped_page();

	advise(page, page_size(), MADV_DONTFORK);
	advise(page, page_size(), MADV_DOFORK);
	expect_wiped(&by_fork, page, page_size());
}

/* 2 MiB that the kernel has backed by one huge page, with the pattern. */
static unsigned char *new_huge_page(void)
{
	uintptr_t start = (uintptr_t)map(NULL, 2 * HUGE_SIZE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	unsigned char *memory = (unsigned char *)((start + HUGE_SIZE - 1) & ~(HUGE_SIZE - 1));
	char size[64];

	child_stage("madvise");
	if (madvise(memory, HUGE_SIZE, MADV_HUGEPAGE))
		conclude(VERDICT_NA, "madvise(MADV_HUGEPAGE): %s: no transparent huge pages",
			 strerrorname_np(errno));
	fill(memory, HUGE_SIZE);
	smaps_read(memory, "AnonHugePages", size, sizeof(size));
	if (strtoul(size, NULL, 10) < HUGE_SIZE / 1024)
		conclude(VERDICT_NA,
			 "no transparent huge page of 2 MiB was given (never, none free, or "
			 "of another size here)");
	return memory;
}

static void huge_page(void)
{
	unsigned char *memory = new_huge_page();

	advise(memory, HUGE_SIZE, MADV_WIPEONFORK);
	expect_wiped(&by_fork, memory, HUGE_SIZE);
}

/* A part of a huge page, which the kernel has to split. */
static void huge_page_split(void)
{
	unsigned char *memory = new_huge_page();
	unsigned char *middle = memory + HUGE_SIZE / 2;
	unsigned char *rest = middle + page_size();
	const size_t rest_size = HUGE_SIZE / 2 - page_size();

	fill(middle, page_size());
	fill(rest, rest_size);
	advise(middle, page_size(), MADV_WIPEONFORK);
	expect_kept(&by_fork, memory, HUGE_SIZE / 2);
	expect_wiped(&by_fork, middle, page_size());
	expect_kept(&by_fork, rest, rest_size);
}

static const struct test_case cases[] = {
	{"read-only", read_only},
	{"no-access", no_access},
	{"mlocked", mlocked},
	{"heap", heap},
	{"sub-range", sub_range},
	{"short-length", short_length},
	{"mremap-grown", mremap_grown},
	{"mremap-moved", mremap_moved},
	{"dofork", dofork},
	{"huge-page", huge_page},
	{"huge-page-split", huge_page_split},
};

const struct case_group wiped_group = {
	.name = "wiped",
	.cases = cases,
	.count = sizeof(cases) / sizeof(*cases),
};
