/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words that every answer of this project is one of.
 */
#ifndef PROBES_VERDICT_H
#define PROBES_VERDICT_H

enum verdict {
	VERDICT_OK,	  /* as it must be */
	VERDICT_STRONGER, /* met by something that protects more */
	VERDICT_WEAKER,	  /* part of it */
	VERDICT_FAIL,	  /* it is not so */
	VERDICT_NA,	  /* cannot apply here: kernel version, architecture, option, hardware */
	VERDICT_UNKNOWN,  /* the check could not be set up, or its figures cannot be trusted */
	VERDICT_WAIVED,	  /* known and accepted */
};

/* "ok", "stronger", "weaker", "fail", "n/a", "unknown", "waived" */
const char *verdict_word(enum verdict verdict);

#endif
