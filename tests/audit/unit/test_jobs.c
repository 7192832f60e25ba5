/* SPDX-License-Identifier: GPL-2.0-only */
/* Workers: their results come in order, and nothing that one of them does takes others along. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "unit.h"

#include "jobs.h"

#define BIG ((size_t)3 << 20) /* more than a pipe holds */

struct test {
	size_t next;	  /* what must come now */
	size_t stop;	  /* take no more after this one; SIZE_MAX: take all */
	size_t bad, lost; /* that index has no result: how many such there were */
	char *text;	  /* all results that came */
	const char *ending;
};

static void work(void *context, size_t index, FILE *out)
{
	const struct test *test = context;

	/* Some take longer, and the first longest. */
	usleep(index ? (index * 7919) % 3 * 1000 : 20000);
	if (index == test->bad)
		raise(SIGKILL);
	fprintf(out, "%zu\n", index);
}

static bool take(void *context, size_t index, const char *bytes, size_t size, const char *ending)
{
	struct test *test = context;
	char wanted[30];

	assert_int_equal(index, test->next++);
	if (ending) {
		assert_null(bytes);
		assert_int_equal(index, test->bad);
		assert_has(ending, test->ending);
		test->lost++;
		return index != test->stop;
	}
	snprintf(wanted, sizeof(wanted), "%zu\n", index);
	assert_int_equal(size, strlen(wanted));
	assert_memory_equal(bytes, wanted, size);
	return index != test->stop;
}

static void no_child_is_left(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void run_all(struct test *test, size_t count, size_t workers)
{
	const struct jobs jobs = {
		.count = count, .workers = workers, .context = test, .work = work, .take = take};

	jobs_run(&jobs);
	no_child_is_left();
}

static void test_order(void **state)
{
	(void)state;
	for (size_t workers = 1; workers <= 5; workers++) {
		struct test test = {.stop = SIZE_MAX, .bad = SIZE_MAX};

		run_all(&test, 60, workers);
		assert_int_equal(test.next, 60);
	}
}

/* The first, one in the middle, the last. */
static void test_killed_worker(void **state)
{
	static const size_t bad[] = {0, 20, 39};

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		for (size_t workers = 1; workers <= 3; workers++) {
			struct test test = {
				.stop = SIZE_MAX, .bad = bad[i], .ending = "signal 9 (Killed)"};

			run_all(&test, 40, workers);
			assert_int_equal(test.next, 40);
			assert_int_equal(test.lost, 1);
		}
	}
}

static void test_stop(void **state)
{
	struct test test = {.stop = 3, .bad = SIZE_MAX};

	(void)state;
	run_all(&test, 1000, 4);
	assert_int_equal(test.next, 4);
}

static void work_big(void *context, size_t index, FILE *out)
{
	(void)context;
	for (size_t i = 0; i < BIG; i++)
		putc((int)(index + i) & 0xff, out);
}

static bool take_big(void *context, size_t index, const char *bytes, size_t size,
		     const char *ending)
{
	struct test *test = context;

	assert_null(ending);
	assert_int_equal(index, test->next++);
	assert_int_equal(size, BIG);
	for (size_t i = 0; i < BIG; i++) {
		if ((unsigned char)bytes[i] != ((index + i) & 0xff))
			fail_msg("result %zu differs at %zu", index, i);
	}
	return true;
}

static void test_results_larger_than_a_pipe(void **state)
{
	struct test test = {0};
	const struct jobs jobs = {
		.count = 6, .workers = 3, .context = &test, .work = work_big, .take = take_big};

	(void)state;
	jobs_run(&jobs);
	assert_int_equal(test.next, 6);
}

static void work_exit(void *context, size_t index, FILE *out)
{
	(void)context;
	fputs("part of a result", out);
	if (index == 1)
		_exit(7);
}

static bool take_exit(void *context, size_t index, const char *bytes, size_t size,
		      const char *ending)
{
	struct test *test = context;

	(void)size;
	test->next++;
	if (index == 1)
		assert_has(ending, "ended with status ");
	else
		assert_non_null(bytes);
	return true;
}

static void test_worker_that_ends(void **state)
{
	struct test test = {0};
	const struct jobs jobs = {
		.count = 4, .workers = 2, .context = &test, .work = work_exit, .take = take_exit};

	(void)state;
	jobs_run(&jobs);
	assert_int_equal(test.next, 4);
	no_child_is_left();
}

static bool take_none(void *context, size_t index, const char *bytes, size_t size,
		      const char *ending)
{
	struct test *test = context;

	(void)size;
	assert_int_equal(index, test->next++);
	assert_null(bytes);
	assert_has(ending, "could not be started");
	return true;
}

/* No descriptor is left for a pipe. */
static void test_no_worker_can_start(void **state)
{
	struct test test = {0};
	const struct jobs jobs = {
		.count = 3, .workers = 2, .context = &test, .work = work, .take = take_none};
	struct rlimit limit, none;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	none = (struct rlimit){.rlim_cur = 0, .rlim_max = limit.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	jobs_run(&jobs);
	setrlimit(RLIMIT_NOFILE, &limit);
	assert_int_equal(test.next, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_killed_worker),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_results_larger_than_a_pipe),
		cmocka_unit_test(test_worker_that_ends),
		cmocka_unit_test(test_no_worker_can_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
