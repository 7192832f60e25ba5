/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Workloads whose relation is known, and workloads that go wrong in every way. No time
 * is asserted, only ratios within one run.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "child.h"
#include "filter.h"
#include "measure.h"
#include "system.h"

static const struct measure_plan short_plan = {.seconds = 0.05, .patience_ms = 20000};
static const struct measure_plan hasty_plan = {.seconds = 0.05, .patience_ms = 1000};

/* What workers tell the test, and each other. */
static struct shared {
	volatile unsigned int prepared;
	volatile bool running;
	volatile pid_t pids[32];
	volatile unsigned int descriptors[32];
	volatile unsigned int cpu[8];	 /* of each thread, plus 1 */
	volatile unsigned long calls[8]; /* of each thread */
} * shared;

static int make_shared(void **state)
{
	(void)state;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	return shared == MAP_FAILED ? -1 : 0;
}

static int drop_shared(void **state)
{
	int error = munmap(shared, sizeof(*shared));

	(void)state;
	shared = NULL;
	return error;
}

/* Each step needs the one before. */
static void spin(unsigned long steps)
{
	unsigned long x = steps;

	while (steps--) {
		x = x * 3 + 1;
		__asm__ volatile("" : "+r"(x));
	}
}

/* ctx: the steps of one operation. */
static const char *run_spin(void *ctx, unsigned int thread, unsigned long operations)
{
	(void)thread;
	while (operations--)
		spin(*(const unsigned int *)ctx);
	return NULL;
}

static unsigned int steps_once = 10000;
static unsigned int steps_twice = 20000;
static const struct workload spin_once = {.name = "spin-once", .run = run_spin, .ctx = &steps_once};
static const struct workload spin_twice = {
	.name = "spin-twice", .run = run_spin, .ctx = &steps_twice};

/* The error of a workload, next to a baseline that must not suffer from it. */
static void assert_fails(const struct measure_plan *plan, const struct workload *workload,
			 const char *expected)
{
	struct measure *measure = measure_new(plan, &spin_once);
	int number = measure_add(measure, workload);
	struct estimate estimate;

	measure_run(measure);
	assert_non_null(measure_error(measure, number));
	assert_string_equal(measure_error(measure, number), expected);
	assert_null(measure_error(measure, 0));
	assert_null(measure_error(measure, 1));
	assert_false(measure_estimate(measure, number, 0, &estimate));
	assert_true(isnan(estimate.ns) && isnan(estimate.ratio) && isnan(estimate.ci95[0]));
	measure_free(measure);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/*
 * A busy machine may rightly refuse a short run, which makes the test one of patience:
 * some tries, as their refusal is not what is tested.
 */
static bool measured(struct measure *measure)
{
	for (unsigned int i = 0; i < 5; i++) {
		measure_run(measure);
		if (!measure_refusal(measure))
			return true;
	}
	print_message("%s\n", measure_refusal(measure));
	return false;
}

static void test_twice_the_work_costs_twice(void **state)
{
	struct measure *measure = measure_new(&short_plan, &spin_once);
	int twice = measure_add(measure, &spin_twice);
	struct estimate one, two, back;

	(void)state;
	if (!measured(measure)) {
		measure_free(measure);
		skip();
	}
	assert_true(fabs(measure_aa(measure) - 1) <= 0.01);
	assert_true(measure_estimate(measure, 0, 0, &one));
	assert_true(measure_estimate(measure, twice, 0, &two));
	assert_true(measure_estimate(measure, 0, twice, &back));
	assert_true(two.ratio > 1.8 && two.ratio < 2.2);
	assert_true(back.ratio > 1 / 2.2 && back.ratio < 1 / 1.8);
	assert_true(two.ci95[0] <= two.ratio && two.ratio <= two.ci95[1]);
	assert_float_equal(one.ratio, 1, 1e-12);
	assert_true(one.ns > 0 && two.ns > one.ns);
	assert_true(two.rounds >= 5);
	measure_free(measure);
}

static void test_report_has_the_figures(void **state)
{
	struct measure *measure = measure_new(&short_plan, &spin_once);
	int twice = measure_add(measure, &spin_twice);
	struct report *report = report_new("test");
	struct estimate two;
	struct result *result;

	(void)state;
	if (!measured(measure)) {
		measure_free(measure);
		report_free(report);
		skip();
	}
	result = measure_report(measure, twice, 0, report, "cost", "two", VERDICT_NA);
	measure_estimate(measure, twice, 0, &two);
	assert_int_equal(result->verdict, VERDICT_OK);
	assert_string_equal(result->group, "cost");
	assert_string_equal(result->name, "two");
	assert_string_equal(result->reason, "");
	assert_float_equal(result->ns, two.ns, 1e-9);
	assert_float_equal(result->ratio, two.ratio, 1e-9);
	assert_float_equal(result->ci95[0], two.ci95[0], 1e-9);
	assert_float_equal(result->ci95[1], two.ci95[1], 1e-9);
	measure_free(measure);
	report_free(report);
}

static void test_nothing_is_known_before_the_run(void **state)
{
	struct measure *measure = measure_new(&short_plan, &spin_once);
	struct estimate estimate;

	(void)state;
	assert_true(isnan(measure_aa(measure)));
	assert_non_null(measure_refusal(measure));
	assert_false(measure_estimate(measure, 0, 0, &estimate));
	assert_true(isnan(estimate.ratio));
	measure_free(measure);
}

static const char *refuse_to_prepare(void *ctx)
{
	return ctx;
}

static void test_error_in_prepare(void **state)
{
	const struct workload workload = {.name = "x",
					  .prepare = refuse_to_prepare,
					  .run = run_spin,
					  .ctx = (char[]){"no such thing: ENOENT"}};

	(void)state;
	assert_fails(&short_plan, &workload, "no such thing: ENOENT");
}

/* Fails in the fifteenth block, when timing has begun. */
static const char *fail_later(void *ctx, unsigned int thread, unsigned long operations)
{
	(void)thread;
	spin(100 * operations);
	return ++shared->calls[0] > 14 ? ctx : NULL;
}

static void test_error_in_run(void **state)
{
	const struct workload workload = {
		.name = "x", .run = fail_later, .ctx = (char[]){"wrong result"}};

	(void)state;
	assert_fails(&short_plan, &workload, "wrong result");
	assert_true(shared->calls[0] == 15);
}

static const char *die_in_prepare(void *ctx)
{
	(void)ctx;
	raise(SIGSYS);
	return NULL;
}

static const char *die_in_run(void *ctx, unsigned int thread, unsigned long operations)
{
	(void)ctx;
	(void)thread;
	(void)operations;
	raise(SIGSEGV);
	return NULL;
}

static void test_death(void **state)
{
	const struct workload prepare = {.name = "x", .prepare = die_in_prepare, .run = run_spin};
	const struct workload run = {.name = "x", .run = die_in_run};

	(void)state;
	assert_fails(&short_plan, &prepare, "killed by SIGSYS at: prepare");
	assert_fails(&short_plan, &run, "killed by SIGSEGV at: run");
}

/* Dies soon, most likely while it waits for an order; to write to it must not kill us. */
static const char *die_soon(void *ctx, unsigned int thread, unsigned long operations)
{
	const struct itimerval soon = {.it_value.tv_usec = 3000};

	(void)ctx;
	(void)thread;
	setitimer(ITIMER_REAL, &soon, NULL);
	spin(100 * operations);
	return NULL;
}

static void test_death_between_blocks(void **state)
{
	const struct workload workload = {.name = "x", .run = die_soon};
	struct measure *measure = measure_new(&short_plan, &spin_once);
	int number = measure_add(measure, &workload);

	(void)state;
	for (unsigned int i = 0; i < 40; i++) /* the timer is set anew with each block */
		measure_add(measure, &spin_twice);
	measure_run(measure);
	assert_string_equal(measure_error(measure, number), "killed by SIGALRM at: run");
	measure_free(measure);
}

static const char *hang(void *ctx)
{
	(void)ctx;
	for (;;)
		pause();
	return NULL;
}

static const char *hang_in_run(void *ctx, unsigned int thread, unsigned long operations)
{
	(void)thread;
	(void)operations;
	if (shared)
		shared->running = true;
	return hang(ctx);
}

static void test_hang(void **state)
{
	const struct workload prepare = {.name = "x", .prepare = hang, .run = run_spin};
	const struct workload run = {.name = "x", .run = hang_in_run};

	(void)state;
	assert_fails(&hasty_plan, &prepare, "no answer in 1000 ms at: prepare");
	assert_fails(&hasty_plan, &run, "no answer in 1000 ms at: run");
}

static const char *do_nothing(void *ctx, unsigned int thread, unsigned long operations)
{
	(void)ctx;
	(void)thread;
	(void)operations;
	return NULL;
}

static void test_nothing_done_is_no_figure(void **state)
{
	const struct workload workload = {.name = "x", .run = do_nothing};
	struct measure *measure = measure_new(&short_plan, &spin_once);
	int number = measure_add(measure, &workload);

	(void)state;
	measure_run(measure);
	assert_non_null(measure_error(measure, number));
	assert_non_null(strstr(measure_error(measure, number), "operations took"));
	measure_free(measure);
}

/* Every worker does more than the one before, so that those of the twin do most. */
static const char *count_prepared(void *ctx)
{
	*(unsigned int *)ctx += 1000 * shared->prepared++;
	return NULL;
}

static void test_twins_that_differ_are_refused(void **state)
{
	unsigned int steps = 10000;
	const struct workload baseline = {
		.name = "unequal", .prepare = count_prepared, .run = run_spin, .ctx = &steps};
	struct measure *measure = measure_new(&short_plan, &baseline);
	struct report *report = report_new("test");
	int number = measure_add(measure, &spin_twice);
	struct result *result;
	struct estimate estimate;

	(void)state;
	measure_run(measure);
	assert_true(measure_aa(measure) > 1.02);
	assert_non_null(measure_refusal(measure));
	assert_int_equal(strncmp(measure_refusal(measure), "A/A is 1.", 9), 0);
	assert_non_null(strstr(measure_refusal(measure), "load average"));
	assert_false(measure_estimate(measure, number, 0, &estimate));
	assert_true(isnan(estimate.ns) && isnan(estimate.ratio));
	result = measure_report(measure, number, 0, report, "cost", "two", VERDICT_NA);
	assert_int_equal(result->verdict, VERDICT_UNKNOWN);
	assert_string_equal(result->reason, measure_refusal(measure));
	assert_true(isnan(result->ns) && isnan(result->ratio) && isnan(result->ci95[1]));
	measure_free(measure);
	report_free(report);
}

static const char *run_once(void *ctx, unsigned int thread, unsigned long operations)
{
	(void)ctx;
	return run_spin(&steps_once, thread, operations);
}

static const char *refuse_second(void *ctx)
{
	return shared->prepared++ == 1 ? ctx : NULL;
}

static void test_broken_baseline_refuses_everything(void **state)
{
	const struct workload baseline = {
		.name = "x", .prepare = refuse_second, .run = run_once, .ctx = (char[]){"broken"}};
	struct measure *measure = measure_new(&short_plan, &baseline);
	struct report *report = report_new("test");
	int number = measure_add(measure, &spin_twice);
	struct result *result;

	(void)state;
	measure_run(measure);
	assert_string_equal(measure_refusal(measure), "the baseline: broken");
	result = measure_report(measure, number, 0, report, "cost", "two", VERDICT_NA);
	assert_int_equal(result->verdict, VERDICT_UNKNOWN);
	result = measure_report(measure, 0, 0, report, "cost", "baseline", VERDICT_NA);
	assert_int_equal(result->verdict, VERDICT_NA); /* on_error */
	assert_string_equal(result->reason, "broken");
	assert_true(isnan(result->ns));
	measure_free(measure);
	report_free(report);
}

/* Each worker of it does four times as much as the one before. */
static const char *prepare_uneven(void *ctx)
{
	*(unsigned int *)ctx = 5000u << (2 * shared->prepared++);
	return NULL;
}

static void test_a_vague_figure_is_withheld(void **state)
{
	static unsigned int steps;
	const struct workload uneven = {
		.name = "uneven", .prepare = prepare_uneven, .run = run_spin, .ctx = &steps};
	struct measure *measure = measure_new(&short_plan, &spin_once);
	int number = measure_add(measure, &uneven);
	struct report *report = report_new("test");
	struct result *result;

	(void)state;
	measure_run(measure);
	result = measure_report(measure, number, 0, report, "cost", "uneven", VERDICT_NA);
	assert_int_equal(result->verdict, VERDICT_UNKNOWN);
	assert_true(result->withheld);
	assert_true(isnan(result->ns) && isnan(result->ratio));
	if (!measure_refusal(measure))
		assert_non_null(strstr(result->reason, "the ratio is anything from "));
	measure_free(measure);
	report_free(report);
}

static const char *tell_about_worker(void *ctx)
{
	unsigned int number = shared->prepared++;

	(void)ctx;
	shared->pids[number] = getpid();
	for (int fd = 0; fd < 256; fd++)
		shared->descriptors[number] += fcntl(fd, F_GETFD) >= 0;
	return NULL;
}

static const struct workload told = {
	.name = "told", .prepare = tell_about_worker, .run = run_spin, .ctx = &steps_once};

static void test_no_descriptor_leaks(void **state)
{
	struct measure *measure;
	int before = dup(0), after;

	(void)state;
	close(before);
	measure = measure_new(&short_plan, &told);
	measure_add(measure, &told);
	measure_run(measure);
	measure_free(measure);
	after = dup(0);
	close(after);
	assert_int_equal(after, before);
	assert_true(shared->prepared > 3 && shared->descriptors[0] > 0);
	for (unsigned int i = 1; i < shared->prepared; i++)
		assert_int_equal(shared->descriptors[i], shared->descriptors[0]);
}

static void measure_and_wait(void)
{
	struct measure *measure = measure_new(&short_plan, &told);
	const struct workload hanging = {
		.name = "x", .prepare = tell_about_worker, .run = hang_in_run};

	measure_add(measure, &hanging);
	measure_run(measure);
}

/* Dead, and reaped, by us or whom it went to. */
static bool is_gone(pid_t pid)
{
	for (unsigned int i = 0; i < 20000 && !kill(pid, 0); i++) {
		waitpid(pid, NULL, WNOHANG);
		usleep(1000);
	}
	return kill(pid, 0) == -1 && errno == ESRCH;
}

/* Killed by SIGKILL in the middle of a block, it leaves no worker, idle or busy. */
static void test_workers_die_with_the_parent(void **state)
{
	pid_t parent;

	(void)state;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	parent = fork();
	if (!parent) {
		measure_and_wait();
		_exit(0);
	}
	while (!shared->running)
		usleep(1000);
	kill(parent, SIGKILL);
	assert_int_equal(waitpid(parent, NULL, 0), parent);
	assert_true(shared->prepared > 3);
	for (unsigned int i = 0; i < shared->prepared; i++)
		assert_true(is_gone(shared->pids[i]));
	prctl(PR_SET_CHILD_SUBREAPER, 0);
}

/* What worker.h promises to need, and nothing else. */
static const char *allow_little(void *ctx)
{
	const int allowed[] = {SYS_read, SYS_write, SYS_clock_gettime};
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	struct sock_fprog program;

	(void)ctx;
	if (!filter)
		return "no filters here";
	for (size_t i = 0; i < 3; i++)
		if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0))
			return "no rule";
	if (filter_export(filter, &program))
		return "no program";
	return filter_load(&program, 0) ? "no filters here" : NULL;
}

static void test_worker_needs_few_syscalls(void **state)
{
	const struct workload workload = {
		.name = "little", .prepare = allow_little, .run = run_spin, .ctx = &steps_once};
	struct measure *measure = measure_new(&short_plan, &spin_once);
	int number = measure_add(measure, &workload);
	const char *error;

	(void)state;
	measure_run(measure);
	error = measure_error(measure, number);
	if (error && !strcmp(error, "no filters here")) {
		measure_free(measure);
		skip();
	}
	assert_string_equal(error ? error : "", "");
	measure_free(measure);
}

static const char *tell_cpu(void *ctx, unsigned int thread, unsigned long operations)
{
	(void)ctx;
	spin(100 * operations);
	shared->cpu[thread] = sched_getcpu() + 1;
	shared->calls[thread] += operations;
	return system_cpus() == 1 ? NULL : "this thread has not one CPU";
}

static const char *prepare_once(void *ctx)
{
	static bool prepared;

	(void)ctx;
	if (prepared || syscall(SYS_gettid) != getpid())
		return "not once, by the main thread";
	prepared = true;
	return NULL;
}

static void test_threads(void **state)
{
	const struct workload workload = {
		.name = "threads", .prepare = prepare_once, .run = tell_cpu, .threads = 3};
	struct measure *measure = measure_new(&short_plan, &spin_once);
	int number = measure_add(measure, &workload);

	(void)state;
	measure_run(measure);
	assert_null(measure_error(measure, number));
	for (unsigned int i = 0; i < 3; i++)
		assert_true(shared->calls[i] > 0 && shared->calls[i] == shared->calls[0]);
	assert_int_equal(shared->calls[3], 0);
	if (system_cpus() > 1)
		assert_int_not_equal(shared->cpu[0], shared->cpu[1]);
	measure_free(measure);
}

static const char *fail_in_last_thread(void *ctx, unsigned int thread, unsigned long operations)
{
	spin(100 * operations);
	return thread == 1 ? ctx : NULL;
}

static void test_error_in_one_thread(void **state)
{
	const struct workload workload = {.name = "x",
					  .run = fail_in_last_thread,
					  .ctx = (char[]){"thread 1 failed"},
					  .threads = 2};

	(void)state;
	assert_fails(&short_plan, &workload, "thread 1 failed");
}

/* Other programs on every CPU, two on each. */
static void start_burners(pid_t *burners, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		burners[i] = child_fork();
		if (burners[i])
			continue;
		system_pin(i);
		for (;;)
			spin(1000000);
	}
}

static void end_burners(const pid_t *burners, unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		kill(burners[i], SIGKILL);
		waitpid(burners[i], NULL, 0);
	}
}

/* Two threads, and operations that last for many ticks, so that none goes undisturbed. */
static void test_busy_cpus_leave_no_figures(void **state)
{
	unsigned int steps = 20000000;
	const struct workload workload = {
		.name = "busy", .run = run_spin, .ctx = &steps, .threads = 2};
	const struct measure_plan plan = {.rounds = 6, .patience_ms = 60000};
	struct measure *measure = measure_new(&plan, &spin_once);
	int number = measure_add(measure, &workload);
	struct report *report = report_new("test");
	unsigned int count = 2 * system_cpus();
	pid_t burners[64];
	struct estimate estimate;
	struct result *result;

	(void)state;
	assert_in_range(count, 2, 64);
	start_burners(burners, count);
	measure_run(measure);
	end_burners(burners, count);
	assert_null(measure_error(measure, number));
	assert_non_null(measure_doubt(measure, number));
	assert_non_null(strstr(measure_doubt(measure, number), "other programs took its CPUs in"));
	assert_null(measure_doubt(measure, 0)); /* CPU time does not mind */
	assert_false(measure_estimate(measure, number, 0, &estimate));
	assert_true(isnan(estimate.ns) && isnan(estimate.ratio));
	result = measure_report(measure, number, 0, report, "cost", "busy", VERDICT_NA);
	assert_int_equal(result->verdict, VERDICT_UNKNOWN);
	assert_true(isnan(result->ns));
	report_free(report);
	measure_free(measure);
}

/* The control: short blocks find undisturbed moments, unless this machine is busy. */
static void test_undisturbed_threads_have_figures(void **state)
{
	const struct workload workload = {
		.name = "threads", .run = run_spin, .ctx = &steps_once, .threads = 2};
	struct measure *measure = measure_new(&short_plan, &spin_once);
	int number = measure_add(measure, &workload);
	struct estimate estimate;
	bool calm = measured(measure) && !measure_doubt(measure, number);

	(void)state;
	if (calm)
		assert_true(measure_estimate(measure, number, 0, &estimate) && estimate.ratio > 0);
	measure_free(measure);
	if (!calm)
		skip();
}

/* One operation that takes longer than a block is done one at a time. */
static const char *count_operations(void *ctx, unsigned int thread, unsigned long operations)
{
	(void)thread;
	if (operations > shared->calls[0])
		shared->calls[0] = operations;
	return run_spin(ctx, 0, operations);
}

static void test_long_operations_come_singly(void **state)
{
	unsigned int steps = 20000000;
	const struct workload workload = {.name = "long", .run = count_operations, .ctx = &steps};
	const struct measure_plan plan = {.seconds = 0, .rounds = 3, .patience_ms = 20000};
	struct measure *measure = measure_new(&plan, &spin_once);
	int number = measure_add(measure, &workload);

	(void)state;
	measure_run(measure);
	assert_null(measure_error(measure, number));
	assert_int_equal(shared->calls[0], 1);
	measure_free(measure);
}

#define shared_test(name) cmocka_unit_test_setup_teardown(name, make_shared, drop_shared)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_twice_the_work_costs_twice),
		cmocka_unit_test(test_report_has_the_figures),
		cmocka_unit_test(test_nothing_is_known_before_the_run),
		cmocka_unit_test(test_error_in_prepare),
		shared_test(test_error_in_run),
		cmocka_unit_test(test_death),
		cmocka_unit_test(test_death_between_blocks),
		cmocka_unit_test(test_hang),
		cmocka_unit_test(test_nothing_done_is_no_figure),
		shared_test(test_twins_that_differ_are_refused),
		shared_test(test_broken_baseline_refuses_everything),
		shared_test(test_a_vague_figure_is_withheld),
		shared_test(test_no_descriptor_leaks),
		shared_test(test_workers_die_with_the_parent),
		cmocka_unit_test(test_worker_needs_few_syscalls),
		shared_test(test_threads),
		cmocka_unit_test(test_error_in_one_thread),
		cmocka_unit_test(test_busy_cpus_leave_no_figures),
		cmocka_unit_test(test_undisturbed_threads_have_figures),
		shared_test(test_long_operations_come_singly),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
