/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the figures mean, in sentences: only what the intervals bear out.
 */
#include <stdio.h>

#include "cost.h"
#include "emulator.h"

/* The generator that makes no system call: the vDSO's; else libbsd's, should it not. */
static bool user_space(const struct cost *cost, const char **whose, struct estimate *estimate)
{
	*whose = "the vDSO's";
	if (load_figures(&cost->small[SOURCE_VDSO], &cost->baseline, estimate))
		return true;
	*whose = "libbsd's";
	return cost->paths[SOURCE_LIBBSD].kind == PATH_NONE &&
	       load_figures(&cost->small[SOURCE_LIBBSD], &cost->baseline, estimate);
}

/* Ts'o's three figures. */
static void say_comparison(struct report *report, const struct cost *cost)
{
	struct estimate call, user, bare;
	const char *whose;

	if (!load_figures(&cost->baseline, &cost->baseline, &bare) ||
	    !load_figures(&cost->small[SOURCE_SYSCALL], &cost->baseline, &call))
		return;
	if (user_space(cost, &whose, &user))
		report_say(
			report,
			"32 bytes: getrandom(2) %.0f ns, a generator in user space (%s) %.0f ns, "
			"a bare system call %.0f ns.",
			call.ns, whose, user.ns, bare.ns);
	else
		report_say(
			report,
			"32 bytes: getrandom(2) %.0f ns, a bare system call %.0f ns; there is no "
			"generator in user space that saves it (%s).",
			call.ns, bare.ns, cost->small[SOURCE_VDSO].source->reason);
}

static void say_libbsd(struct report *report, const struct cost *cost)
{
	const struct path *path = &cost->paths[SOURCE_LIBBSD];
	struct estimate estimate;

	if (path->kind == PATH_SYSCALL &&
	    load_figures(&cost->small[SOURCE_LIBBSD], &cost->baseline, &estimate))
		report_say(report,
			   "libbsd's arc4random_buf (%.0f ns) saves no system call: it makes %s(2) "
			   "each time.",
			   estimate.ns, path->name);
}

/* Up to which size the vDSO is the faster way, and from which the slower. */
static void say_crossing(struct report *report, const struct cost *cost)
{
	size_t faster = 0, slower = 0;
	struct estimate estimate;

	for (size_t i = 0; i < cost->size_count; i++) {
		const struct load *pair = cost->large[i];

		if (!load_figures(&pair[PAIR_VDSO], &pair[PAIR_SYSCALL], &estimate))
			return;
		if (estimate.ci95[1] < 1 && slower)
			return; /* up and down: no such size */
		if (estimate.ci95[1] < 1)
			faster = pair->size;
		if (estimate.ci95[0] > 1 && !slower)
			slower = pair->size;
	}
	if (faster)
		report_say(report, "The vDSO is faster than the system call up to %zu bytes%s.",
			   faster, slower ? "" : ", the largest size measured");
	if (slower)
		report_say(report, "The vDSO is slower than the system call from %zu bytes on.",
			   slower);
}

/*
 * getpid(2) tells what many threads cost by themselves: shared cores, other load. Threads
 * that share the execution units of a core (SMT) may slow ChaCha20 down more than that,
 * but not by half; a lock that all of them want costs a multiple.
 */
static const char *contention(const struct estimate *call, const struct estimate *machine)
{
	if (call->ci95[0] > 1.5 * machine->ci95[1])
		return "the threads are in each other's way inside getrandom";
	if (call->ci95[0] > 1.05 * machine->ci95[1])
		return "a lock inside getrandom, or a core that threads share, may be why";
	return "no contention inside getrandom is to be seen";
}

static void say_contention(struct report *report, const struct cost *cost)
{
	const struct load *many = &cost->threads[PAIR_SYSCALL];
	struct estimate machine, call;

	if (!load_figures(&cost->bare_threads, &cost->baseline, &machine) ||
	    !load_figures(many, &cost->small[SOURCE_SYSCALL], &call))
		return;
	report_say(
		report,
		"With %u threads getrandom(2) takes %.2f times as long as with one, a bare system "
		"call %.2f times: %s.",
		many->threads, call.ratio, machine.ratio, contention(&call, &machine));
}

void say_cost(struct report *report, const struct cost *cost)
{
	say_comparison(report, cost);
	say_libbsd(report, cost);
	if (emulator_is_tcg())
		report_say(report, "These times are QEMU TCG's, not a machine's: it is slow with "
				   "the vector instructions that the vDSO uses.");
	else
		say_crossing(report, cost);
	say_contention(report, cost);
}
