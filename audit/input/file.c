/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A stream from a file, FIFO, pipe or socket, which never waits without end.
 *
 * poll() does not tell a FIFO that nobody has opened for writing from one whose writer
 * is slow; a read() that does not block does: 0 against EAGAIN. Once there was a writer,
 * 0 is the end.
 */
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "input.h"
#include "text.h"

/* Milliseconds */
#define WAIT_FOR_WRITER 5000
#define WAIT_FOR_BYTES	60000

struct file {
	struct stream stream;
	int file;
	uint64_t left;
	bool blocks;  /* read() would wait without end: standard input */
	bool written; /* somebody has it open for writing, or had */
};

/* Is there something to read, be it the end? Else nothing happened for too long. */
static bool wait_for(struct file *file)
{
	struct pollfd poll_for = {.fd = file->file, .events = POLLIN};

	if (poll(&poll_for, 1, file->written ? WAIT_FOR_BYTES : WAIT_FOR_WRITER) == 0)
		return false;
	file->written = true;
	return true;
}

/* As read(); EAGAIN is a writer without bytes. */
static ssize_t read_some(struct file *file, unsigned char *to, size_t room)
{
	if (file->blocks && !wait_for(file)) {
		errno = EAGAIN;
		return -1;
	}
	return read(file->file, to, room);
}

static size_t file_more(struct stream *stream, unsigned char *to, size_t room)
{
	struct file *file = (struct file *)stream;

	if (room > file->left)
		room = file->left;
	if (room == 0)
		stream->trouble = TROUBLE_SIZE;
	for (bool waited = false; room > 0; waited = !wait_for(file)) {
		ssize_t got = read_some(file, to, room);
		bool silent = got < 0 && errno == EAGAIN;

		if (got > 0) {
			file->written = true;
			file->left -= (size_t)got;
		}
		if (got > 0 || (got == 0 && file->written))
			return (size_t)got;
		if (got < 0 && !silent && errno != EINTR) {
			stream->trouble = TROUBLE_READ;
			stream->error = errno;
			return 0;
		}
		if (waited && (!silent || file->written)) {
			stream->trouble = silent ? TROUBLE_SILENCE : TROUBLE_NOBODY;
			return 0;
		}
		file->written |= silent;
	}
	return 0;
}

struct stream *stream_of_file(int file)
{
	struct file *opened = text_memory(malloc(sizeof(*opened)));
	int flags = fcntl(file, F_GETFL);

	stream_init(&opened->stream, file_more, NULL);
	opened->file = file;
	opened->left = INPUT_UNPACKED_MAX;
	opened->blocks = flags < 0 || !(flags & O_NONBLOCK);
	opened->written = opened->blocks;
	return &opened->stream;
}
