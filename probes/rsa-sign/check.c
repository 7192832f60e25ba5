/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is the library there, and does it sign right? The signature must be the known
 * answer, byte for byte, and the public key, which is parsed from other bytes, must
 * accept it. The negative control is part of the check: verification which accepts
 * a forged signature, or this one for another message, has proven nothing.
 */
#include <stdio.h>
#include <string.h>

#include "child.h"
#include "rsa-sign.h"

struct check {
	const struct rsa_library *library;
	const struct test_key *key;
};

/* Exit statuses of the children, which no library that gives up ends with */
enum { RIGHT = 64, WRONG, NOT_HERE, NOT_LOADED };

#define wrong(...) (child_note(__VA_ARGS__), WRONG)

static int load(const struct rsa_library *library)
{
	char reason[160];

	child_stage("load");
	switch (library->load(reason, sizeof(reason))) {
	case VERDICT_OK:
		return RIGHT;
	case VERDICT_NA:
		child_note("%s", reason);
		return NOT_HERE;
	default:
		child_note("%s", reason);
		return NOT_LOADED;
	}
}

static int library_body(void *arg)
{
	const struct rsa_library *library = arg;
	int status = load(library);

	if (status == RIGHT)
		child_note("%s", library->version());
	return status;
}

enum verdict child_verdict(const struct child *child)
{
	return child->end == CHILD_NOT_STARTED ? VERDICT_UNKNOWN : VERDICT_FAIL;
}

static enum verdict library_verdict(const struct child *child)
{
	if (child->end != CHILD_EXITED)
		return child_verdict(child);
	if (child->value == RIGHT)
		return VERDICT_OK;
	return child->value == NOT_HERE ? VERDICT_NA : VERDICT_UNKNOWN;
}

/* What the child said, or how it ended. */
static void describe(const struct child *child, char *text, size_t size)
{
	if (child->end == CHILD_EXITED && child->note[0])
		snprintf(text, size, "%s", child->note);
	else
		child_describe(child, text, size);
}

bool report_library(struct report *report, const struct rsa_library *library)
{
	struct result *result;
	struct child child;
	enum verdict verdict;
	char end[256];

	child_run(&child, library_body, (void *)library, CHILD_MS);
	verdict = library_verdict(&child);
	describe(&child, end, sizeof(end));
	result = report_add(report, "library", library->name, verdict, "%s",
			    verdict == VERDICT_OK ? "" : end);
	if (verdict == VERDICT_OK)
		result_outcome(result, "%s", end);
	return verdict == VERDICT_OK;
}

static int sign_error(const struct rsa_library *library)
{
	char text[120];

	library->error(text, sizeof(text));
	return wrong("no signature: %s", text);
}

static int compare(const unsigned char *signature, const struct bytes *expected)
{
	size_t i = 0;

	while (i < expected->size && signature[i] == expected->data[i])
		i++;
	if (i == expected->size)
		return RIGHT;
	return wrong("signature differs from the known answer at byte %zu", i);
}

/* One bit off in the first, the middle and the last byte. */
static int check_forgeries(const struct rsa_library *library, void *public_key,
			   const struct bytes *signature)
{
	const size_t places[] = {0, signature->size / 2, signature->size - 1};
	unsigned char data[SIGNATURE_MAX];
	const struct bytes forged = {data, signature->size};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		memcpy(data, signature->data, signature->size);
		data[places[i]] ^= 1;
		if (library->verify(public_key, &test_message, &forged))
			return wrong("verify accepts a signature with a flipped bit in byte %zu",
				     places[i]);
	}
	return RIGHT;
}

static int check_verify(const struct rsa_library *library, const struct test_key *key,
			const unsigned char *data)
{
	const struct bytes signature = {data, key->signature.size};
	const struct bytes other = {test_message.data, test_message.size - 1};
	void *public_key;

	child_stage("import of the public key");
	public_key = library->import_public(&key->public_key);
	if (!public_key)
		return wrong("the public key is refused");
	child_stage("verify");
	if (!library->verify(public_key, &test_message, &signature))
		return wrong("verify refuses the right signature");
	if (library->verify(public_key, &other, &signature))
		return wrong("verify accepts the signature for another message");
	if (check_forgeries(library, public_key, &signature) != RIGHT)
		return WRONG;
	library->release(public_key);
	return RIGHT;
}

static int check_sign(const struct rsa_library *library, const struct test_key *key,
		      unsigned char *signature)
{
	void *private_key;

	child_stage("import of the private key");
	private_key = library->import_private(&key->private_key);
	if (!private_key)
		return wrong("the private key is refused");
	if (!library->blinds(private_key))
		return wrong("blinding is off without being asked to");
	child_stage("sign");
	if (!library->sign(private_key, &test_message, signature))
		return sign_error(library);
	library->release(private_key);
	return compare(signature, &key->signature);
}

static int signature_body(void *arg)
{
	const struct check *check = arg;
	unsigned char signature[SIGNATURE_MAX] = {0};
	int status = load(check->library);

	if (status == RIGHT)
		status = check_sign(check->library, check->key, signature);
	if (status == RIGHT)
		status = check_verify(check->library, check->key, signature);
	return status;
}

/* What the child said, or how it ended, and the lack of entropy which may be the cause. */
static void explain(const struct child *child, char *text, size_t size)
{
	char entropy[200];
	char end[256];

	describe(child, end, sizeof(end));
	entropy_cause(entropy, sizeof(entropy));
	snprintf(text, size, "%s%s%s%s", end, entropy[0] ? " (no entropy from " : "", entropy,
		 entropy[0] ? ")" : "");
}

bool report_signature(struct report *report, const struct rsa_library *library,
		      const struct test_key *key)
{
	struct check check = {library, key};
	struct child child;
	char name[64];
	char text[512];

	snprintf(name, sizeof(name), "%s-%u-signature", library->name, key->bits);
	child_run(&child, signature_body, &check, CHILD_MS);
	if (child.end == CHILD_EXITED && child.value == RIGHT) {
		report_add(report, "signature", name, VERDICT_OK, "%s", "");
		return true;
	}
	explain(&child, text, sizeof(text));
	report_add(report, "signature", name, child_verdict(&child), "%s", text);
	return false;
}
