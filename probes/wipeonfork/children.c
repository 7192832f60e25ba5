/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Children that must find zeros, by every way to get a copy of the address space.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "wipeonfork.h"

#define FORKS_WHILE_WRITING 200

static void clone_raw(void)
{
	expect_wiped(&by_clone, new_wiped_page(), page_size());
}

static void clone3_raw(void)
{
	expect_wiped(&by_clone3, new_wiped_page(), page_size());
}

static pthread_t start_thread(void *(*run)(void *arg), void *arg)
{
	pthread_t thread;
	int error;

	child_stage("pthread_create");
	error = pthread_create(&thread, NULL, run, arg);
	if (error)
		conclude(VERDICT_UNKNOWN, "pthread_create: %s", strerrorname_np(error));
	return thread;
}

static void *fork_here(void *page)
{
	expect_wiped(&by_fork, page, page_size());
	return NULL;
}

static void fork_from_thread(void)
{
	pthread_join(start_thread(fork_here, new_wiped_page()), NULL);
}

struct writer {
	volatile unsigned char *page;
	atomic_ulong rounds;
	atomic_bool stop;
};

static void *keep_writing(void *arg)
{
	struct writer *writer = arg;
	const size_t size = page_size();

	while (!writer->stop) {
		for (size_t i = 0; i < size; i++)
			writer->page[i] = pattern_byte(i);
		writer->rounds++;
	}
	return NULL;
}

/* Fork while the page is made dirty again and again: nothing may slip into a child. */
static void fork_while_writing(void)
{
	unsigned char *page = new_wiped_page();
	struct writer writer = {.page = page};
	pthread_t thread = start_thread(keep_writing, &writer);
	unsigned long before = writer.rounds;

	for (int i = 0; i < FORKS_WHILE_WRITING; i++)
		expect_wiped(&by_fork, page, page_size());
	if (writer.rounds == before)
		conclude(VERDICT_UNKNOWN, "the writing thread never ran");
	writer.stop = true;
	pthread_join(thread, NULL);
}

static int child_with_child(void *page)
{
	if (look(page, page_size()) != SIGHT_ZEROS)
		return SIGHT_MIXED;
	fill(page, page_size());
	expect_wiped(&by_fork, page, page_size());
	return SIGHT_ZEROS;
}

/* The advice is inherited: what a child writes is wiped in its own children. */
static void grandchild(void)
{
	unsigned char *page = new_wiped_page();
	enum sight seen = sight_of(&by_fork, child_with_child, page);

	if (seen != SIGHT_ZEROS)
		conclude(VERDICT_FAIL, "the child itself was not wiped");
	if (look(page, page_size()) != SIGHT_PATTERN)
		conclude(VERDICT_FAIL, "the parent's data changed");
}

static const struct test_case cases[] = {
	{"clone", clone_raw},
	{"clone3", clone3_raw},
	{"fork-from-thread", fork_from_thread},
	{"fork-while-writing", fork_while_writing},
	{"grandchild", grandchild},
};

const struct case_group children_group = {
	.name = "wiped",
	.cases = cases,
	.count = sizeof(cases) / sizeof(*cases),
};
