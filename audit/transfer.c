/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocks of bytes, each behind its size. Both ends are the same program, so that a
 * size is written as it stands in memory.
 */
#include "transfer.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

static void send_block(FILE *out, const void *bytes, size_t size)
{
	fwrite(&size, sizeof(size), 1, out);
	fwrite(bytes, 1, size, out);
}

/* What is left to read. */
struct rest {
	const char *at;
	size_t size;
};

/* The next block; false when there is none. */
static bool next_block(struct rest *rest, struct rest *block)
{
	size_t size;

	if (rest->size < sizeof(size))
		return false;
	memcpy(&size, rest->at, sizeof(size));
	rest->at += sizeof(size);
	rest->size -= sizeof(size);
	if (size > rest->size)
		return false;
	*block = (struct rest){rest->at, size};
	rest->at += size;
	rest->size -= size;
	return true;
}

/* The next block, with a NUL behind it, by malloc; NULL when there is none. */
static char *next_copy(struct rest *rest, size_t *size)
{
	struct rest block;
	char *copy;

	if (!next_block(rest, &block))
		return NULL;
	copy = text_memory(malloc(block.size + 1));
	*(char *)mempcpy(copy, block.at, block.size) = '\0';
	*size = block.size;
	return copy;
}

void send_found(FILE *out, const char *problem, const struct found_list *found)
{
	send_block(out, problem ? problem : "", problem ? strlen(problem) : 0);
	for (size_t i = 0; i < found->size; i++) {
		send_block(out, found->at[i].source, strlen(found->at[i].source));
		send_block(out, found->at[i].text, found->at[i].size);
	}
}

static bool receive_one(struct rest *rest, struct found_list *found)
{
	size_t ignored;
	struct found one = {.source = next_copy(rest, &ignored)};

	if (one.source)
		one.text = next_copy(rest, &one.size);
	if (!one.text) {
		free(one.source);
		return false;
	}
	found->at = text_memory(reallocarray(found->at, found->size + 1, sizeof(*found->at)));
	found->at[found->size++] = one;
	return true;
}

bool receive_found(const char *bytes, size_t size, char **problem, struct found_list *found)
{
	struct rest rest = {bytes, size};
	size_t problem_size = 0;
	bool good;

	*problem = next_copy(&rest, &problem_size);
	good = *problem;
	while (good && rest.size)
		good = receive_one(&rest, found);
	if (good && problem_size)
		return true;
	free(*problem);
	*problem = NULL;
	if (good && found->size)
		return true;
	found_list_free(found);
	return false;
}

void send_outcome(FILE *out, const struct audit_list *list, const struct waivers *waivers)
{
	char *problems;
	size_t size;
	FILE *memory = text_memory(open_memstream(&problems, &size));
	int status = 0;

	for (size_t i = 0; i < list->size; i++) {
		int more = audit_status(&list->at[i]);

		if (more > status)
			status = more;
		if (list->at[i].problem)
			fprintf(memory, "%s\n", list->at[i].problem);
	}
	if (fclose(memory))
		text_memory(NULL);
	send_block(out, &status, sizeof(status));
	send_block(out, problems, size + 1);
	free(problems);
	for (size_t i = 0; waivers && i < waivers->size; i++)
		putc(waivers->at[i].used ? 1 : 0, out);
}

bool receive_outcome(const char *bytes, size_t size, struct outcome *outcome,
		     struct waivers *waivers)
{
	size_t used = waivers ? waivers->size : 0;
	struct rest rest = {bytes, size}, status, problems;

	if (!next_block(&rest, &status) || !next_block(&rest, &problems))
		return false;
	if (status.size != sizeof(outcome->status) || !problems.size || rest.size < used ||
	    problems.at[problems.size - 1] != '\0')
		return false;
	memcpy(&outcome->status, status.at, sizeof(outcome->status));
	outcome->problems = problems.at;
	for (size_t i = 0; i < used; i++)
		waivers->at[i].used |= rest.at[i] != 0;
	outcome->text = rest.at + used;
	outcome->text_size = rest.size - used;
	return outcome->status >= 0 && outcome->status <= 2;
}
