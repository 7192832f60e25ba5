/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An RSA_sign() of which one bit is wrong, as on a machine whose memory or CPU is
 * not to be trusted. With RSA_SIGN_RIGHT=n, the first n signatures of a process are
 * right.
 */
#include <dlfcn.h>
#include <stdlib.h>

int RSA_sign(int type, const unsigned char *digest, unsigned int digest_size,
	     unsigned char *signature, unsigned int *signature_size, void *key);

int RSA_sign(int type, const unsigned char *digest, unsigned int digest_size,
	     unsigned char *signature, unsigned int *signature_size, void *key)
{
	static int calls;
	typeof(RSA_sign) *next = (typeof(RSA_sign) *)dlsym(RTLD_NEXT, "RSA_sign");
	const char *right = getenv("RSA_SIGN_RIGHT");
	int result = next(type, digest, digest_size, signature, signature_size, key);

	if (++calls > (right ? strtol(right, NULL, 10) : 0))
		signature[100] ^= 0x10;
	return result;
}
