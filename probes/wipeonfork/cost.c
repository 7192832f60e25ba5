/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a check for a fork costs: a look at a page that a fork wipes, beside a
 * comparison of getpid(2), which is how libraries do without.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "measure.h"
#include "wipeonfork.h"

static const char forked[] = "a check told of a fork where none was";

struct page_check {
	const volatile unsigned char *flag;
};

static const char *prepare_page(void *ctx)
{
	struct page_check *check = ctx;
	const size_t size = page_size();
	unsigned char *page;

	page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		return "mmap failed";
	if (madvise(page, size, MADV_WIPEONFORK))
		return "madvise(MADV_WIPEONFORK) failed";
	*page = 1;
	check->flag = page;
	return NULL;
}

static const char *run_page(void *ctx, unsigned int thread, unsigned long operations)
{
	const struct page_check *check = ctx;

	(void)thread;
	while (operations--) {
		if (!*check->flag)
			return forked;
	}
	return NULL;
}

struct pid_check {
	pid_t owner;
};

static const char *prepare_pid(void *ctx)
{
	struct pid_check *check = ctx;

	check->owner = getpid();
	return NULL;
}

static const char *run_pid(void *ctx, unsigned int thread, unsigned long operations)
{
	const struct pid_check *check = ctx;

	(void)thread;
	while (operations--) {
		if (getpid() != check->owner)
			return forked;
	}
	return NULL;
}

void cost(struct report *report, const struct settings *settings)
{
	const struct measure_plan plan = {.seconds = settings->quick ? 0.1 : 1};
	struct pid_check pid = {0};
	struct page_check page = {0};
	const struct workload by_pid = {
		.name = "getpid-check", .prepare = prepare_pid, .run = run_pid, .ctx = &pid};
	const struct workload by_page = {
		.name = "page-check", .prepare = prepare_page, .run = run_page, .ctx = &page};
	struct measure *measure = measure_new(&plan, &by_pid);
	int number = measure_add(measure, &by_page);
	struct estimate estimate;

	measure_run(measure);
	report_aa(report, measure_aa(measure));
	measure_report(measure, 0, 0, report, "cost", by_pid.name, VERDICT_UNKNOWN);
	measure_report(measure, number, 0, report, "cost", by_page.name, VERDICT_UNKNOWN);
	if (measure_estimate(measure, 0, number, &estimate))
		report_say(report,
			   "A check of the page costs a process %.0f times less than one by "
			   "getpid(2).",
			   estimate.ratio);
	measure_free(measure);
}
