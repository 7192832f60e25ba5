/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Before the kernel's RNG is ready, early at boot: getrandom(2) waits, unless
 * GRND_NONBLOCK makes it fail instead or GRND_INSECURE (5.6) makes it give what
 * there is. The vDSO leaves all this to the system call.
 *
 * The order counts. A call that waits, or a read of /dev/urandom (which since 5.18
 * tries to gather entropy first), makes the RNG ready, and there is one chance per
 * boot. GRND_NONBLOCK is asked once more at the end, to know whether the RNG was
 * still not ready when the calls between were made.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "child.h"
#include "system.h"

#define GROUP	   "before-ready"
#define WAIT_MS	   20000
#define AT_ONCE_MS 100
#define FILLER	   0x5a

enum call_index { FIRST, RANDOM, INSECURE, BOTH, VDSO, VDSO_INSECURE, LAST, WAIT, CALLS };

struct call {
	const char *name;
	unsigned int flags;
	bool insecure; /* 32 bytes are expected, else EAGAIN */
	bool vdso;
};

static const struct call calls[CALLS] = {
	[FIRST] = {"early-nonblock", GRND_NONBLOCK, false, false},
	[RANDOM] = {"early-random-nonblock", GRND_RANDOM | GRND_NONBLOCK, false, false},
	[INSECURE] = {"early-insecure", GRND_INSECURE, true, false},
	[BOTH] = {"early-insecure-nonblock", GRND_INSECURE | GRND_NONBLOCK, true, false},
	[VDSO] = {"early-vdso-nonblock", GRND_NONBLOCK, false, true},
	[VDSO_INSECURE] = {"early-vdso-insecure", GRND_INSECURE, true, true},
	[LAST] = {"early-nonblock-again", GRND_NONBLOCK, false, false},
	[WAIT] = {"early-wait", 0, false, false},
};

struct seen {
	bool done;
	long got; /* or a negative errno */
	bool touched;
	double ms;
};

struct early {
	const struct source *vdso;
	struct seen *seen; /* shared with the child */
};

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static long do_call(const struct call *call, const struct source *vdso, void *buffer, size_t size)
{
	long got;

	if (call->vdso)
		return vdso->vdso.getrandom(buffer, size, call->flags, vdso_state(&vdso->states, 0),
					    vdso->vdso.params.size_of_opaque_state);
	got = syscall(SYS_getrandom, buffer, size, call->flags);
	return got < 0 ? -errno : got;
}

static void look(const struct call *call, const struct source *vdso, struct seen *seen)
{
	unsigned char buffer[32], untouched[32];
	double begin;

	memset(buffer, FILLER, sizeof(buffer));
	memset(untouched, FILLER, sizeof(untouched));
	begin = now_ms();
	seen->got = do_call(call, vdso, buffer, sizeof(buffer));
	seen->ms = now_ms() - begin;
	seen->touched = memcmp(buffer, untouched, sizeof(buffer)) != 0;
	seen->done = true;
}

/* All of them in their order, if the first says that the RNG is not ready. */
static int look_early(void *arg)
{
	const struct early *early = arg;

	for (size_t i = 0; i < CALLS; i++) {
		if (calls[i].vdso && early->vdso->verdict != VERDICT_OK)
			continue;
		child_stage(calls[i].name);
		look(&calls[i], early->vdso, &early->seen[i]);
		if (i == FIRST && early->seen[i].got != -EAGAIN)
			break;
	}
	return 0;
}

static bool still_early(const struct seen *seen)
{
	return seen[LAST].done && seen[LAST].got == -EAGAIN;
}

static void say_got(struct result *result, const struct seen *seen)
{
	if (seen->got < 0)
		result_outcome(result, "%s", errno_name((int)-seen->got));
	else
		result_outcome(result, "%ld bytes", seen->got);
	result_number(result, "ms", seen->ms);
}

static struct result *judge_insecure(struct report *report, const struct call *call,
				     const struct seen *seen, bool early)
{
	if (seen->got == -EINVAL && system_kernel_before(5, 6))
		return report_add(report, GROUP, call->name, VERDICT_NA,
				  "GRND_INSECURE came with Linux 5.6");
	if (seen->got != 32 || !seen->touched)
		return report_add(report, GROUP, call->name, VERDICT_FAIL,
				  "32 bytes at once were expected");
	if (early)
		return report_add(report, GROUP, call->name, VERDICT_OK, "%s", "");
	if (seen->ms > AT_ONCE_MS)
		return report_add(report, GROUP, call->name, VERDICT_FAIL,
				  "it waited until the RNG was ready");
	return report_add(report, GROUP, call->name, VERDICT_UNKNOWN,
			  "the RNG became ready meanwhile");
}

static struct result *judge_refusal(struct report *report, const struct call *call,
				    const struct seen *seen, bool early)
{
	if (seen->got == -EAGAIN && !seen->touched)
		return report_add(report, GROUP, call->name, VERDICT_OK, "%s", "");
	if (seen->got == -EAGAIN)
		return report_add(report, GROUP, call->name, VERDICT_FAIL,
				  "EAGAIN, but the buffer was written to");
	if (seen->got > 0 && call->flags & GRND_RANDOM && system_kernel_before(5, 6))
		return report_add(report, GROUP, call->name, VERDICT_NA,
				  "GRND_RANDOM had a pool of its own before Linux 5.6");
	if (seen->got == 32 && !early)
		return report_add(report, GROUP, call->name, VERDICT_UNKNOWN,
				  "the RNG became ready meanwhile");
	return report_add(report, GROUP, call->name, VERDICT_FAIL,
			  "EAGAIN was expected, the RNG is not ready");
}

static void report_wait(struct report *report, const struct seen *seen, const char *end)
{
	struct result *result;

	if (!seen->done) {
		report_add(report, GROUP, calls[WAIT].name, VERDICT_UNKNOWN,
			   "the RNG did not get ready: %s", end);
		return;
	}
	result = report_add(report, GROUP, calls[WAIT].name,
			    seen->got == 32 ? VERDICT_OK : VERDICT_FAIL, "%s",
			    seen->got == 32 ? "" : "32 bytes were expected, after a while");
	say_got(result, seen);
}

static void report_early(struct report *report, const struct early *early, const char *end)
{
	const struct seen *seen = early->seen;

	report_fact(report, "rng", "not ready when the probe started");
	for (size_t i = FIRST; i < LAST; i++) {
		struct result *result;

		if (calls[i].vdso && early->vdso->verdict != VERDICT_OK) {
			report_add(report, GROUP, calls[i].name, early->vdso->verdict, "%s",
				   early->vdso->reason);
			continue;
		}
		if (!seen[i].done) {
			report_add(report, GROUP, calls[i].name, VERDICT_FAIL, "%s", end);
			continue;
		}
		result = (calls[i].insecure ? judge_insecure : judge_refusal)(
			report, &calls[i], &seen[i], still_early(seen));
		say_got(result, &seen[i]);
	}
	report_wait(report, &seen[WAIT], end);
}

static void report_ready(struct report *report)
{
	report_fact(report, "rng", "ready before the probe started");
	for (size_t i = FIRST; i < CALLS; i++) {
		if (i != LAST)
			report_add(report, GROUP, calls[i].name, VERDICT_NA,
				   "the RNG was ready already: boot with random.trust_cpu=0 "
				   "random.trust_bootloader=0 and run this probe from init");
	}
}

static void report_refused(struct report *report, const struct seen *seen, const char *end)
{
	report_fact(report, "rng", "unknown: getrandom(2) does not work");
	if (!seen->done)
		report_add(report, GROUP, calls[FIRST].name, VERDICT_FAIL, "getrandom(2): %s", end);
	else if (seen->got < 0)
		report_add(report, GROUP, calls[FIRST].name, VERDICT_FAIL,
			   "getrandom(2) is refused: %s (%sa seccomp filter)",
			   errno_name((int)-seen->got),
			   seen->got == -ENOSYS ? "a kernel before 3.17, or " : "");
	else
		report_add(report, GROUP, calls[FIRST].name, VERDICT_FAIL,
			   "getrandom(2) gave %ld of 32 bytes (a seccomp filter?)", seen->got);
}

bool check_readiness(struct report *report, const struct source *vdso)
{
	struct early early = {.vdso = vdso};
	struct child child;
	char text[160];
	bool hopeless;
	void *memory = mmap(NULL, sizeof(struct seen[CALLS]), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED) {
		report_add(report, GROUP, calls[FIRST].name, VERDICT_UNKNOWN, "mmap: %s",
			   errno_name(errno));
		return true;
	}
	early.seen = memory;
	child_run(&child, look_early, &early, WAIT_MS);
	child_describe(&child, text, sizeof(text));
	if (child.end == CHILD_NOT_STARTED)
		report_add(report, GROUP, calls[FIRST].name, VERDICT_UNKNOWN, "%s", text);
	else if (early.seen[FIRST].got == -EAGAIN)
		report_early(report, &early, text);
	else if (early.seen[FIRST].got == 32)
		report_ready(report);
	else
		report_refused(report, early.seen, text);
	hopeless = early.seen[FIRST].got == -EAGAIN && !early.seen[WAIT].done;
	munmap(memory, sizeof(struct seen[CALLS]));
	return !hopeless;
}
