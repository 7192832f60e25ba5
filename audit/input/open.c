/* SPDX-License-Identifier: GPL-2.0-only */
#include "open.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "text.h"

/* A FIFO does not block, and a terminal does not become ours. */
#define OPEN_FLAGS (O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)

/* What can be done about an error of open() */
static const struct remedy {
	int error;
	const char *text;
} remedies[] = {
	{ENOENT, "; check the path"},
	{ENOTDIR, "; check the path"},
	{ELOOP, "; check the symbolic links"},
	{EACCES, "; run as a user who may read it, or give a copy"},
	{EPERM, "; run as a user who may read it, or give a copy"},
	{ENXIO, "; it is a socket or device: give a file or pipe"},
	{ENOSYS, "; this needs a kernel since 5.6"},
	{EMFILE, "; raise the limit of open files (ulimit -n)"},
	{EBADF, "; it is closed: give a file or pipe"},
};

static char *open_problem(const char *path, int error)
{
	for (size_t i = 0; i < sizeof(remedies) / sizeof(*remedies); i++)
		if (remedies[i].error == error)
			return text_printf("%s: %s%s", path, strerror(error), remedies[i].text);
	return text_printf("%s: %s", path, strerror(error));
}

static char *refuse(const char *path, const struct stat *status)
{
	switch (status->st_mode & S_IFMT) {
	case S_IFDIR:
		return text_printf("%s: it is a directory; for the system in it say --root %s",
				   path, path);
	case S_IFCHR:
	case S_IFBLK:
		return text_printf("%s: it is a device; give a config, a kernel image or a package",
				   path);
	default:
		return NULL;
	}
}

/* The file, or -1 with errno; a path is seen from folder, unless that is AT_FDCWD. */
static int open_at(int folder, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	if (folder == AT_FDCWD)
		return open(path, flags);
	return (int)syscall(SYS_openat2, folder, path, &how, sizeof(how));
}

/* What is known of an open file; it is closed again if it is of no use. */
static char *look(const char *path, struct opened *opened)
{
	char *problem;

	if (opened->file < 0)
		return open_problem(path, errno);
	if (fstat(opened->file, &opened->status) == 0)
		problem = refuse(path, &opened->status);
	else
		problem = open_problem(path, errno);
	if (problem) {
		close(opened->file);
		opened->file = -1;
	}
	return problem;
}

static char *open_carefully(int folder, const char *path, struct opened *opened)
{
	char *problem;

	opened->file = open_at(folder, path, O_PATH | O_CLOEXEC);
	problem = look(path, opened);
	if (problem)
		return problem;
	close(opened->file);
	opened->file = open_at(folder, path, OPEN_FLAGS);
	return look(path, opened);
}

char *open_named(const char *path, struct opened *opened)
{
	if (strcmp(path, "-") != 0)
		return open_carefully(AT_FDCWD, path, opened);
	opened->file = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	if (opened->file >= 0 && isatty(opened->file)) {
		close(opened->file);
		opened->file = -1;
		return text_printf("-: standard input is a terminal; give a file, or pipe a config "
				   "into it");
	}
	return look(path, opened);
}

char *open_in(int folder, const char *path, struct opened *opened)
{
	return open_carefully(folder, path, opened);
}
