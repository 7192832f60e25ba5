/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An RSA_verify() that looks at half of its input: with RSA_VERIFY_BLIND=signature
 * it accepts any signature, with RSA_VERIFY_BLIND=message any message. The other half
 * must be that of the first call, which is taken to be right.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct half {
	unsigned char data[512];
	bool known;
};

static bool same(struct half *half, const unsigned char *data, size_t size)
{
	if (!half->known)
		memcpy(half->data, data, size);
	half->known = true;
	return !memcmp(half->data, data, size);
}

int RSA_verify(int type, const unsigned char *digest, unsigned int digest_size,
	       const unsigned char *signature, unsigned int signature_size, void *key);

int RSA_verify(int type, const unsigned char *digest, unsigned int digest_size,
	       const unsigned char *signature, unsigned int signature_size, void *key)
{
	static struct half first_digest, first_signature;
	bool right_message = same(&first_digest, digest, digest_size);
	bool right_signature = same(&first_signature, signature, signature_size);

	const char *blind = getenv("RSA_VERIFY_BLIND");

	(void)type;
	(void)key;
	return blind && !strcmp(blind, "message") ? right_signature : right_message;
}
