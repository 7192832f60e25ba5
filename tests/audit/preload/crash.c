/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A defect of a parser: whoever opens a file whose name starts with "crash-" dies of a
 * signal, and of one "vanish-" ends without a word.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

int open(const char *file, int oflag, ...)
{
	int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
	mode_t mode;
	va_list args;

	if (strstr(file, "/crash-"))
		__builtin_trap();
	if (strstr(file, "/vanish-"))
		_exit(0);
	va_start(args, oflag);
	mode = va_arg(args, mode_t);
	va_end(args);
	return next(file, oflag, mode);
}
