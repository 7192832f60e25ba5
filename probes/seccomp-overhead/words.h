/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SECCOMP_OVERHEAD_WORDS_H
#define SECCOMP_OVERHEAD_WORDS_H

#include "bench.h"
#include "report.h"

/* Facts: libseccomp, bpf_jit, bpf_jit_harden, ssbd, ssbd_filtered, audit. */
void words_facts(const struct bench *bench, struct report *report);

/* What it costs, in sentences. */
void words_say(const struct bench *bench, struct report *report);

#endif
