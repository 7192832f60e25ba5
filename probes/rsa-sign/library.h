/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The libraries whose RSA is tried, behind one table each. A process loads one of
 * them only: they share names of functions, and the first use of a library is
 * something to be timed. So everything here is called in a child process, after
 * load().
 */
#ifndef RSA_SIGN_LIBRARY_H
#define RSA_SIGN_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "keys.h"
#include "verdict.h"

struct rsa_library {
	const char *name;
	/* Load and initialise: ok, or n/a or unknown with the reason. */
	enum verdict (*load)(char *reason, size_t size);
	const char *(*version)(void);
	/* NULL when the DER is refused. */
	void *(*import_private)(const struct bytes *der);
	void *(*import_public)(const struct bytes *der);
	void (*release)(void *key);
	/* PKCS#1 v1.5 with SHA-256; the signature is as long as the key. */
	bool (*sign)(void *private_key, const struct bytes *message, unsigned char *signature);
	bool (*verify)(void *public_key, const struct bytes *message,
		       const struct bytes *signature);
	bool (*blinds)(const void *private_key);
	/* Only to see what blinding costs. False when this library cannot do without. */
	bool (*blinding_off)(void *private_key);
	/* The library's own words for what failed last. */
	void (*error)(char *text, size_t size);
};

extern const struct rsa_library libcrypto;
extern const struct rsa_library boringssl;

#endif
