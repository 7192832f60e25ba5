/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which system call a source of bytes makes is found out, and that it makes none is
 * never said of one that does.
 */
/* not under valgrind: the filter would catch valgrind's own calls */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "getrandom/path.h"

static ssize_t fill_nothing(const struct source *source, unsigned int thread, void *buffer,
			    size_t length)
{
	(void)source;
	(void)thread;
	memset(buffer, 1, length);
	return (ssize_t)length;
}

static ssize_t fill_by_getppid(const struct source *source, unsigned int thread, void *buffer,
			       size_t length)
{
	syscall(SYS_getppid);
	return fill_nothing(source, thread, buffer, length);
}

/* As a generator does that asks the kernel for a seed, once. */
static ssize_t fill_seeded(const struct source *source, unsigned int thread, void *buffer,
			   size_t length)
{
	static int seeded;

	if (!seeded)
		syscall(SYS_getuid);
	seeded = 1;
	return fill_nothing(source, thread, buffer, length);
}

/* The last of the calls under the filter is one of them, too. */
static ssize_t fill_late(const struct source *source, unsigned int thread, void *buffer,
			 size_t length)
{
	static unsigned int calls;

	if (++calls == PATH_CALLS + 1)
		syscall(SYS_getuid);
	return fill_nothing(source, thread, buffer, length);
}

static ssize_t fill_short(const struct source *source, unsigned int thread, void *buffer,
			  size_t length)
{
	return fill_nothing(source, thread, buffer, length - 1);
}

static ssize_t fill_error(const struct source *source, unsigned int thread, void *buffer,
			  size_t length)
{
	(void)source;
	(void)thread;
	(void)buffer;
	(void)length;
	return -EIO;
}

static ssize_t fill_crash(const struct source *source, unsigned int thread, void *buffer,
			  size_t length)
{
	(void)source;
	(void)thread;
	(void)buffer;
	(void)length;
	__builtin_trap();
}

static struct path find(ssize_t (*fill)(const struct source *, unsigned int, void *, size_t),
			bool first_call)
{
	struct source source = {.name = "test", .fill = fill, .verdict = VERDICT_OK};
	struct path path;

	path_find(&path, &source, first_call);
	if (path.kind == PATH_UNKNOWN && path.verdict == VERDICT_NA) {
		assert_true(strstr(path.reason, "no seccomp filter") != NULL);
		skip();
	}
	return path;
}

static void assert_makes(struct path path, const char *name)
{
	assert_int_equal(path.kind, PATH_SYSCALL);
	assert_string_equal(path.name, name);
}

static void test_none(void **state)
{
	char word[40];
	struct path path = find(fill_nothing, true);

	(void)state;
	assert_int_equal(path.kind, PATH_NONE);
	assert_string_equal(path_word(&path, word, sizeof(word)), "no system call");
}

static void test_each_time(void **state)
{
	char word[40];
	struct path path = find(fill_by_getppid, true);

	(void)state;
	assert_makes(path, "getppid");
	assert_string_equal(path_word(&path, word, sizeof(word)), "getppid(2)");
}

/* The first call is what tells a seeded generator from a fresh one. */
static void test_first_only(void **state)
{
	(void)state;
	assert_int_equal(find(fill_seeded, true).kind, PATH_NONE);
	assert_makes(find(fill_seeded, false), "getuid");
}

static void test_last(void **state)
{
	(void)state;
	assert_makes(find(fill_late, true), "getuid");
}

static void test_failures(void **state)
{
	struct path path;

	(void)state;
	path = find(fill_short, true);
	assert_int_equal(path.kind, PATH_UNKNOWN);
	assert_int_equal(path.verdict, VERDICT_FAIL);
	path = find(fill_short, false);
	assert_int_equal(path.kind, PATH_UNKNOWN);
	path = find(fill_error, true);
	assert_int_equal(path.verdict, VERDICT_FAIL);
	assert_true(strstr(path.reason, "EIO") != NULL);
	path = find(fill_crash, true);
	assert_int_equal(path.kind, PATH_UNKNOWN);
	assert_int_equal(path.verdict, VERDICT_FAIL);
	assert_true(strstr(path.reason, "killed by") != NULL);
}

static void test_absent_source(void **state)
{
	const struct source source = {.verdict = VERDICT_NA, .reason = "not here"};
	struct path path;

	(void)state;
	path_find(&path, &source, true);
	assert_int_equal(path.kind, PATH_UNKNOWN);
	assert_int_equal(path.verdict, VERDICT_NA);
	assert_string_equal(path.reason, "not here");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_none),	   cmocka_unit_test(test_each_time),
		cmocka_unit_test(test_first_only), cmocka_unit_test(test_last),
		cmocka_unit_test(test_failures),   cmocka_unit_test(test_absent_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
