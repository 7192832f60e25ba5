/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the three stages of the judge share.
 */
#ifndef AUDIT_JUDGING_H
#define AUDIT_JUDGING_H

#include "judge.h"

enum truth { NO, YES, NOT_KNOWN };

/* Is this the state of the kernel, by what is known of it? */
enum truth holds(const struct evidence *evidence, const struct entry *entry,
		 const struct setting *setting);

/* The first of them that is; NULL: none. */
const struct setting *first_held(const struct evidence *evidence, const struct entry *entry,
				 const struct settings *settings);
/* The same of those of one kind: each stage looks at its own. */
const struct setting *first_held_of(const struct evidence *evidence, const struct entry *entry,
				    const struct settings *settings, enum kind kind);
/* The first of them that surely is not; NULL: none. */
const struct setting *first_missing(const struct evidence *evidence, const struct entry *entry,
				    const struct settings *settings);

/* Does the entry speak of this kernel's architecture? Not known: true. */
bool concerns(const struct entry *entry, const struct evidence *evidence);
/* Has a version any of the names? Not known: true. */
bool exists(const struct entry *entry, const struct version *version);
bool compiler_will_do(const struct entry *entry, const struct compiler *compiler);
/* Does this kernel read a boot parameter at all? If not, *why, made by malloc, says why. */
bool parameter_works(const struct evidence *evidence, size_t parameter, char **why);

/*
 * The name that has a line in the config; NULL: none has. A name of other versions counts
 * too, as vendors bring options into older kernels, unless another entry is for this one.
 */
const struct name *name_with_line(const struct entry *entry, const struct evidence *evidence);

/* Write down what a stage says. where: made by malloc, or NULL; got: copied. */
void find(struct answer *answer, enum stage stage, enum verdict verdict, const char *got,
	  char *where, const char *reason, ...) __attribute__((format(printf, 6, 7)));

/* "not in 6.1.192 (since 6.9; RETHUNK 5.19 - 6.8)" */
void find_not_in_version(struct answer *answer, enum stage stage, const struct evidence *evidence);
void find_other_architecture(struct answer *answer, enum stage stage);

/* The latest stage before this one that was judged; NULL: none. */
const struct finding *before(const struct answer *answer, enum stage stage);

void judge_build(const struct evidence *evidence, struct answer *answer);
void judge_boot(const struct evidence *evidence, struct answer *answer);
void judge_run(const struct evidence *evidence, struct answer *answer);

#endif
