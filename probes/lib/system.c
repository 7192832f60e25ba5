/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where /proc and /dev come from.
 *
 * In a bare initramfs nobody has mounted them, and a probe must not change the
 * system that it looks at. fsopen(2), fsmount(2) (Linux 5.2) give root a mount that
 * is attached nowhere and goes away with its descriptor. procfs is that of the
 * caller's PID namespace; "self" is whoever looks.
 */
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

static bool proc_is_mounted(void)
{
	struct statfs info;

	return !statfs("/proc", &info) && info.f_type == PROC_SUPER_MAGIC;
}

/* A mount of its own of this file system, or -1 with errno. */
static int detached_mount(const char *type)
{
	int context = syscall(__NR_fsopen, type, FSOPEN_CLOEXEC);
	int mount = -1;

	if (context < 0)
		return -1;
	if (!syscall(__NR_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		mount = syscall(__NR_fsmount, context, FSMOUNT_CLOEXEC, 0);
	close(context);
	return mount;
}

/* Open a file in a detached mount; -1 and the errno that opening it the usual way gave. */
static int open_detached(const char *type, const char *path, int flags, int usual_errno)
{
	int mount = detached_mount(type);
	int fd;

	if (mount < 0) {
		errno = usual_errno;
		return -1;
	}
	fd = openat(mount, path, flags | O_CLOEXEC);
	usual_errno = errno;
	close(mount);
	errno = usual_errno;
	return fd;
}

int proc_open(const char *path, int flags)
{
	char usual[256];

	if (!proc_is_mounted())
		return open_detached("proc", path, flags, ENOENT);
	snprintf(usual, sizeof(usual), "/proc/%s", path);
	return open(usual, flags | O_CLOEXEC);
}

int dev_open(const char *name, int flags)
{
	char usual[256];
	int fd;

	snprintf(usual, sizeof(usual), "/dev/%s", name);
	fd = open(usual, flags | O_CLOEXEC);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	return open_detached("devtmpfs", name, flags, errno);
}

/* As much of a file as fits, as a string: its length, or -1 with errno. */
static ssize_t read_text(int fd, char *text, size_t size)
{
	size_t length = 0;
	ssize_t got;

	do {
		got = read(fd, text + length, size - 1 - length);
		if (got > 0)
			length += got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	text[length] = '\0';
	return got < 0 ? -1 : (ssize_t)length;
}

ssize_t proc_read(const char *path, char *text, size_t size)
{
	int fd = proc_open(path, O_RDONLY);
	ssize_t length;
	char more;

	if (fd < 0)
		return -1;
	length = read_text(fd, text, size);
	if (length == (ssize_t)size - 1 && read(fd, &more, 1) == 1) {
		errno = EFBIG;
		length = -1;
	}
	close(fd);
	if (length > 0 && text[length - 1] == '\n')
		text[--length] = '\0';
	return length;
}

/* The value on this line, if it is the key's; else NULL. */
static char *value_of(char *line, const char *key)
{
	size_t length = strlen(key);

	if (strncmp(line, key, length))
		return NULL;
	line += length + strspn(line + length, " \t");
	if (*line != ':')
		return NULL;
	line++;
	line[strcspn(line, "\n")] = '\0';
	return line + strspn(line, " \t");
}

int proc_value(const char *path, const char *key, char *value, size_t size)
{
	int fd = proc_open(path, O_RDONLY);
	char *line = NULL, *found = NULL;
	size_t line_size = 0;
	FILE *file;

	if (fd < 0)
		return -1;
	file = fdopen(fd, "r");
	if (!file) {
		close(fd);
		return -1;
	}
	while (!found && getline(&line, &line_size, file) > 0)
		found = value_of(line, key);
	if (found)
		snprintf(value, size, "%s", found);
	free(line);
	fclose(file);
	if (!found)
		errno = ENOENT;
	return found ? 0 : -1;
}

long proc_number(const char *path, const char *key)
{
	char value[32];
	char *rest;
	long number;

	if (proc_value(path, key, value, sizeof(value)))
		return -1;
	number = strtol(value, &rest, 10);
	return rest == value ? -1 : number;
}

int proc_status(const char *key, char *value, size_t size)
{
	return proc_value("self/status", key, value, size);
}
