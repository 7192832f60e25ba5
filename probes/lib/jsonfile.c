/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The JSON of a report as a file: readers see the old one or the new one, whole.
 */
#include "jsonfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"
#include "text.h"

bool json_file_is_stdout(const char *path)
{
	struct stat file, out;

	if (!path || !strcmp(path, "-") || !strcmp(path, "/dev/stdout"))
		return true;
	if (stat(path, &file) || fstat(STDOUT_FILENO, &out))
		return false;
	/* A device may well be given twice: /dev/null. */
	return !S_ISCHR(file.st_mode) && file.st_dev == out.st_dev && file.st_ino == out.st_ino;
}

/* Where the file is, or will be: the target of a link. The caller's to free. */
static char *target(const char *path)
{
	char *real = realpath(path, NULL);

	return real ? real : text_memory(strdup(path));
}

/* The folder that path is in, up to the '/'. The caller's to free. */
static char *folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return text_memory(strdup("."));
	return text_memory(strndup(path, (size_t)(slash + 1 - path)));
}

/* A FIFO, socket or device: nothing there to replace. */
static bool is_stream(const char *path)
{
	struct stat file;

	return !stat(path, &file) && !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode);
}

static bool is_folder(const char *path)
{
	struct stat file;

	return !stat(path, &file) && S_ISDIR(file.st_mode);
}

int json_file_check(const char *path)
{
	char *real, *where;
	int ret;

	if (!*path)
		return -ENOENT;
	if (is_folder(path))
		return -EISDIR;
	if (is_stream(path))
		return access(path, W_OK) ? -errno : 0;
	real = target(path);
	where = folder(real);
	ret = access(where, W_OK | X_OK) ? -errno : 0;
	free(where);
	free(real);
	return ret;
}

/* The mode of the file that is replaced, or the one that open() would give a new file. */
static mode_t wanted_mode(const char *path)
{
	struct stat file;
	mode_t mask;

	if (!stat(path, &file))
		return file.st_mode & 0777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/* Print to the descriptor, which is closed; to the disk, if asked for. */
static int write_to(int fd, const struct report *report, bool sync)
{
	FILE *out = fdopen(fd, "w");
	int ret = 0;

	if (!out) {
		ret = -errno;
		close(fd);
		return ret;
	}
	if (json_print(report, out) || (sync && fsync(fd)))
		ret = -errno;
	if (fclose(out) && !ret)
		ret = -errno;
	return ret;
}

/* Print to the new file, and put it in the place of the old one. */
static int fill(int fd, const char *temporary, const char *path, const struct report *report)
{
	int ret = write_to(fd, report, true);

	if (!ret && (chmod(temporary, wanted_mode(path)) || rename(temporary, path)))
		ret = -errno;
	if (ret)
		unlink(temporary);
	return ret;
}

static int replace(const char *path, const struct report *report)
{
	char *temporary;
	int fd, ret;

	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		temporary = text_memory(NULL);
	fd = mkostemp(temporary, O_CLOEXEC);
	ret = fd < 0 ? -errno : fill(fd, temporary, path, report);
	free(temporary);
	return ret;
}

int json_file_write(const struct report *report, const char *path)
{
	char *real;
	int ret;

	if (is_stream(path)) {
		int fd = open(path, O_WRONLY | O_CLOEXEC);

		return fd < 0 ? -errno : write_to(fd, report, false);
	}
	real = target(path);
	ret = replace(real, report);
	free(real);
	return ret;
}
