/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Keys, a message, and the one right signature of it with each key.
 */
#ifndef RSA_SIGN_KEYS_H
#define RSA_SIGN_KEYS_H

#include <stddef.h>

struct bytes {
	const unsigned char *data;
	size_t size;
};

struct test_key {
	unsigned int bits;
	struct bytes private_key; /* RSAPrivateKey, DER */
	struct bytes public_key;  /* SubjectPublicKeyInfo, DER */
	struct bytes signature;	  /* of test_message: PKCS#1 v1.5 with SHA-256 */
};

enum { TEST_KEYS = 3, SIGNATURE_MAX = 4096 / 8 };

extern const struct test_key test_keys[TEST_KEYS];
extern const struct bytes test_message;

#endif
