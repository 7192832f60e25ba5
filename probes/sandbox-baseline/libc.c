/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A place for messages, and what the C library is asked for.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "check.h"

/* What happens to whoever opens a file next. */
static int closed(void)
{
	int fd;

	fd = open("/", O_PATH | O_CLOEXEC);
	child_error(EBADF);
	if (fd < 0)
		child_note("descriptor 2 is closed");
	else
		child_note("descriptor 2 is closed, the next open() lands on %d", fd);
	return FAILED;
}

/*
 * Writing may fail, but something must be there. An O_PATH descriptor is what main()
 * puts there when the probe was started without one.
 */
int check_stderr(const struct sandbox *sandbox)
{
	int flags;

	sandbox_enter(sandbox);
	child_stage("look at descriptor 2");
	flags = fcntl(STDERR_FILENO, F_GETFL);
	if (flags < 0 && errno != EBADF)
		return check_refused("fcntl", DEGRADED);
	if (flags >= 0 && (flags & O_PATH))
		close(STDERR_FILENO);
	if (flags < 0 || (flags & O_PATH))
		return closed();
	if ((flags & O_ACCMODE) == O_RDONLY) {
		child_note("descriptor 2 is read-only, messages are lost");
		return DEGRADED;
	}
	child_stage("write nothing to descriptor 2");
	return write(STDERR_FILENO, "", 0) < 0 ? check_refused("write", DEGRADED) : PASSED;
}

int check_getauxval(const struct sandbox *sandbox)
{
	sandbox_enter(sandbox);
	child_stage("AT_PAGESZ, AT_RANDOM");
	if (!getauxval(AT_PAGESZ) || !getauxval(AT_RANDOM))
		return check_refused("getauxval", FAILED);
	child_stage("AT_HWCAP");
	errno = 0;
	(void)getauxval(AT_HWCAP);
	/* Without it a library takes the slow way. */
	return errno ? check_refused("getauxval", DEGRADED) : PASSED;
}

/* May read the files of the user's language. */
int check_strerror(const struct sandbox *sandbox)
{
	const char *text;

	check_mute();
	child_stage(SETUP "setlocale");
	setlocale(LC_ALL, "");
	sandbox_enter(sandbox);
	child_stage("strerror");
	text = strerror(ENOENT);
	if (!text || !*text) {
		child_note("strerror has no text");
		return FAILED;
	}
	return PASSED;
}
