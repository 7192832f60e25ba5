/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Run-time settings: /proc/sys, or a capture of `sysctl -a`, whose complaints about
 * what it could not read may be among its lines.
 */
#ifndef AUDIT_SYSCTL_H
#define AUDIT_SYSCTL_H

#include <stdbool.h>
#include <stddef.h>

enum sysctl_state {
	SYSCTL_ABSENT,	   /* not there; in a capture that is not complete: not known */
	SYSCTL_READ,	   /* value */
	SYSCTL_UNREADABLE, /* it exists; value says why not, "permission denied" */
};

struct sysctl_value {
	enum sysctl_state state;
	char *value;	   /* blanks and tabs between numbers are one blank each */
	unsigned int line; /* in a capture, from 1; 0 otherwise */
};

struct sysctls {
	const char *source; /* a file, or "/proc/sys" */
	bool complete;	    /* the whole of /proc/sys, so that what is absent does not exist */
	struct sysctl_value *values; /* by index into catalogue.sysctls */
	size_t settings;	     /* how many lines were settings, of whatever sysctl */
};

/*
 * A capture, as `sysctl -a`, `sysctl -ar` or `grep -r . /proc/sys` print it, or a
 * file of /etc/sysctl.d ('/' and '.' alike in names). text[size] must be writable; the
 * text gets NULs in place and must stay while the result is used. Never fails.
 */
struct sysctls *sysctls_parse(char *text, size_t size, const char *source);

/* Those of the running kernel, from a folder such as /proc/sys; NULL: it is not there. */
struct sysctls *sysctls_read(const char *folder);

void sysctls_free(struct sysctls *sysctls);

#endif
