/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A seccomp(2) that loads nothing and says that it did, and a PR_GET_SECCOMP that
 * agrees: what a probe under a half-hearted emulator would see. With LIAR_ALLOWS in the
 * environment it loads a filter, but one that allows everything.
 */
#include <dlfcn.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef long syscall_function(long number, ...);
typedef int prctl_function(int option, ...);

static bool lied;

static long lie(syscall_function *real, unsigned int flags, const void *program)
{
	static struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	static const struct sock_fprog all = {.len = 1, .filter = &allow};

	if (!program) {
		errno = EFAULT;
		return -1;
	}
	if (getenv("LIAR_ALLOWS"))
		return real(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &all);
	lied = true;
	return 0;
}

long syscall(long number, ...)
{
	syscall_function *real = (syscall_function *)dlsym(RTLD_NEXT, "syscall");
	long a[6];
	va_list arguments;

	va_start(arguments, number);
	for (size_t i = 0; i < 6; i++)
		a[i] = va_arg(arguments, long);
	va_end(arguments);
	if (number == SYS_seccomp && a[0] == SECCOMP_SET_MODE_FILTER)
		return lie(real, a[1], (const void *)a[2]);
	return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

int prctl(int option, ...)
{
	prctl_function *real = (prctl_function *)dlsym(RTLD_NEXT, "prctl");
	unsigned long a[4];
	va_list arguments;

	va_start(arguments, option);
	for (size_t i = 0; i < 4; i++)
		a[i] = va_arg(arguments, unsigned long);
	va_end(arguments);
	if (option == PR_GET_SECCOMP && lied)
		return SECCOMP_MODE_FILTER;
	return real(option, a[0], a[1], a[2], a[3]);
}
