/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that cannot be wiped in a child without harm to others or to a file: the
 * kernel must say EINVAL, and a child must find what its parent wrote.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "system.h"
#include "wipeonfork.h"

static void must_refuse(void *memory)
{
	child_stage("madvise");
	if (!madvise(memory, page_size(), MADV_WIPEONFORK))
		conclude(VERDICT_FAIL, "madvise(MADV_WIPEONFORK) returns 0, not EINVAL");
	if (errno != EINVAL)
		conclude(VERDICT_FAIL, "madvise(MADV_WIPEONFORK): %s, not EINVAL",
			 strerrorname_np(errno));
}

static void must_refuse_and_keep(unsigned char *page)
{
	fill(page, page_size());
	must_refuse(page);
	expect_kept(&by_fork, page, page_size());
}

static void shared_anonymous(void)
{
	must_refuse_and_keep(map(NULL, page_size(), MAP_SHARED | MAP_ANONYMOUS, -1));
}

/* A file without a file system. */
static void private_file(void)
{
	int fd = memfd_create("wipeonfork", MFD_CLOEXEC);

	if (fd < 0)
		conclude(errno == ENOSYS ? VERDICT_NA : VERDICT_UNKNOWN, "memfd_create: %s",
			 strerrorname_np(errno));
	if (ftruncate(fd, (off_t)page_size()))
		conclude(VERDICT_UNKNOWN, "ftruncate: %s", strerrorname_np(errno));
	must_refuse_and_keep(map(NULL, page_size(), MAP_PRIVATE, fd));
}

/* Anonymous memory to all but madvise(2), since it has a file. */
static void private_dev_zero(void)
{
	int fd = dev_open("zero", O_RDWR);

	if (fd < 0)
		conclude(errno == ENOENT ? VERDICT_NA : VERDICT_UNKNOWN, "/dev/zero: %s",
			 strerrorname_np(errno));
	must_refuse_and_keep(map(NULL, page_size(), MAP_PRIVATE, fd));
}

/* MAP_NORESERVE: an address range is enough, no huge page need be free. */
static void hugetlb(void)
{
	enum { HUGE_SIZE = 2 * 1024 * 1024 };
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB | MAP_NORESERVE;
	void *memory;

	child_stage("mmap");
	memory = mmap(NULL, HUGE_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0);
	if (memory == MAP_FAILED)
		conclude(VERDICT_NA, "mmap(MAP_HUGETLB): %s: no huge pages here",
			 strerrorname_np(errno));
	must_refuse(memory);
}

static void unaligned(void)
{
	unsigned char *memory = new_pages(2);

	must_refuse(memory + 1);
	expect_kept(&by_fork, memory, 2 * page_size());
}

static const struct test_case cases[] = {
	{"shared-anonymous", shared_anonymous},
	{"private-file", private_file},
	{"private-dev-zero", private_dev_zero},
	{"hugetlb", hugetlb},
	{"unaligned", unaligned},
};

const struct case_group refused_group = {
	.name = "refused",
	.cases = cases,
	.count = sizeof(cases) / sizeof(*cases),
};
