/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why a signature may lack entropy. Blinding needs random numbers, and a library
 * takes its seed from getrandom(2), or else from /dev/urandom; its own words for
 * having neither do not tell which system call was refused, or how.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "child.h"
#include "rsa-sign.h"

enum { TRY_MS = 2000 };

static int try_getrandom(void *arg)
{
	unsigned char random[32];

	(void)arg;
	child_stage("getrandom");
	if (syscall(__NR_getrandom, random, sizeof(random), GRND_NONBLOCK) == sizeof(random))
		return 0;
	child_error(errno);
	return 1;
}

/* 0 or an errno */
static int read_device(int fd)
{
	unsigned char random[32];
	struct stat status;

	if (fstat(fd, &status) || !S_ISCHR(status.st_mode))
		return ENODEV;
	child_stage("read");
	return read(fd, random, sizeof(random)) == sizeof(random) ? 0 : errno;
}

static int try_urandom(void *arg)
{
	int fd, error;

	(void)arg;
	child_stage("open");
	fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
	error = fd < 0 ? errno : read_device(fd);
	if (fd >= 0)
		close(fd);
	child_error(error);
	return error != 0;
}

static const struct {
	const char *name;
	int (*body)(void *arg);
} sources[] = {
	{"getrandom", try_getrandom},
	{"/dev/urandom", try_urandom},
};

const char *entropy_cause(char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]) && used < size; i++) {
		struct child child;
		char end[160];
		const char *why = end;

		child_run(&child, sources[i].body, NULL, TRY_MS);
		if (child.end == CHILD_EXITED && child.value == 0)
			continue;
		if (child.error)
			why = strerrorname_np(child.error);
		else
			child_describe(&child, end, sizeof(end));
		used += (size_t)snprintf(text + used, size - used, "%s%s: %s", used ? ", " : "",
					 sources[i].name, why);
	}
	return text;
}
