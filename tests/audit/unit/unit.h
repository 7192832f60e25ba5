/* SPDX-License-Identifier: GPL-2.0-only */
/* What cmocka needs, and what several unit tests do. */
#ifndef TESTS_AUDIT_UNIT_H
#define TESTS_AUDIT_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static inline void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

static inline void assert_has_not(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("\"%s\" is in:\n%s", part, text);
}

/* A new file with that text: its path, the caller's to remove and to free. */
static inline char *file_with(const void *text, size_t size)
{
	char *path = strdup("/tmp/unit.XXXXXX");
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, size), size);
	close(fd);
	return path;
}

#endif
