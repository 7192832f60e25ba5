/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the command writes goes to memory, not through a pipe, which would have to be
 * emptied meanwhile. That memory cannot grow: a command that never ceases to
 * write gets EPERM.
 */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#define OUTPUT_MAX (1 << 20) /* a report has 3 KiB */

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

/* Room for OUTPUT_MAX bytes that read as zero until they are written; -1 with errno. */
static int limited_memory(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -1;
	if (!ftruncate(fd, OUTPUT_MAX) && !fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK))
		return fd;
	close(fd);
	return -1;
}

/* All that was written to this descriptor, as a string; closes it. */
static char *contents(int fd)
{
	char *text = calloc(1, OUTPUT_MAX + 1);

	if (text && pread(fd, text, OUTPUT_MAX, 0) < 0)
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

const char *launch(struct launched *launched, char **command, const char *word, const char *more,
		   unsigned int timeout_ms)
{
	struct order order = {.output = -1, .messages = -1};
	char path[4096];

	memset(launched, 0, sizeof(*launched));
	if (executable(path, sizeof(path)))
		return "where this program is cannot be found without /proc";
	order.words = join_words(command, path, word, more);
	if (!order.words)
		return "no memory";
	order.output = limited_memory("output");
	order.messages = limited_memory("messages");
	if (order.output >= 0 && order.messages >= 0)
		child_run(&launched->child, execute, &order, timeout_ms);
	launched->output = contents(order.output);
	launched->messages = contents(order.messages);
	free(order.words);
	if (order.output < 0 || order.messages < 0)
		return "no memory for what the command writes: memfd_create failed";
	return launched->output && launched->messages ? NULL : "no memory";
}

void launch_free(struct launched *launched)
{
	free(launched->output);
	free(launched->messages);
}
