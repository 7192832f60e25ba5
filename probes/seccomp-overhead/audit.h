/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SECCOMP_OVERHEAD_AUDIT_H
#define SECCOMP_OVERHEAD_AUDIT_H

/*
 * Whether system calls are audited: then all take the slow path that is otherwise
 * seccomp's. 1 or 0 from AUDIT_GET on netlink (needs CAP_AUDIT_CONTROL); a negative
 * errno when it cannot be known, -EPROTONOSUPPORT without CONFIG_AUDIT.
 */
int audit_enabled(void);

#endif
