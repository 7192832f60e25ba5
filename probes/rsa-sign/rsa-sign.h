/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the probe. Each runs a library in children only, so that a library
 * which aborts or hangs is a result.
 */
#ifndef RSA_SIGN_H
#define RSA_SIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "library.h"
#include "report.h"

struct child;

enum { CHILD_MS = 20000 };

/* Of a child that is not all right: a failure, unless it never started. */
enum verdict child_verdict(const struct child *child);

/* Is the library here? True when the rest makes sense. */
bool report_library(struct report *report, const struct rsa_library *library);

/*
 * One signature against the known answer, what verification must accept, and what
 * it must refuse. True when all is right.
 */
bool report_signature(struct report *report, const struct rsa_library *library,
		      const struct test_key *key);

/* Loading, import and the first signature, each in that many fresh processes. */
void report_first(struct report *report, const struct rsa_library *library,
		  const struct test_key *key, unsigned int processes);

/*
 * What a signature costs after that, in one thread and one per CPU, and what of it
 * is blinding. Returns the percentage of import and signature which blinding takes,
 * or NaN.
 */
double report_cost(struct report *report, const struct rsa_library *library,
		   const struct test_key *key, double seconds);

/*
 * Why a process like this one gets no randomness: "getrandom: ENOSYS, /dev/urandom:
 * ENOENT", or "" when both give some. Returns text.
 */
const char *entropy_cause(char *text, size_t size);

#endif
