/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The RSA_sign() which a program looks up by dlsym(3) gets one bit wrong. One that
 * it is linked with stays right.
 */
#include <dlfcn.h>
#include <string.h>

typedef void *lookup(void *handle, const char *name);
typedef int sign(int type, const unsigned char *digest, size_t digest_size,
		 unsigned char *signature, unsigned int *signature_size, void *key);

static sign *right;

static int wrong(int type, const unsigned char *digest, size_t digest_size,
		 unsigned char *signature, unsigned int *signature_size, void *key)
{
	int result = right(type, digest, digest_size, signature, signature_size, key);

	signature[200] ^= 1;
	return result;
}

void *dlsym(void *handle, const char *name)
{
	/* On every architecture since glibc 2.34, which moved it from libdl */
	lookup *next = (lookup *)dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	void *address = next(handle, name);

	if (!address || strcmp(name, "RSA_sign"))
		return address;
	right = (sign *)address;
	return (void *)wrong;
}
