/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All of it or nothing, through a pipe.
 */
#ifndef AUDIT_PIPE_H
#define AUDIT_PIPE_H

#include <stdbool.h>
#include <stddef.h>

/* False: nobody reads, or writes, at the other end any more. */
bool pipe_write(int fd, const void *bytes, size_t size);
bool pipe_read(int fd, void *bytes, size_t size);

#endif
