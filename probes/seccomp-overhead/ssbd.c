/* SPDX-License-Identifier: GPL-2.0-only */
#include "ssbd.h"

#include <errno.h>
#include <linux/prctl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

int ssbd_state(void)
{
	int state = prctl(PR_GET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, 0, 0, 0);

	return state < 0 ? -errno : state;
}

int ssbd_turn_on(void)
{
	return prctl(PR_SET_SPECULATION_CTRL, PR_SPEC_STORE_BYPASS, PR_SPEC_DISABLE, 0, 0) ? -errno
											   : 0;
}

const char *ssbd_words(int state, char *text, size_t size)
{
	static const struct {
		int state;
		const char *words;
	} known[] = {
		{PR_SPEC_NOT_AFFECTED, "not vulnerable"},
		{PR_SPEC_ENABLE, "vulnerable"},
		{PR_SPEC_DISABLE, "globally mitigated"},
		{PR_SPEC_PRCTL | PR_SPEC_ENABLE, "thread vulnerable"},
		{PR_SPEC_PRCTL | PR_SPEC_DISABLE, "thread mitigated"},
		{PR_SPEC_PRCTL | PR_SPEC_DISABLE_NOEXEC, "thread mitigated until exec"},
		{PR_SPEC_PRCTL | PR_SPEC_FORCE_DISABLE, "thread force mitigated"},
	};
	size_t i;

	if (state < 0) {
		snprintf(text, size, "unknown: PR_GET_SPECULATION_CTRL: %s",
			 strerrorname_np(-state));
		return text;
	}
	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (known[i].state == state)
			return known[i].words;
	snprintf(text, size, "PR_SPEC_... 0x%x", (unsigned int)state);
	return text;
}

/*
 * A chain of multiplications gives the address of each store. The load of the next
 * round goes elsewhere, and the chain goes through it: a CPU that lets loads bypass
 * older stores has the value ready, with SSBD it waits for the address first.
 */
const char *ssbd_loop(void *ctx, unsigned int thread, unsigned long operations)
{
	static volatile uint64_t words[128]; /* loads from one half, stores to the other */
	uint64_t chain = 1;

	(void)ctx;
	(void)thread;
	while (operations--) {
		chain = chain * UINT64_C(0x9e3779b97f4a7c15) + words[operations % 64] + 1;
		words[64 + (chain >> 58)] = chain;
	}
	return NULL;
}
