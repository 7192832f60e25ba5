/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What getrandom(2) answers to flags, addresses and lengths, once the RNG is ready.
 *
 * Only what all kernels since 3.17 do alike, but for GRND_INSECURE (5.6): until
 * then its bit is an unknown flag, so that GRND_RANDOM | GRND_INSECURE gives EINVAL
 * on every kernel.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "child.h"
#include "system.h"

#define UNKNOWN_FLAG 0x10
#define LARGE	     (1 << 20)

struct contract {
	const char *name;
	unsigned int flags;
	size_t length;
	bool bad_pointer;
	long expected; /* bytes, or a negative errno */
	int since[2];  /* until then the expected answer is EINVAL */
};

static const struct contract contracts[] = {
	{.name = "nonblock", .flags = GRND_NONBLOCK, .length = 32, .expected = 32},
	{.name = "insecure", .flags = GRND_INSECURE, .length = 32, .expected = 32, .since = {5, 6}},
	{.name = "random-insecure",
	 .flags = GRND_RANDOM | GRND_INSECURE,
	 .length = 32,
	 .expected = -EINVAL},
	{.name = "unknown-flag", .flags = UNKNOWN_FLAG, .length = 32, .expected = -EINVAL},
	{.name = "length-0", .length = 0, .expected = 0},
	{.name = "length-1m", .length = LARGE, .expected = LARGE},
	{.name = "bad-pointer", .length = 32, .bad_pointer = true, .expected = -EFAULT},
};

/* MAP_FAILED with errno, or memory that getrandom(2) can write to, or not. */
static void *allocate(const struct contract *contract)
{
	return mmap(NULL, LARGE, contract->bad_pointer ? PROT_NONE : PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void note(const struct contract *contract, long got)
{
	char expected[32], seen[32];

	if (contract->expected < 0)
		snprintf(expected, sizeof(expected), "%s", errno_name((int)-contract->expected));
	else
		snprintf(expected, sizeof(expected), "%ld", contract->expected);
	if (got < 0)
		snprintf(seen, sizeof(seen), "%s", errno_name((int)-got));
	else
		snprintf(seen, sizeof(seen), "%ld", got);
	child_note("getrandom(%zu bytes, 0x%x): %s, expected %s", contract->length, contract->flags,
		   seen, expected);
}

static int check(void *arg)
{
	const struct contract *contract = arg;
	void *memory = allocate(contract);
	long got;

	if (memory == MAP_FAILED) {
		child_note("mmap: %s", errno_name(errno));
		return VERDICT_UNKNOWN;
	}
	got = syscall(SYS_getrandom, memory, contract->length, contract->flags);
	if (got < 0)
		got = -errno;
	if (got == contract->expected)
		return VERDICT_OK;
	if (got == -EINVAL && system_kernel_before(contract->since[0], contract->since[1])) {
		child_note("this flag came with Linux %d.%d", contract->since[0],
			   contract->since[1]);
		return VERDICT_NA;
	}
	note(contract, got);
	return VERDICT_FAIL;
}

void check_contract(struct report *report)
{
	for (size_t i = 0; i < sizeof(contracts) / sizeof(contracts[0]); i++)
		check_in_child(report, "contract", contracts[i].name, check, (void *)&contracts[i]);
}
