/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * getrandom(), and getrandom(2) by way of syscall(), claim success and give the same
 * bytes each time; or with GETRANDOM_UNTOUCHED set they write none at all.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static long constant(void *buffer, size_t length)
{
	if (!getenv("GETRANDOM_UNTOUCHED"))
		memset(buffer, 0x5c, length);
	return (long)length;
}

ssize_t getrandom(void *buffer, size_t length, unsigned int flags)
{
	(void)flags;
	return constant(buffer, length);
}

long syscall(long sysno, ...)
{
	long (*next)(long sysno, ...) = dlsym(RTLD_NEXT, "syscall");
	long words[6];
	va_list list;

	va_start(list, sysno);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(list, long);
	va_end(list);
	if (sysno == SYS_getrandom)
		return constant((void *)words[0], (size_t)words[1]);
	return next(sysno, words[0], words[1], words[2], words[3], words[4], words[5]);
}
