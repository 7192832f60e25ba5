/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The work whose cost is measured: signatures with a key that is kept, or with one
 * that is imported for each of them. Every signature is compared with the known
 * answer.
 */
#ifndef RSA_SIGN_WORK_H
#define RSA_SIGN_WORK_H

#include "library.h"
#include "measure.h"

struct work {
	const struct rsa_library *library;
	const struct test_key *key;
	bool import; /* for each signature */
	bool unblinded;
	bool own_keys; /* of each thread */
	unsigned int threads;
	void **keys; /* of the threads, once prepared */
	char reason[160];
};

/* The work as a workload, without a name; it refers to work. */
struct workload work_load(struct work *work);

/* What an error of such a workload says of the library. */
enum verdict work_verdict(const char *error);

#endif
