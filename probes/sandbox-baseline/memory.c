/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory: the heap, and a page that a fork wipes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* In small blocks, more than any C library has in stock: it must ask the kernel. */
#define SMALL_BLOCK  1000
#define SMALL_BLOCKS 4096
/* More than any mmap threshold of malloc (glibc: 32 MiB at most, 128 KiB at first). */
#define LARGE_BLOCK (33UL << 20)

struct block {
	struct block *next;
	char filler[SMALL_BLOCK - sizeof(struct block *)];
};

/* Fewer blocks than were asked for, if there is no more memory. */
static struct block *allocate_blocks(int count)
{
	struct block *blocks = NULL, *block;

	while (count--) {
		block = malloc(sizeof(*block));
		if (!block) {
			check_refused("malloc", FAILED);
			break;
		}
		block->next = blocks;
		blocks = block;
	}
	return blocks;
}

static int free_blocks(struct block *blocks)
{
	struct block *next;
	int count = 0;

	for (; blocks; blocks = next, count++) {
		next = blocks->next;
		free(blocks);
	}
	return count;
}

int check_malloc_small(const struct sandbox *sandbox)
{
	struct block *blocks;

	sandbox_enter(sandbox);
	child_stage("allocate and free 4 MiB in small blocks");
	blocks = allocate_blocks(SMALL_BLOCKS);
	return free_blocks(blocks) == SMALL_BLOCKS ? PASSED : FAILED;
}

int check_malloc_large(const struct sandbox *sandbox)
{
	char *volatile block;
	char *larger;

	sandbox_enter(sandbox);
	child_stage("allocate a large block");
	block = malloc(LARGE_BLOCK);
	if (!block)
		return check_refused("malloc", FAILED);
	block[0] = block[LARGE_BLOCK - 1] = 1;
	child_stage("enlarge a large block");
	larger = realloc(block, 2 * LARGE_BLOCK);
	if (!larger) {
		check_refused("realloc", FAILED);
		free(block);
		return FAILED;
	}
	child_stage("free a large block");
	free(larger);
	return PASSED;
}

/*
 * Libraries notice a fork by other, slower means when madvise() fails. EINVAL and
 * ENOSYS are also what a kernel without MADV_WIPEONFORK says.
 */
static int no_wipeonfork(void)
{
	if (errno == EINVAL) {
		child_error(errno);
		child_note("madvise refused, or Linux before 4.14");
		return UNSUPPORTED;
	}
	if (errno == ENOSYS) {
		child_error(errno);
		child_note("madvise refused, or CONFIG_ADVISE_SYSCALLS is off");
		return UNSUPPORTED;
	}
	return check_refused("madvise", DEGRADED);
}

/* Fork, and see what the child finds in the page: 0 or 1, or -1 with a note. */
static int seen_by_child(const volatile char *page)
{
	int status;
	pid_t pid;

	child_stage("fork");
	pid = fork();
	if (pid < 0) {
		check_refused("fork", UNPROVEN);
		return -1;
	}
	if (!pid)
		_exit(*page ? 1 : 0);
	child_stage("wait for the child");
	if (waitpid(pid, &status, 0) != pid) {
		check_refused("waitpid", UNPROVEN);
		return -1;
	}
	if (!WIFEXITED(status)) {
		child_note("the child was killed by signal %d", WTERMSIG(status));
		return -1;
	}
	return WEXITSTATUS(status);
}

int check_wipeonfork(const struct sandbox *sandbox)
{
	size_t size = sysconf(_SC_PAGESIZE);
	bool takes_anything;
	char *page;
	int seen;

	sandbox_enter(sandbox);
	child_stage("map a page");
	page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return check_refused("mmap", FAILED);
	child_stage("madvise -1, which must fail");
	takes_anything = !madvise(page, size, -1);
	child_stage("madvise MADV_WIPEONFORK");
	if (madvise(page, size, MADV_WIPEONFORK))
		return no_wipeonfork();
	*page = 1;
	seen = seen_by_child(page);
	if (seen < 0)
		return UNPROVEN;
	if (seen) {
		child_note("madvise reports success, but the child sees the old data");
		return FAILED;
	}
	if (takes_anything) {
		child_note("wiped, but madvise takes -1, too: libraries do not trust it");
		return DEGRADED;
	}
	return PASSED;
}
