/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The BPF JIT and its constant blinding, as two sysctls tell and change them. Either
 * counts for a filter when it is loaded, not when it runs.
 */
#ifndef SECCOMP_OVERHEAD_JIT_H
#define SECCOMP_OVERHEAD_JIT_H

#include <stdbool.h>

#include "sysctl.h"
#include "verdict.h"

enum jit_state { JIT_UNKNOWN, JIT_ABSENT, JIT_OFF, JIT_ON };

struct toggle {
	enum verdict verdict; /* ok when filters were loaded with the sysctl switched */
	char why[200];
};

struct jit {
	enum jit_state state; /* as the probe found it */
	bool always;	      /* the kernel refuses to turn it off */
	int value;	      /* of the sysctl, or -1 and why */
	const char *unread;
	int harden; /* of the other sysctl, or -1 and why */
	const char *harden_unread;
	struct toggle toggled, hardened;
	int lock; /* a descriptor, or -1 */
	bool locked_out;
	bool changed;		/* a sysctl was, for a while */
	char not_restored[200]; /* "", or which sysctl is not as it was, and why */
};

/*
 * From jit_look() to jit_unlock() no other run of this probe switches the JIT. When the lock
 * cannot be had, neither does this one. What is not there at all is told apart from what
 * cannot be read.
 */
void jit_look(struct jit *jit);
void jit_unlock(struct jit *jit);

/*
 * Call load(arg) while the JIT is switched the other way, or constant blinding is on
 * for everybody; what was the case before is the case again when it returns. ->toggled
 * or ->hardened says how it went. False when load(arg) was not called, or when the sysctl
 * did not stay as it was put meanwhile.
 */
bool jit_with_toggled(struct jit *jit, void (*load)(void *arg), void *arg);
bool jit_with_harden(struct jit *jit, void (*load)(void *arg), void *arg);

#endif
