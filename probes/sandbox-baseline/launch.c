/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the command writes goes to memory, not through a pipe, which would have to be
 * emptied meanwhile.
 */
#include "launch.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/* What starts a container may take a while. */
#define TIMEOUT_MS 60000

struct order {
	char **words;
	int output;
	int messages;
};

static int execute(void *arg)
{
	const struct order *order = arg;

	if (dup2(order->output, STDOUT_FILENO) >= 0 && dup2(order->messages, STDERR_FILENO) >= 0)
		execvp(order->words[0], order->words);
	child_error(errno);
	child_note("%s", order->words[0]);
	return EXIT_FAILURE;
}

/* This program: 0, or -1 with errno. A relative AT_EXECFN counts from where we started. */
static int executable(char *path, size_t size)
{
	ssize_t length = readlink("/proc/self/exe", path, size - 1);
	const char *name;
	char *absolute;

	if (length >= 0) {
		path[length] = '\0';
		return 0;
	}
	name = (const char *)(uintptr_t)getauxval(AT_EXECFN);
	absolute = name ? realpath(name, NULL) : NULL;
	if (!absolute)
		return -1;
	snprintf(path, size, "%s", absolute);
	free(absolute);
	return 0;
}

/* All that was written to this descriptor, as a string; closes it. */
static char *contents(int fd)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = calloc(1, size < 0 ? 1 : size + 1);

	if (text && size > 0 && pread(fd, text, size, 0) < 0)
		text[0] = '\0';
	close(fd);
	return text;
}

/* COMMAND ARG... PATH WORD MORE, NULL at the end; to be freed. NULL: no memory. */
static char **join_words(char **command, const char *path, const char *word, const char *more)
{
	const char *last[] = {path, word, more, NULL};
	size_t count = 0;
	char **words;

	while (command[count])
		count++;
	words = malloc(count * sizeof(*words) + sizeof(last));
	if (!words)
		return NULL;
	memcpy(words, command, count * sizeof(*words));
	memcpy(words + count, last, sizeof(last));
	return words;
}

const char *launch(struct launched *launched, char **command, const char *word, const char *more)
{
	struct order order = {.output = -1, .messages = -1};
	char path[4096];

	memset(launched, 0, sizeof(*launched));
	if (executable(path, sizeof(path)))
		return "where this program is cannot be found without /proc";
	order.words = join_words(command, path, word, more);
	if (!order.words)
		return "no memory";
	order.output = memfd_create("output", MFD_CLOEXEC);
	order.messages = memfd_create("messages", MFD_CLOEXEC);
	if (order.output >= 0 && order.messages >= 0)
		child_run(&launched->child, execute, &order, TIMEOUT_MS);
	launched->output = contents(order.output);
	launched->messages = contents(order.messages);
	free(order.words);
	if (order.output < 0 || order.messages < 0)
		return "memfd_create failed";
	return launched->output && launched->messages ? NULL : "no memory";
}

void launch_free(struct launched *launched)
{
	free(launched->output);
	free(launched->messages);
}
