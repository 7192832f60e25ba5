/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What input_read() finds in the files that are named: for each config its source, its
 * size, and its text. Problems go to stderr; then the status is 2, or 3 if something was
 * added to the list all the same.
 */
#include <stdio.h>
#include <stdlib.h>

#include "input.h"

static int read_one(const char *path, struct found_list *list)
{
	size_t before = list->size;
	char *problem = input_read(path, list);

	if (!problem)
		return 0;
	fprintf(stderr, "%s\n", problem);
	free(problem);
	return list->size == before ? 2 : 3;
}

int main(int argc, char **argv)
{
	struct found_list list = {};
	int status = 0;

	for (int i = 1; i < argc; i++) {
		int one = read_one(argv[i], &list);

		status = one > status ? one : status;
	}
	for (size_t i = 0; i < list.size; i++) {
		printf("%s\n%zu\n", list.at[i].source, list.at[i].size);
		fwrite(list.at[i].text, 1, list.at[i].size, stdout);
	}
	found_list_free(&list);
	return status;
}
