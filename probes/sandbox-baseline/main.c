/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does a sandbox leave working what a cryptographic library needs? The needs are those
 * that BoringSSL documents (SANDBOXING.md in its source); any other library has
 * much the same.
 *
 * A sandbox can look right and not be: a lock makes system calls only under
 * contention, and madvise() may report success and do nothing. So the checks force
 * contention and look at the effect, and the sandboxes that the probe builds itself
 * show that each check notices what it is there for.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calls.h"
#include "groups.h"
#include "probe.h"

static void run_current(struct report *report, const struct settings *settings)
{
	enum verdict current[CHECKS];

	(void)settings;
	report_current(report, current);
}

static void run(struct report *report, const struct settings *settings)
{
	enum verdict current[CHECKS];

	if (settings->command) {
		report_inside(report, settings->command);
		return;
	}
	report_current(report, current);
	report_built(report, current, settings->quick);
}

static const struct probe probe = {
	.name = "sandbox-baseline",
	.summary = "Whether a sandbox leaves working what a cryptographic library needs.",
	.inside = "check the sandbox in which COMMAND runs a program",
	.run = run,
};

static const struct probe probe_current = {
	.name = "sandbox-baseline",
	.summary = "The sandbox that this process is in.",
	.run = run_current,
};

/*
 * If there is no standard error, none of our own files must land there and look like
 * one. What takes its place can be told from it, and cannot be written to.
 */
static void keep_stderr_closed(void)
{
	int fd;

	/* Any other error is a filter's, and says nothing about the descriptor. */
	if (fcntl(STDERR_FILENO, F_GETFD) >= 0 || errno != EBADF)
		return;
	fd = open("/", O_PATH | O_CLOEXEC);
	if (fd < 0 || fd == STDERR_FILENO)
		return;
	dup3(fd, STDERR_FILENO, O_CLOEXEC);
	close(fd);
}

/* Must do without memory allocation, which may be what is refused. */
static int try_call(const char *name)
{
	for (enum call call = 0; call < CALLS; call++)
		if (!strcmp(call_name(call), name))
			return call_try(call);
	return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], INNER_TRY))
		return try_call(argv[2]);
	keep_stderr_closed();
	if (argc < 2 || strcmp(argv[1], INNER_CURRENT) != 0)
		return probe_main(&probe, argc, argv);
	argv[1] = argv[0];
	return probe_main(&probe_current, argc - 1, argv + 1);
}
