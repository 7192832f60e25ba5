/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BoringSSL, as Debian has it: android-libboringssl's libcrypto.so.0, a shared
 * library only, with the same names of functions as OpenSSL's libcrypto. It is
 * loaded at run time, with RTLD_DEEPBIND, so that it calls its own functions and
 * not OpenSSL's. dlmopen(3) would keep the two apart as well, but with a second C
 * library, which hands out the same keys of thread-specific data once more.
 *
 * The types come from its own headers, which the Makefile offers to this file
 * alone.
 */
#include <stdio.h>
#include <string.h>

#include "library.h"

#if __has_include(<openssl/is_boringssl.h>)

#include <dlfcn.h>
#include <link.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/nid.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <unistd.h>

#if defined(__x86_64__)
#define TRIPLET "x86_64-linux-gnu"
#elif defined(__i386__)
#define TRIPLET "i386-linux-gnu"
#elif defined(__aarch64__)
#define TRIPLET "aarch64-linux-gnu"
#elif defined(__arm__)
#define TRIPLET "arm-linux-gnueabihf"
#else
#define TRIPLET "unknown"
#endif

#ifndef __has_feature /* clang has */
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER true
#else
#define ADDRESS_SANITIZER false
#endif

static const char path[] = "/usr/lib/" TRIPLET "/android/libcrypto.so.0";

/* clang-format off */
#define FUNCTIONS(use)			\
	use(CRYPTO_library_init)	\
	use(OpenSSL_version)		\
	use(ERR_peek_error)		\
	use(ERR_clear_error)		\
	use(ERR_error_string_n)		\
	use(SHA256)			\
	use(d2i_RSAPrivateKey)		\
	use(d2i_RSA_PUBKEY)		\
	use(RSA_free)			\
	use(RSA_size)			\
	use(RSA_sign)			\
	use(RSA_verify)			\
	use(RSA_test_flags)
#define MEMBER(function) typeof(function) *function;
#define SYMBOL(function) {#function, &api.function},
/* clang-format on */

/* Set once, by load() */
static struct {
	FUNCTIONS(MEMBER)
} api;

static const struct {
	const char *name;
	void *member;
} symbols[] = {FUNCTIONS(SYMBOL)};

static bool load_symbols(void *handle, char *reason, size_t size)
{
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		void *address = dlsym(handle, symbols[i].name);

		if (!address) {
			snprintf(reason, size, "%s has no %s", path, symbols[i].name);
			return false;
		}
		memcpy(symbols[i].member, &address, sizeof(address));
	}
	return true;
}

/* The program itself comes first; it has an interpreter unless it is static. */
static int has_interpreter(struct dl_phdr_info *info, size_t size, void *arg)
{
	bool *found = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_INTERP)
			*found = true;
	return 1;
}

static const char *why_not_here(void)
{
	bool dynamic = false;

	if (ADDRESS_SANITIZER)
		return "AddressSanitizer does not allow RTLD_DEEPBIND";
	dl_iterate_phdr(has_interpreter, &dynamic);
	if (!dynamic)
		return "this is a static program, and BoringSSL a shared library only";
	if (access(path, R_OK))
		return "android-libboringssl is not installed";
	return NULL;
}

static enum verdict load(char *reason, size_t size)
{
	const char *missing = why_not_here();
	void *handle;

	if (missing) {
		snprintf(reason, size, "%s", missing);
		return VERDICT_NA;
	}
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
	if (!handle) {
		snprintf(reason, size, "%s", dlerror());
		return VERDICT_UNKNOWN;
	}
	if (!load_symbols(handle, reason, size))
		return VERDICT_UNKNOWN;
	api.CRYPTO_library_init();
	return VERDICT_OK;
}

static const char *version(void)
{
	return api.OpenSSL_version(OPENSSL_VERSION);
}

static void *import_private(const struct bytes *der)
{
	const unsigned char *data = der->data;

	return api.d2i_RSAPrivateKey(NULL, &data, (long)der->size);
}

static void *import_public(const struct bytes *der)
{
	const unsigned char *data = der->data;

	return api.d2i_RSA_PUBKEY(NULL, &data, (long)der->size);
}

static void release(void *key)
{
	api.RSA_free(key);
}

static bool sign(void *private_key, const struct bytes *message, unsigned char *signature)
{
	unsigned char digest[SHA256_DIGEST_LENGTH];
	unsigned int size;

	api.SHA256(message->data, message->size, digest);
	return api.RSA_sign(NID_sha256, digest, sizeof(digest), signature, &size, private_key) &&
	       size == api.RSA_size(private_key);
}

static bool verify(void *public_key, const struct bytes *message, const struct bytes *signature)
{
	unsigned char digest[SHA256_DIGEST_LENGTH];

	api.SHA256(message->data, message->size, digest);
	return api.RSA_verify(NID_sha256, digest, sizeof(digest), signature->data, signature->size,
			      public_key);
}

static bool blinds(const void *private_key)
{
	return !api.RSA_test_flags(private_key, RSA_FLAG_NO_BLINDING);
}

/*
 * There is no function for it. The structure is open to writing up to API 22; then
 * it became opaque, and from API 37 on (commit 5f4f26f59c36, December 2025) nothing
 * is blinded.
 */
static bool blinding_off(void *private_key)
{
#if BORINGSSL_API_VERSION < 23
	RSA *rsa = private_key;

	rsa->flags |= RSA_FLAG_NO_BLINDING;
#endif
	return !blinds(private_key);
}

static void error_text(char *text, size_t size)
{
	api.ERR_error_string_n(api.ERR_peek_error(), text, size);
	api.ERR_clear_error();
}

const struct rsa_library boringssl = {
	.name = "boringssl",
	.load = load,
	.version = version,
	.import_private = import_private,
	.import_public = import_public,
	.release = release,
	.sign = sign,
	.verify = verify,
	.blinds = blinds,
	.blinding_off = blinding_off,
	.error = error_text,
};

#else

static enum verdict load(char *reason, size_t size)
{
	snprintf(reason, size, "built without android-libboringssl-dev");
	return VERDICT_NA;
}

/* load() says that the rest is not to be called. */
const struct rsa_library boringssl = {.name = "boringssl", .load = load};

#endif
