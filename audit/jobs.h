/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Many inputs at a time, in processes, so that an input that makes its worker crash
 * takes nothing else along.
 */
#ifndef AUDIT_JOBS_H
#define AUDIT_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct jobs {
	size_t count; /* of inputs, which are numbered from 0 */
	size_t workers;
	void *context; /* for the functions */

	/* In each worker, once, before it begins. */
	void (*enter)(void *context);

	/* In a worker: what is printed to out is the result of the input. */
	void (*work)(void *context, size_t index, FILE *out);

	/*
	 * In the caller, in the order of the inputs: the result, which is only there during
	 * the call; or NULL, and what became of the worker: "was ended by signal 11
	 * (Segmentation fault)". False: stop here.
	 */
	bool (*take)(void *context, size_t index, const char *bytes, size_t size,
		     const char *ending);
};

/* Memory is bounded by what one result needs for each worker. */
void jobs_run(const struct jobs *jobs);

#endif
