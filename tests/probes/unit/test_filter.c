/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filters do what they say. Each test runs in a child, since a filter stays; one that the
 * kernel does not take at all (an emulator of user mode) is a skip.
 */
/* not under qemu-user: it refuses seccomp filters */
/* not under valgrind: it does not know seccomp(2) */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cmocka.h>

#include "child.h"
#include "filter.h"
#include "system.h"

#define NO_FILTERS 99
#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			child_note("line %d: %s", __LINE__, #condition);                           \
			return 1;                                                                  \
		}                                                                                  \
	} while (0)

static void assert_passes(int (*body)(void *arg))
{
	struct child child;

	child_run(&child, body, NULL, 20000);
	if (child.end == CHILD_EXITED && child.value == NO_FILTERS)
		skip();
	if (child.note[0])
		print_message("%s\n", child.note);
	assert_int_equal(child.end, CHILD_EXITED);
	assert_int_equal(child.value, 0);
}

static int denies_by_errno(void *arg)
{
	const struct filter_rule rules[] = {
		{SYS_getppid, SCMP_ACT_ERRNO(EXDEV)},
		{SYS_getuid, SCMP_ACT_ERRNO(0)},
	};

	(void)arg;
	CHECK(syscall(SYS_getppid) > 0);
	if (filter_deny(rules, 2) == -ENOSYS)
		return NO_FILTERS;
	CHECK(syscall(SYS_getppid) == -1 && errno == EXDEV);
	CHECK(syscall(SYS_getuid) == 0);
	CHECK(syscall(SYS_gettid) > 0);
	return 0;
}

static void test_errno(void **state)
{
	(void)state;
	assert_passes(denies_by_errno);
}

static void *call_getppid(void *arg)
{
	int *ends = arg;
	char byte;

	if (read(ends[0], &byte, 1) != 1)
		return NULL;
	return syscall(SYS_getppid) == -1 && errno == EXDEV ? arg : NULL;
}

/* A thread that was there before is under the filter, too. */
static int covers_threads(void *arg)
{
	const struct filter_rule rule = {SYS_getppid, SCMP_ACT_ERRNO(EXDEV)};
	pthread_t thread;
	void *covered;
	int ends[2];

	(void)arg;
	CHECK(!pipe(ends));
	CHECK(!pthread_create(&thread, NULL, call_getppid, ends));
	if (filter_deny(&rule, 1) == -ENOSYS)
		return NO_FILTERS;
	CHECK(write(ends[1], "", 1) == 1);
	CHECK(!pthread_join(thread, &covered));
	CHECK(covered == ends);
	return 0;
}

static void test_threads(void **state)
{
	(void)state;
	assert_passes(covers_threads);
}

/* Many rules make a large program; all of them must arrive. */
static int takes_many_rules(void *arg)
{
	struct filter_rule rules[400];

	(void)arg;
	for (int i = 0; i < 399; i++)
		rules[i] = (struct filter_rule){1000 + i, SCMP_ACT_ERRNO(EXDEV)};
	rules[399] = (struct filter_rule){SYS_getppid, SCMP_ACT_ERRNO(EXDEV)};
	if (filter_deny(rules, 400) == -ENOSYS)
		return NO_FILTERS;
	for (int i = 0; i < 400; i++)
		CHECK(syscall(rules[i].syscall) == -1 && errno == EXDEV);
	CHECK(syscall(1399) == -1 && errno == ENOSYS);
	return 0;
}

static void test_many_rules(void **state)
{
	(void)state;
	assert_passes(takes_many_rules);
}

static int counts(void *arg)
{
	const struct filter_rule rule = {SYS_getppid, SCMP_ACT_ERRNO(EXDEV)};
	int before = filter_count();

	(void)arg;
	CHECK(before >= 0);
	if (filter_deny(&rule, 1) == -ENOSYS)
		return NO_FILTERS;
	CHECK(filter_count() == before + 1);
	CHECK(!filter_deny(&rule, 1));
	CHECK(filter_count() == before + 2);
	return 0;
}

static void test_count(void **state)
{
	(void)state;
	assert_passes(counts);
}

/* What is exported is what libseccomp made: it ends with a return and it loads. */
static int exports(void *arg)
{
	scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
	struct sock_fprog program;
	int error;

	(void)arg;
	CHECK(context);
	CHECK(!seccomp_rule_add(context, SCMP_ACT_ERRNO(EXDEV), SYS_getppid, 0));
	CHECK(!filter_export(context, &program));
	seccomp_release(context);
	CHECK(program.len > 3 && program.len < 20);
	CHECK(BPF_CLASS(program.filter[program.len - 1].code) == BPF_RET);
	error = filter_load(&program, 0);
	free(program.filter);
	if (error == -ENOSYS)
		return NO_FILTERS;
	CHECK(!error);
	CHECK(syscall(SYS_getppid) == -1 && errno == EXDEV);
	return 0;
}

static void test_export(void **state)
{
	(void)state;
	assert_passes(exports);
}

static int refuses_nonsense(void *arg)
{
	const struct filter_rule allow = {SYS_getppid, SCMP_ACT_ALLOW};
	struct sock_filter endless = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0);
	const struct sock_fprog program = {1, &endless};
	int error = filter_load(&program, 0);

	(void)arg;
	if (error == -ENOSYS)
		return NO_FILTERS;
	CHECK(error == -EINVAL);
	CHECK(filter_deny(&allow, 1) < 0); /* what is allowed anyway is no rule */
	CHECK(syscall(SYS_getppid) > 0);
	return 0;
}

static void test_errors(void **state)
{
	(void)state;
	assert_passes(refuses_nonsense);
}

/*
 * Another thread with a filter of its own cannot be brought under this one. It must
 * not look like success.
 */
static void *load_own_filter(void *arg)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, 0x7fff0000);
	const struct sock_fprog program = {1, &allow};
	int *ends = arg;
	char byte;

	if (filter_load(&program, 0) || write(ends[1], "", 1) != 1)
		return NULL;
	while (read(ends[2], &byte, 1) < 0)
		;
	return NULL;
}

static int says_that_a_thread_is_left_out(void *arg)
{
	const struct filter_rule rule = {SYS_getppid, SCMP_ACT_ERRNO(EXDEV)};
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, 0x7fff0000);
	const struct sock_fprog program = {1, &allow};
	pthread_t thread;
	int ends[4];
	char byte;

	(void)arg;
	if (filter_load(&program, 0) == -ENOSYS)
		return NO_FILTERS;
	CHECK(!pipe(ends) && !pipe(ends + 2));
	CHECK(!pthread_create(&thread, NULL, load_own_filter, ends));
	CHECK(read(ends[0], &byte, 1) == 1);
	CHECK(filter_deny(&rule, 1) == -ESRCH);
	return 0;
}

static void test_thread_that_cannot_be_covered(void **state)
{
	(void)state;
	assert_passes(says_that_a_thread_is_left_out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_errno),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_many_rules),
		cmocka_unit_test(test_count),
		cmocka_unit_test(test_export),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_thread_that_cannot_be_covered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
