/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * getrandom(2), by way of syscall(), as early at boot: GRND_NONBLOCK gives EAGAIN, a call
 * that waits makes it ready after WAIT_MS. The words in GETRANDOM_NOT_READY make it
 * wrong: "touches" writes to the buffer before EAGAIN, "serves" gives bytes to
 * GRND_NONBLOCK but the first, "waits" lets GRND_INSECURE wait, "never" gets never ready.
 * The vDSO is not replaced: it gives bytes which it should not.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WAIT_MS 300

struct shared {
	bool ready;
	unsigned int refused;
};

static struct shared *shared;

__attribute__((constructor)) static void share(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
}

static bool wrong(const char *word)
{
	const char *how = getenv("GETRANDOM_NOT_READY");

	return how && strcmp(how, word) == 0;
}

static void wait_until_ready(void)
{
	while (wrong("never"))
		pause();
	usleep(WAIT_MS * 1000);
	shared->ready = true;
}

static long early(unsigned char *buffer, size_t length, unsigned int flags)
{
	if (flags & GRND_INSECURE) {
		if (wrong("waits"))
			wait_until_ready();
	} else if (!(flags & GRND_NONBLOCK)) {
		wait_until_ready();
	} else if (!wrong("serves") || !shared->refused++) {
		if (wrong("touches"))
			buffer[length - 1] ^= 1;
		errno = EAGAIN;
		return -1;
	}
	return getrandom(buffer, length, 0);
}

long syscall(long sysno, ...)
{
	long (*next)(long number, ...) = dlsym(RTLD_NEXT, "syscall");
	long words[6];
	va_list list;

	va_start(list, sysno);
	for (int i = 0; i < 6; i++)
		words[i] = va_arg(list, long);
	va_end(list);
	if (sysno == SYS_getrandom && !shared->ready && words[2] < 0x10)
		return early((unsigned char *)words[0], (size_t)words[1], (unsigned int)words[2]);
	return next(sysno, words[0], words[1], words[2], words[3], words[4], words[5]);
}
