/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The filters of seccomp-overhead, run by an interpreter of the few instructions that
 * libseccomp uses: what they answer, and how much of them a system call goes through.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "seccomp-overhead/behaviour.h"
#include "seccomp-overhead/shapes.h"

struct outcome {
	uint32_t action;
	unsigned int steps;
	bool loads_arguments;
};

static bool jumps(const struct sock_filter *insn, uint32_t a)
{
	switch (BPF_OP(insn->code)) {
	case BPF_JEQ:
		return a == insn->k;
	case BPF_JGT:
		return a > insn->k;
	case BPF_JGE:
		return a >= insn->k;
	default:
		fail_msg("jump 0x%x", insn->code);
		return false;
	}
}

static struct outcome run_program(const struct sock_fprog *program, int number)
{
	const struct seccomp_data data = {.nr = number, .arch = seccomp_arch_native()};
	struct outcome outcome = {0};
	unsigned int at = 0;
	uint32_t a = 0;

	for (;; at++) {
		const struct sock_filter *insn = &program->filter[at];

		assert_true(at < program->len);
		outcome.steps++;
		switch (insn->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			assert_true(insn->k + sizeof(a) <= sizeof(data));
			memcpy(&a, (const char *)&data + insn->k, sizeof(a));
			outcome.loads_arguments |= insn->k >= offsetof(struct seccomp_data, args);
			break;
		case BPF_JMP | BPF_JA:
			at += insn->k;
			break;
		case BPF_RET | BPF_K:
			outcome.action = insn->k;
			return outcome;
		default:
			assert_int_equal(BPF_CLASS(insn->code), BPF_JMP);
			at += jumps(insn, a) ? insn->jt : insn->jf;
		}
	}
}

static const struct shape *shape_named(const char *name)
{
	size_t i;

	for (i = 0; i < shape_count; i++)
		if (strcmp(shapes[i].name, name) == 0)
			return &shapes[i];
	fail_msg("no shape %s", name);
	return NULL;
}

static struct outcome run_shape(const char *name, int number)
{
	struct built built = shape_build(shape_named(name));
	struct outcome outcome;

	assert_int_equal(built.error, 0);
	outcome = run_program(&built.program, number);
	free(built.program.filter);
	return outcome;
}

static void each_kills_what_it_denies_and_nothing_else(void **state)
{
	/* The last four are what a worker lives on. */
	static const int allowed[] = {MEASURED_SYSCALL,	    SCMP_SYS(getppid),
				      SCMP_SYS(exit_group), SCMP_SYS(clock_gettime),
				      SCMP_SYS(read),	    SCMP_SYS(write)};
	size_t i, j;

	(void)state;
	for (i = 0; i < shape_count; i++) {
		const char *name = shapes[i].name;

		assert_int_equal(run_shape(name, DENIED_SYSCALL).action, SECCOMP_RET_KILL);
		for (j = 0; j < sizeof(allowed) / sizeof(*allowed); j++)
			assert_int_equal(run_shape(name, allowed[j]).action, SECCOMP_RET_ALLOW);
	}
}

static void twelve_rules_are_the_list_of_the_benchmark(void **state)
{
	static const char *const names[] = {
		"acct",		 "add_key",    "chroot", "fanotify_init",
		"fanotify_mark", "fdatasync",  "fsync",	 "finit_module",
		"flistxattr",	 "getsockopt", "socket", "getpeername",
	};
	unsigned int denied = 0;
	int number;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		number = seccomp_syscall_resolve_name(names[i]);
		assert_int_equal(run_shape("lin12", number).action, SECCOMP_RET_KILL);
		assert_int_equal(run_shape("tree12-run", number).action, SECCOMP_RET_KILL);
	}
	for (number = 0; number < 1000; number++)
		denied += run_shape("lin12", number).action == SECCOMP_RET_KILL;
	assert_int_equal(denied, 12);
}

/* The kernel emulates a program for its cache up to the first load of an argument. */
static void only_the_run_shapes_look_at_an_argument(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < shape_count; i++)
		assert_int_equal(run_shape(shapes[i].name, MEASURED_SYSCALL).loads_arguments,
				 shapes[i].run);
}

static void a_line_is_scanned_whole_and_a_tree_is_not(void **state)
{
	unsigned int lin12 = run_shape("lin12-run", MEASURED_SYSCALL).steps;
	unsigned int lin400 = run_shape("lin400-run", MEASURED_SYSCALL).steps;
	unsigned int tree400 = run_shape("tree400-run", MEASURED_SYSCALL).steps;

	(void)state;
	assert_int_equal(lin400 - lin12, 400 - 12);
	assert_true(tree400 < 40);
}

static void rules_are_as_many_as_the_name_says(void **state)
{
	unsigned int killed = 0;
	int number;
	struct built built = shape_build(shape_named("tree200"));

	(void)state;
	assert_int_equal(built.error, 0);
	for (number = 0; number < 20000; number++)
		killed += run_program(&built.program, number).action == SECCOMP_RET_KILL;
	assert_int_equal(killed, 200);
	free(built.program.filter);
}

static void a_ratio_is_judged_by_its_interval(void **state)
{
	const struct estimate more = {.ratio = 1.04, .ci95 = {1.03, 1.06}};
	const struct estimate less = {.ratio = 0.93, .ci95 = {0.92, 0.94}};
	const struct estimate wide = {.ratio = 1.01, .ci95 = {0.99, 1.03}};

	(void)state;
	assert_int_equal(behaviour_is_above_one(&more), VERDICT_OK);
	assert_int_equal(behaviour_is_above_one(&wide), VERDICT_UNKNOWN);
	assert_int_equal(behaviour_is_above_one(&less), VERDICT_FAIL);
}

static void a_cache_hides_what_programs_cost(void **state)
{
	(void)state;
	assert_int_equal(behaviour_is_cached(0), VERDICT_OK);
	assert_int_equal(behaviour_is_cached(0.2), VERDICT_OK);
	assert_int_equal(behaviour_is_cached(-0.2), VERDICT_OK);
	assert_int_equal(behaviour_is_cached(0.5), VERDICT_UNKNOWN);
	assert_int_equal(behaviour_is_cached(-0.5), VERDICT_UNKNOWN);
	assert_int_equal(behaviour_is_cached(0.9), VERDICT_FAIL);
	assert_int_equal(behaviour_is_cached(1.1), VERDICT_FAIL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kills_what_it_denies_and_nothing_else),
		cmocka_unit_test(twelve_rules_are_the_list_of_the_benchmark),
		cmocka_unit_test(only_the_run_shapes_look_at_an_argument),
		cmocka_unit_test(a_line_is_scanned_whole_and_a_tree_is_not),
		cmocka_unit_test(rules_are_as_many_as_the_name_says),
		cmocka_unit_test(a_ratio_is_judged_by_its_interval),
		cmocka_unit_test(a_cache_hides_what_programs_cost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
