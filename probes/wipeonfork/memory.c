/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory with a known pattern, which is compared byte by byte: a page of which
 * only the first word is wiped is not wiped.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "wipeonfork.h"

const char *sight_words(enum sight sight)
{
	static const char *const words[] = {
		[SIGHT_PATTERN] = "the parent's data",
		[SIGHT_ZEROS] = "zeros",
		[SIGHT_MIXED] = "mixed bytes",
		[SIGHT_NOTHING] = "no memory",
	};

	return words[sight];
}

int is_sight(int status)
{
	return status >= SIGHT_PATTERN && status <= SIGHT_NOTHING;
}

size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

/* Never zero, and with a period that does not divide a page. */
unsigned char pattern_byte(size_t offset)
{
	return (unsigned char)(1 + offset % 251);
}

void fill(unsigned char *memory, size_t size)
{
	for (size_t i = 0; i < size; i++)
		memory[i] = pattern_byte(i);
}

enum sight look(const unsigned char *memory, size_t size)
{
	bool zeros = true, pattern = true;

	for (size_t i = 0; i < size; i++) {
		zeros &= !memory[i];
		pattern &= memory[i] == pattern_byte(i);
	}
	if (zeros)
		return SIGHT_ZEROS;
	return pattern ? SIGHT_PATTERN : SIGHT_MIXED;
}

unsigned char *map(void *address, size_t size, int flags, int fd)
{
	void *memory;

	child_stage("mmap");
	memory = mmap(address, size, PROT_READ | PROT_WRITE, flags, fd, 0);
	if (memory == MAP_FAILED)
		conclude(VERDICT_UNKNOWN, "mmap: %s", strerrorname_np(errno));
	return memory;
}

unsigned char *new_pages(size_t count)
{
	size_t size = count * page_size();
	unsigned char *memory = map(NULL, size, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	fill(memory, size);
	return memory;
}

unsigned char *new_wiped_page(void)
{
	unsigned char *page = new_pages(1);

	advise(page, page_size(), MADV_WIPEONFORK);
	return page;
}

void advise(void *memory, size_t size, int advice)
{
	child_stage("madvise");
	if (!madvise(memory, size, advice))
		return;
	/* The kernel has no EPERM for the advice that is given here. */
	if (errno == EPERM)
		conclude(VERDICT_NA, "madvise(%d): EPERM: a filter", advice);
	/* ENOMEM for mapped memory: no more mappings are to be had */
	conclude(errno == ENOMEM ? VERDICT_UNKNOWN : VERDICT_FAIL, "madvise(%d): %s", advice,
		 strerrorname_np(errno));
}

void protect(void *memory, size_t size, int protection)
{
	child_stage("mprotect");
	if (mprotect(memory, size, protection))
		conclude(VERDICT_UNKNOWN, "mprotect(%d): %s", protection, strerrorname_np(errno));
}
