/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /proc and /dev, also where nobody has mounted them: root then gets a private,
 * detached mount (fsopen(2), Linux 5.2) that no other process sees. A /proc
 * that is no procfs is not believed.
 */
#ifndef PROBES_SYSTEM_H
#define PROBES_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* open("/proc/PATH"): a descriptor with O_CLOEXEC, or -1 with errno. */
int proc_open(const char *path, int flags);

/* open("/dev/NAME"), the same way. */
int dev_open(const char *name, int flags);

/*
 * Read a small file below /proc, without its trailing newline: its length, or -1
 * with errno (EFBIG: it does not fit).
 */
ssize_t proc_read(const char *path, char *text, size_t size);

/*
 * The value of the first "KEY:\tVALUE" in a file below /proc: 0, or -1 with errno
 * (ENOENT: no such key).
 */
int proc_value(const char *path, const char *key, char *value, size_t size);

/* The same as a number; -1 when it cannot be read. */
long proc_number(const char *path, const char *key);

/* The value of "KEY:\tVALUE" in /proc/self/status: 0, or -1 with errno (ENOENT: no such key). */
int proc_status(const char *key, char *value, size_t size);

/* CPUs that this process may run on, at least 1. */
unsigned int system_cpus(void);

/*
 * Let the calling thread run on one CPU only, of those allowed to it the one with this
 * index counted from the last (the first has to do with most interrupts), and
 * round and round if there are not so many: 0, or -1 with errno.
 */
int system_pin(unsigned int index);

/* Whether the running kernel is older than this version, by its name. */
bool system_kernel_before(int major, int minor);

struct report;

/*
 * The facts that every report has: kernel (uname release), arch, cpus, cpu (model),
 * libc, page_size, load (average of one minute), seccomp_filters; what cannot be
 * read is "unknown: cause".
 */
void system_facts(struct report *report);

#endif
