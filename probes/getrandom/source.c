/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ways to get random bytes.
 *
 * libbsd and glibc (2.36) both define arc4random_buf(). Which one a program calls
 * is decided by the order in which they are linked, and they differ: libbsd has a
 * generator in user space that calls getpid(2) each time, lest it miss a fork;
 * glibc's is getrandom(2). So they are taken from the library by its name. A
 * static program has one only, libbsd's as this one is linked; what it does tells
 * which it is (see path.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <bsd/stdlib.h>

#include "elf.h"
#include "source.h"
#include "system.h"

static ssize_t fill_syscall(const struct source *source, unsigned int thread, void *buffer,
			    size_t length)
{
	long got = syscall(SYS_getrandom, buffer, length, 0);

	(void)source;
	(void)thread;
	return got < 0 ? -errno : got;
}

static ssize_t fill_libc(const struct source *source, unsigned int thread, void *buffer,
			 size_t length)
{
	ssize_t got = getrandom(buffer, length, 0);

	(void)source;
	(void)thread;
	return got < 0 ? -errno : got;
}

static ssize_t fill_getentropy(const struct source *source, unsigned int thread, void *buffer,
			       size_t length)
{
	(void)source;
	(void)thread;
	return getentropy(buffer, length) ? -errno : (ssize_t)length;
}

static ssize_t fill_urandom(const struct source *source, unsigned int thread, void *buffer,
			    size_t length)
{
	ssize_t got = read(source->fd, buffer, length);

	(void)thread;
	return got < 0 ? -errno : got;
}

static ssize_t fill_arc4random(const struct source *source, unsigned int thread, void *buffer,
			       size_t length)
{
	(void)thread;
	source->arc4random_buf(buffer, length);
	return (ssize_t)length;
}

static ssize_t fill_vdso(const struct source *source, unsigned int thread, void *buffer,
			 size_t length)
{
	return source->vdso.getrandom(buffer, length, 0, vdso_state(&source->states, thread),
				      source->vdso.params.size_of_opaque_state);
}

static void absent(struct source *source, enum verdict verdict, const char *reason)
{
	source->verdict = verdict;
	source->reason = reason;
}

static void open_urandom(struct source *source)
{
	struct stat status;

	source->fd = dev_open("urandom", O_RDONLY | O_CLOEXEC);
	if (source->fd < 0) {
		absent(source, errno == ENOENT ? VERDICT_NA : VERDICT_UNKNOWN,
		       "/dev/urandom cannot be opened");
		return;
	}
	if (fstat(source->fd, &status) || !S_ISCHR(status.st_mode) ||
	    status.st_rdev != makedev(1, 9))
		absent(source, VERDICT_FAIL, "/dev/urandom is not character device 1:9");
}

static void open_libbsd(struct source *source)
{
	struct elf_symbols symbols = {0};

	source->arc4random_buf = arc4random_buf;
	if (!elf_loaded(&symbols, "libbsd.so."))
		source->arc4random_buf = elf_function(&symbols, "arc4random_buf");
	if (!source->arc4random_buf)
		absent(source, VERDICT_NA, "libbsd has no arc4random_buf");
}

static void open_libc_arc4random(struct source *source)
{
	struct elf_symbols symbols = {0};

	if (elf_loaded(&symbols, "libc.so.")) {
		absent(source, VERDICT_NA,
		       "static program: libbsd's arc4random_buf hides the C library's");
		return;
	}
	source->arc4random_buf = elf_function(&symbols, "arc4random_buf");
	if (!source->arc4random_buf)
		absent(source, VERDICT_NA,
		       "no arc4random_buf in the C library: glibc has it from 2.36");
}

static void open_vdso(struct source *source, unsigned int threads)
{
	const char *reason = vdso_find(&source->vdso);

	if (reason)
		absent(source, VERDICT_NA, reason);
	else if (!vdso_states_map(&source->states, &source->vdso, threads,
				  (int)source->vdso.params.mmap_flags))
		return;
	else if (errno == ENOMEM || errno == EAGAIN)
		absent(source, VERDICT_UNKNOWN, "no memory for states of the vDSO");
	else
		absent(source, VERDICT_FAIL, "mmap() refuses the flags that the vDSO asks for");
}

void sources_open(struct source sources[SOURCES], unsigned int threads)
{
	static const struct source table[SOURCES] = {
		[SOURCE_SYSCALL] = {.name = "syscall", .fill = fill_syscall},
		[SOURCE_LIBC] = {.name = "libc", .fill = fill_libc},
		[SOURCE_GETENTROPY] = {.name = "getentropy", .fill = fill_getentropy},
		[SOURCE_URANDOM] = {.name = "urandom", .fill = fill_urandom},
		[SOURCE_LIBBSD] = {.name = "arc4random-libbsd", .fill = fill_arc4random},
		[SOURCE_LIBC_ARC4RANDOM] = {.name = "arc4random-libc", .fill = fill_arc4random},
		[SOURCE_VDSO] = {.name = "vdso", .fill = fill_vdso},
	};

	for (size_t i = 0; i < SOURCES; i++) {
		sources[i] = table[i];
		sources[i].fd = -1;
		sources[i].verdict = VERDICT_OK;
		sources[i].reason = "";
	}
	open_urandom(&sources[SOURCE_URANDOM]);
	open_libbsd(&sources[SOURCE_LIBBSD]);
	open_libc_arc4random(&sources[SOURCE_LIBC_ARC4RANDOM]);
	open_vdso(&sources[SOURCE_VDSO], threads);
}

void sources_close(struct source sources[SOURCES])
{
	if (sources[SOURCE_URANDOM].fd >= 0)
		close(sources[SOURCE_URANDOM].fd);
	if (sources[SOURCE_VDSO].states.memory)
		vdso_states_unmap(&sources[SOURCE_VDSO].states);
}
