/* SPDX-License-Identifier: GPL-2.0-only */
#include "work.h"

#include <stdlib.h>
#include <string.h>

static const char wrong_signature[] = "wrong signature";
static const char refused_key[] = "the private key is refused";
static const char always_blinded[] = "this library has no switch for blinding";

static const char *import_key(const struct work *work, void **key)
{
	*key = work->library->import_private(&work->key->private_key);
	if (!*key)
		return refused_key;
	if (!work->unblinded || work->library->blinding_off(*key))
		return NULL;
	work->library->release(*key);
	return always_blinded;
}

static const char *prepare(void *ctx)
{
	struct work *work = ctx;
	unsigned int own = work->own_keys ? work->threads : 1;

	if (work->library->load(work->reason, sizeof(work->reason)) != VERDICT_OK)
		return work->reason;
	work->keys = calloc(work->threads, sizeof(*work->keys));
	if (!work->keys)
		return "out of memory";
	for (unsigned int i = 0; i < own; i++) {
		const char *error = import_key(work, &work->keys[i]);

		if (error)
			return error;
	}
	for (unsigned int i = own; i < work->threads; i++)
		work->keys[i] = work->keys[0];
	return NULL;
}

static bool sign_right(const struct work *work, void *key)
{
	const struct bytes *answer = &work->key->signature;
	unsigned char signature[SIGNATURE_MAX];

	return work->library->sign(key, &test_message, signature) &&
	       !memcmp(signature, answer->data, answer->size);
}

static const char *run_kept(void *ctx, unsigned int thread, unsigned long operations)
{
	const struct work *work = ctx;

	while (operations--)
		if (!sign_right(work, work->keys[thread]))
			return wrong_signature;
	return NULL;
}

static const char *run_imported(void *ctx, unsigned int thread, unsigned long operations)
{
	const struct work *work = ctx;

	(void)thread;
	while (operations--) {
		void *key;
		const char *error = import_key(work, &key);
		bool right;

		if (error)
			return error;
		right = sign_right(work, key);
		work->library->release(key);
		if (!right)
			return wrong_signature;
	}
	return NULL;
}

struct workload work_load(struct work *work)
{
	return (struct workload){
		.prepare = prepare,
		.run = work->import ? run_imported : run_kept,
		.ctx = work,
		.threads = work->threads,
	};
}

/* A library that was right before and now dies is wrong, too; a thread too many is not. */
enum verdict work_verdict(const char *error)
{
	if (!strcmp(error, always_blinded))
		return VERDICT_NA;
	if (!strcmp(error, wrong_signature) || !strcmp(error, refused_key) ||
	    !strncmp(error, "killed by", strlen("killed by")))
		return VERDICT_FAIL;
	return VERDICT_UNKNOWN;
}
