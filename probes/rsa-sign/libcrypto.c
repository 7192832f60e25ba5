/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * OpenSSL. The low-level functions are deprecated since 3.0, but the EVP ones sign
 * with a copy of the key that does not heed RSA_blinding_off(), and their import
 * costs more than the signature.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <stdio.h>

#include "library.h"

static void error_text(char *text, size_t size)
{
	ERR_error_string_n(ERR_peek_error(), text, size);
	ERR_clear_error();
}

static enum verdict load(char *reason, size_t size)
{
	if (OPENSSL_init_crypto(OPENSSL_INIT_LOAD_CONFIG, NULL))
		return VERDICT_OK;
	error_text(reason, size);
	return VERDICT_UNKNOWN;
}

static const char *version(void)
{
	return OpenSSL_version(OPENSSL_VERSION);
}

static void *import_private(const struct bytes *der)
{
	const unsigned char *data = der->data;

	return d2i_RSAPrivateKey(NULL, &data, (long)der->size);
}

static void *import_public(const struct bytes *der)
{
	const unsigned char *data = der->data;

	return d2i_RSA_PUBKEY(NULL, &data, (long)der->size);
}

static void release(void *key)
{
	RSA_free(key);
}

/* SHA256() would look up a provider every time. */
static void hash(const struct bytes *message, unsigned char digest[SHA256_DIGEST_LENGTH])
{
	SHA256_CTX context;

	SHA256_Init(&context);
	SHA256_Update(&context, message->data, message->size);
	SHA256_Final(digest, &context);
}

static bool sign(void *private_key, const struct bytes *message, unsigned char *signature)
{
	unsigned char digest[SHA256_DIGEST_LENGTH];
	unsigned int size;

	hash(message, digest);
	return RSA_sign(NID_sha256, digest, sizeof(digest), signature, &size, private_key) == 1 &&
	       size == (unsigned int)RSA_size(private_key);
}

static bool verify(void *public_key, const struct bytes *message, const struct bytes *signature)
{
	unsigned char digest[SHA256_DIGEST_LENGTH];

	hash(message, digest);
	return RSA_verify(NID_sha256, digest, sizeof(digest), signature->data,
			  (unsigned int)signature->size, public_key) == 1;
}

static bool blinds(const void *private_key)
{
	return !RSA_test_flags(private_key, RSA_FLAG_NO_BLINDING);
}

static bool blinding_off(void *private_key)
{
	RSA_blinding_off(private_key);
	return !blinds(private_key);
}

const struct rsa_library libcrypto = {
	.name = "libcrypto",
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
