/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Entropy: two draws, which must both come and must differ, so that a call which
 * reports success and does nothing is noticed.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "check.h"

#define BYTES 32

struct source {
	const char *call;
	/* Fill the bytes: how many, or -1 with errno. */
	ssize_t (*draw)(int fd, unsigned char *bytes);
	int fd;
};

static int draw_twice(const struct source *source)
{
	unsigned char bytes[2][BYTES] = {{0}};
	ssize_t got;

	for (int i = 0; i < 2; i++) {
		got = source->draw(source->fd, bytes[i]);
		if (got < 0)
			return check_refused(source->call, errno == EAGAIN ? UNPROVEN : FAILED);
		if (got != BYTES) {
			child_note("%s returned %zd of %d bytes", source->call, got, BYTES);
			return FAILED;
		}
	}
	if (!memcmp(bytes[0], bytes[1], BYTES)) {
		child_note("%s gave the same %d bytes twice", source->call, BYTES);
		return FAILED;
	}
	return PASSED;
}

/* EAGAIN: the kernel's generator is not ready yet. */
static ssize_t draw_getrandom(int fd, unsigned char *bytes)
{
	(void)fd;
	return syscall(__NR_getrandom, bytes, BYTES, GRND_NONBLOCK);
}

static ssize_t draw_getentropy(int fd, unsigned char *bytes)
{
	(void)fd;
	return getentropy(bytes, BYTES) ? -1 : BYTES;
}

static ssize_t draw_read(int fd, unsigned char *bytes)
{
	return read(fd, bytes, BYTES);
}

int check_getrandom(const struct sandbox *sandbox)
{
	const struct source source = {.call = "getrandom", .draw = draw_getrandom};

	sandbox_enter(sandbox);
	child_stage("draw 32 bytes, twice");
	return draw_twice(&source);
}

int check_getentropy(const struct sandbox *sandbox)
{
	const struct source source = {.call = "getentropy", .draw = draw_getentropy};

	sandbox_enter(sandbox);
	child_stage("draw 32 bytes, twice");
	return draw_twice(&source);
}

static int open_urandom(void)
{
	child_stage("open /dev/urandom");
	return open("/dev/urandom", O_RDONLY | O_CLOEXEC);
}

/* Linux devices.txt: 1:9. Whoever made a chroot may have made it a regular file. */
static int read_urandom(int fd)
{
	const struct source source = {.call = "read", .draw = draw_read, .fd = fd};
	struct stat info;

	child_stage("look at /dev/urandom");
	if (fstat(fd, &info))
		return check_refused("fstat", FAILED);
	if (!S_ISCHR(info.st_mode) || info.st_rdev != makedev(1, 9)) {
		child_note("it is not the character device 1:9");
		return FAILED;
	}
	child_stage("read /dev/urandom");
	return draw_twice(&source);
}

int check_urandom(const struct sandbox *sandbox)
{
	int fd;

	sandbox_enter(sandbox);
	fd = open_urandom();
	return fd < 0 ? check_refused("open", FAILED) : read_urandom(fd);
}

/* A library without getrandom() keeps its descriptor for good. */
int check_urandom_kept(const struct sandbox *sandbox)
{
	int fd = open_urandom();

	if (fd < 0)
		return check_refused("open", UNPROVEN);
	sandbox_enter(sandbox);
	return read_urandom(fd);
}
