/* SPDX-License-Identifier: GPL-2.0-only */
/* For the tests of ktap.c, json.c and table.c: what cmocka needs, and a report as a string. */
#ifndef TESTS_PRINTED_H
#define TESTS_PRINTED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/output.h"

typedef int (*print_function)(const struct report *report, FILE *out);

/* The caller's to free(). */
static inline char *printed(const struct report *report, print_function print)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(print(report, out), 0);
	fclose(out);
	return text;
}

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

/* Setup and teardown for a path in /dev: code that is wrong must not be able to replace it. */
static inline int become_ordinary(void **state)
{
	(void)state;
	return geteuid() ? 0 : seteuid(65534);
}

static inline int become_root_again(void **state)
{
	(void)state;
	return getuid() ? 0 : seteuid(0);
}

/* Printing to a full disk is an error. */
static inline void assert_full_is_told(const struct report *report, print_function print)
{
	FILE *full = fopen("/dev/full", "w");

	assert_non_null(full);
	assert_int_equal(print(report, full), -1);
	fclose(full);
}

#endif
