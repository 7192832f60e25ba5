/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A worker takes the number of the next input from the counter that all share, and sends
 * its result, until the counter is at the end or nobody reads any more.
 */
#include "jobs_worker.h"

#include <stdlib.h>
#include <unistd.h>

#include "pipe.h"
#include "text.h"

/* One input; false when nobody wants its result. */
static bool work_on(const struct jobs *jobs, size_t index, int results)
{
	struct header header = {.index = index};
	char *bytes = NULL;
	FILE *out = text_memory(open_memstream(&bytes, &header.size));
	bool wanted;

	jobs->work(jobs->context, index, out);
	if (fclose(out))
		text_memory(NULL);
	wanted = pipe_write(results, &header, sizeof(header)) &&
		 pipe_write(results, bytes, header.size);
	free(bytes);
	return wanted;
}

_Noreturn void be_worker(const struct jobs *jobs, struct shared *shared, size_t number, int results)
{
	size_t index;

	if (jobs->enter)
		jobs->enter(jobs->context);
	while ((index = atomic_fetch_add(&shared->next, 1)) < jobs->count) {
		atomic_store(&shared->taken[number], index);
		if (!work_on(jobs, index, results))
			break;
		atomic_store(&shared->taken[number], jobs->count);
	}
	_exit(0);
}
