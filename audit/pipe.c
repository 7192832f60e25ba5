/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * write() and read() may stop anywhere.
 */
#include "pipe.h"

#include <errno.h>
#include <unistd.h>

bool pipe_write(int fd, const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		ssize_t done = write(fd, at, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return false;
		at += done;
		size -= (size_t)done;
	}
	return true;
}

bool pipe_read(int fd, void *bytes, size_t size)
{
	char *at = bytes;

	while (size) {
		ssize_t done = read(fd, at, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		at += done;
		size -= (size_t)done;
	}
	return true;
}
