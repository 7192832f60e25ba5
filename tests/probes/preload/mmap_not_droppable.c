/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mmap() takes MAP_DROPPABLE (Linux 6.11) for MAP_PRIVATE, so that a fork copies what
 * should be zero in a child.
 */
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#define DROPPABLE 0x08

void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
	if ((flags & MAP_TYPE) == DROPPABLE)
		flags = (flags & ~MAP_TYPE) | MAP_PRIVATE;
	return (void *)syscall(SYS_mmap, addr, len, prot, flags, fd, offset);
}
