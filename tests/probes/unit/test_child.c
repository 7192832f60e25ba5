/* SPDX-License-Identifier: GPL-2.0-only */
/* Every way in which a child can end, and that nothing of it stays behind. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "child.h"
#include "filter.h"

#define PATIENT_MS 20000
#define HASTY_MS   200

static void run(struct child *child, int (*body)(void *arg), void *arg)
{
	child_run(child, body, arg, PATIENT_MS);
}

static void assert_described(const struct child *child, const char *expected)
{
	char text[128];

	assert_string_equal(child_describe(child, text, sizeof(text)), expected);
}

static int return_arg(void *arg)
{
	return *(int *)arg;
}

static void test_exit_status(void **state)
{
	struct child child;
	int values[] = {0, 3, 255};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		run(&child, return_arg, &values[i]);
		assert_int_equal(child.end, CHILD_EXITED);
		assert_int_equal(child.value, values[i]);
		assert_string_equal(child.stage, "");
		assert_string_equal(child.note, "");
		assert_int_equal(child.error, 0);
	}
	assert_described(&child, "exit status 255");
}

static int exit_by_itself(void *arg)
{
	(void)arg;
	syscall(SYS_exit_group, 7);
	return 0;
}

static void test_body_may_exit(void **state)
{
	struct child child;

	(void)state;
	run(&child, exit_by_itself, NULL);
	assert_int_equal(child.end, CHILD_EXITED);
	assert_int_equal(child.value, 7);
}

static int die_by_signal(void *arg)
{
	child_stage("first");
	child_stage("second");
	child_error(EBADF);
	child_note("%d of %s", 3, "them");
	raise(*(int *)arg);
	return 0;
}

static void test_signal_and_what_was_said_before(void **state)
{
	struct child child;
	int number = SIGSEGV;

	(void)state;
	run(&child, die_by_signal, &number);
	assert_int_equal(child.end, CHILD_SIGNALED);
	assert_int_equal(child.value, SIGSEGV);
	assert_string_equal(child.stage, "second");
	assert_int_equal(child.error, EBADF);
	assert_string_equal(child.note, "3 of them");
	assert_described(&child, "killed by SIGSEGV at: second");
	number = SIGRTMIN + 1;
	run(&child, die_by_signal, &number);
	assert_int_equal(child.value, number);
}

static int write_to_readonly_page(void *arg)
{
	(void)arg;
	*(volatile char *)mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
	return 0;
}

static void test_crash(void **state)
{
	struct child child;

	(void)state;
	run(&child, write_to_readonly_page, NULL);
	assert_described(&child, "killed by SIGSEGV");
}

static int sleep_long(void *arg)
{
	(void)arg;
	child_stage("sleep");
	for (;;)
		pause();
	return 0;
}

static void test_timeout(void **state)
{
	struct child child;

	(void)state;
	child_run(&child, sleep_long, NULL, HASTY_MS);
	assert_int_equal(child.end, CHILD_TIMED_OUT);
	assert_int_equal(child.value, HASTY_MS);
	assert_described(&child, "no answer in 200 ms at: sleep");
}

static int ignore_signals_and_sleep(void *arg)
{
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_IGN);
	return sleep_long(arg);
}

static void test_timeout_of_a_child_that_ignores_signals(void **state)
{
	struct child child;

	(void)state;
	child_run(&child, ignore_signals_and_sleep, NULL, HASTY_MS);
	assert_int_equal(child.end, CHILD_TIMED_OUT);
}

/* A grandchild that lives on, and holds what it inherited. Its pid is put where arg says. */
static int leave_grandchild(void *arg)
{
	pid_t pid = fork();

	if (!pid)
		sleep_long(NULL);
	*(volatile pid_t *)arg = pid;
	return 4;
}

static pid_t *shared_pids(void)
{
	pid_t *pids = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(pids, MAP_FAILED);
	return pids;
}

/*
 * Dead, and reaped: by us if it is our child, else by whom it went to (an emulator of user
 * mode refuses PR_SET_CHILD_SUBREAPER), which may take a moment.
 */
static void assert_gone(pid_t pid)
{
	time_t deadline = time(NULL) + PATIENT_MS / 1000;

	assert_true(pid > 0);
	while (!kill(pid, 0) && time(NULL) < deadline) {
		waitpid(pid, NULL, WNOHANG);
		usleep(1000);
	}
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void assert_no_children(void)
{
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void test_grandchild_is_ended_and_reaped(void **state)
{
	pid_t *pids = shared_pids();
	struct child child;
	time_t begin = time(NULL);

	(void)state;
	run(&child, leave_grandchild, pids);
	assert_int_equal(child.end, CHILD_EXITED);
	assert_int_equal(child.value, 4);
	assert_true(time(NULL) - begin < PATIENT_MS / 1000); /* it did not wait for it */
	assert_gone(pids[0]);
	assert_no_children();
	munmap(pids, 4096);
}

static int run_sleeper_inside(void *arg)
{
	volatile pid_t *pids = arg;
	struct child child;

	pids[0] = getpid();
	child_stage("outer");
	child_run(&child, leave_grandchild, (void *)&pids[1], PATIENT_MS);
	child_run(&child, sleep_long, NULL, PATIENT_MS);
	return 0;
}

static void test_timeout_reaches_nested_children(void **state)
{
	pid_t *pids = shared_pids();
	struct child child;

	(void)state;
	child_run(&child, run_sleeper_inside, pids, 2 * HASTY_MS);
	assert_described(&child, "no answer in 400 ms at: outer");
	assert_gone(pids[0]);
	assert_gone(pids[1]);
	assert_no_children();
	munmap(pids, 4096);
}

/* Runs itself so many levels deeper, and adds one on the way back. */
static int nest(void *arg)
{
	int deeper = *(int *)arg - 1;
	struct child child;

	child_stage("nest");
	if (deeper < 0)
		return 0;
	run(&child, nest, &deeper);
	if (child.end != CHILD_EXITED || strcmp(child.stage, "nest"))
		return 100;
	child_stage("nest");
	return child.value + 1;
}

static void test_nested(void **state)
{
	struct child child;
	int depth = 5;

	(void)state;
	run(&child, nest, &depth);
	assert_int_equal(child.end, CHILD_EXITED);
	assert_int_equal(child.value, 5);
}

static int nested_signal(void *arg)
{
	struct child child;
	int number = SIGTERM;

	(void)arg;
	child_stage("outer");
	child_note("outer note");
	run(&child, die_by_signal, &number);
	return child.end == CHILD_SIGNALED && child.value == SIGTERM &&
	       !strcmp(child.note, "3 of them");
}

static void test_nested_child_has_its_own_words(void **state)
{
	struct child child;

	(void)state;
	run(&child, nested_signal, NULL);
	assert_int_equal(child.end, CHILD_EXITED);
	assert_int_equal(child.value, 1);
	assert_string_equal(child.stage, "outer");
	assert_string_equal(child.note, "outer note");
	assert_int_equal(child.error, 0);
}

static int deny_getppid(void *arg)
{
	const struct filter_rule *rule = arg;

	child_stage("filter");
	if (filter_deny(rule, 1))
		return 99;
	child_stage("call");
	syscall(rule->syscall);
	return 1;
}

static void skip_without_filters(const struct child *child)
{
	if (child->end == CHILD_EXITED && child->value == 99) {
		print_message("no seccomp filters here\n");
		skip();
	}
}

static void test_trap_tells_the_syscall(void **state)
{
	struct filter_rule rule = {SYS_getppid, SCMP_ACT_TRAP};
	struct child child;

	(void)state;
	run(&child, deny_getppid, &rule);
	skip_without_filters(&child);
	assert_int_equal(child.end, CHILD_TRAPPED);
	assert_int_equal(child.value, SYS_getppid);
	assert_described(&child, "seccomp trapped getppid at: call");
}

/* The control: the same with KILL tells the signal only. */
static void test_kill_is_a_signal(void **state)
{
	struct filter_rule rule = {SYS_getppid, SCMP_ACT_KILL_PROCESS};
	struct child child;

	(void)state;
	run(&child, deny_getppid, &rule);
	skip_without_filters(&child);
	assert_described(&child, "killed by SIGSYS at: call");
}

/* exit_group is refused, too: the handler must find another way out. */
static int trap_without_exit_group(void *arg)
{
	const struct filter_rule rules[] = {
		{SYS_getppid, SCMP_ACT_TRAP},
		{SYS_exit_group, SCMP_ACT_ERRNO(EPERM)},
	};

	(void)arg;
	if (filter_deny(rules, 2))
		syscall(SYS_exit_group, 99);
	syscall(SYS_getppid);
	return 1;
}

static void test_trap_where_exit_group_is_refused(void **state)
{
	time_t begin = time(NULL);
	struct child child;

	(void)state;
	run(&child, trap_without_exit_group, NULL);
	skip_without_filters(&child);
	assert_true(time(NULL) - begin < PATIENT_MS / 1000); /* no watchdog was needed */
	assert_int_equal(child.end, CHILD_TRAPPED);
	assert_int_equal(child.value, SYS_getppid);
}

static void test_sigsys_that_is_not_seccomps(void **state)
{
	struct child child;
	int number = SIGSYS;

	(void)state;
	run(&child, die_by_signal, &number);
	assert_int_equal(child.end, CHILD_SIGNALED);
	assert_int_equal(child.value, SIGSYS);
}

static int tell_surroundings(void *arg)
{
	struct rlimit core;
	sigset_t blocked;
	int death_signal = 0;

	(void)arg;
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	prctl(PR_GET_PDEATHSIG, &death_signal);
	getrlimit(RLIMIT_CORE, &core);
	if (signal(SIGINT, SIG_IGN) != SIG_DFL)
		return 1;
	if (sigismember(&blocked, SIGTERM))
		return 2;
	if (getpgrp() != getpid())
		return 3;
	if (death_signal != SIGKILL)
		return 4;
	if (core.rlim_cur)
		return 5;
	return 0;
}

static void on_signal(int number)
{
	(void)number;
}

static void test_surroundings(void **state)
{
	sigset_t term;
	struct child child;

	(void)state;
	signal(SIGINT, on_signal);
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	sigprocmask(SIG_BLOCK, &term, NULL);
	run(&child, tell_surroundings, NULL);
	sigprocmask(SIG_UNBLOCK, &term, NULL);
	signal(SIGINT, SIG_DFL);
	assert_int_equal(child.end, CHILD_EXITED);
	assert_int_equal(child.value, 0);
}

static void test_parent_stays_as_it_was(void **state)
{
	int before = dup(0), after, subreaper = 0, value = 0;
	struct child child;

	(void)state;
	close(before);
	for (unsigned int i = 0; i < 20; i++)
		run(&child, return_arg, &value);
	after = dup(0);
	close(after);
	prctl(PR_GET_CHILD_SUBREAPER, &subreaper);
	assert_int_equal(after, before);
	assert_int_equal(subreaper, 0);
	assert_no_children();
}

static int print_a_line(void *arg)
{
	(void)arg;
	printf("child\n");
	return 0;
}

static void print_around_child(void)
{
	struct child child;

	printf("before\n");
	run(&child, print_a_line, NULL);
	printf("after\n");
	fflush(stdout);
	_exit(0);
}

static void test_stdio_is_written_once(void **state)
{
	char text[100] = "";
	int ends[2];
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	fflush(NULL);
	pid = fork();
	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		print_around_child();
	}
	waitpid(pid, NULL, 0);
	assert_true(read(ends[0], text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "before\nchild\nafter\n");
	close(ends[0]);
	close(ends[1]);
}

static int body_with_pid(void *arg)
{
	*(volatile pid_t *)arg = getpid();
	return sleep_long(NULL);
}

static void test_child_dies_with_its_parent(void **state)
{
	volatile pid_t *pids = shared_pids();
	struct child child;
	pid_t parent;

	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	parent = fork();
	if (!parent)
		run(&child, body_with_pid, (void *)pids);
	while (!pids[0])
		usleep(1000);
	kill(parent, SIGKILL);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	assert_gone(pids[0]);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	munmap((void *)pids, 4096);
}

static void test_no_process_to_be_had(void **state)
{
	const struct child child = {.end = CHILD_NOT_STARTED, .value = EAGAIN, .stage = ""};
	struct child ignored;
	int value = 0;

	(void)state;
	assert_described(&child, "no child process: EAGAIN");
	/* The kernel throws statuses away when SIGCHLD is ignored: no guess is made. */
	signal(SIGCHLD, SIG_IGN);
	run(&ignored, return_arg, &value);
	signal(SIGCHLD, SIG_DFL);
	assert_described(&ignored, "no child process: ECHILD");
}

static void test_words_outside_of_a_child_are_lost(void **state)
{
	(void)state;
	child_stage("none");
	child_error(1);
	child_note("none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exit_status),
		cmocka_unit_test(test_body_may_exit),
		cmocka_unit_test(test_signal_and_what_was_said_before),
		cmocka_unit_test(test_crash),
		cmocka_unit_test(test_timeout),
		cmocka_unit_test(test_timeout_of_a_child_that_ignores_signals),
		cmocka_unit_test(test_grandchild_is_ended_and_reaped),
		cmocka_unit_test(test_timeout_reaches_nested_children),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_nested_child_has_its_own_words),
		cmocka_unit_test(test_trap_tells_the_syscall),
		cmocka_unit_test(test_kill_is_a_signal),
		cmocka_unit_test(test_trap_where_exit_group_is_refused),
		cmocka_unit_test(test_sigsys_that_is_not_seccomps),
		cmocka_unit_test(test_surroundings),
		cmocka_unit_test(test_parent_stays_as_it_was),
		cmocka_unit_test(test_stdio_is_written_once),
		cmocka_unit_test(test_child_dies_with_its_parent),
		cmocka_unit_test(test_no_process_to_be_had),
		cmocka_unit_test(test_words_outside_of_a_child_are_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
