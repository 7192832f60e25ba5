/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replacing a file: readers see the old one or the new one, whole. All of it but the
 * first step is done relative to the open folder, so that it also works where nothing
 * outside that folder may be written to any more.
 */
#include "replace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

bool path_is_stdout(const char *path)
{
	struct stat file, out;

	if (!path || !strcmp(path, "-") || !strcmp(path, "/dev/stdout"))
		return true;
	if (stat(path, &file) || fstat(STDOUT_FILENO, &out))
		return false;
	/* A device may well be given twice: /dev/null. */
	return !S_ISCHR(file.st_mode) && file.st_dev == out.st_dev && file.st_ino == out.st_ino;
}

/* Where the file is, or will be: the target of a link. The caller's to free. */
static char *target(const char *path)
{
	char *real = realpath(path, NULL);

	return real ? real : text_memory(strdup(path));
}

/* The last part of a path. */
static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The folder that path is in, up to the '/'. The caller's to free. */
static char *folder_of(const char *path)
{
	size_t size = (size_t)(last_part(path) - path);

	return text_memory(size ? strndup(path, size) : strdup("."));
}

/* A FIFO, socket or device: nothing there to replace. */
static bool is_stream(const char *path)
{
	struct stat file;

	return !stat(path, &file) && !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode);
}

static bool is_folder(const char *path)
{
	struct stat file;

	return !stat(path, &file) && S_ISDIR(file.st_mode);
}

int replace_check(const char *path)
{
	char *real, *folder;
	int ret;

	if (!*path)
		return -ENOENT;
	if (is_folder(path))
		return -EISDIR;
	if (is_stream(path))
		return access(path, W_OK) ? -errno : 0;
	real = target(path);
	folder = folder_of(real);
	ret = access(folder, W_OK | X_OK) ? -errno : 0;
	free(folder);
	free(real);
	return ret;
}

/* The mode of the file that is replaced, or the one that open() would give a new file. */
static mode_t wanted_mode(const char *path)
{
	struct stat file;
	mode_t mask;

	if (!stat(path, &file))
		return file.st_mode & 0777;
	mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

/* A stream for the descriptor, which is closed when there is none. */
static int open_stream(struct replacement *replacement, int fd)
{
	int ret;

	if (fd < 0)
		return -errno;
	replacement->out = fdopen(fd, "w");
	if (replacement->out)
		return 0;
	ret = -errno;
	close(fd);
	return ret;
}

/*
 * What is on its way when a signal ends the program, which a handler has no other way to
 * know. There is one such file at a time.
 */
static const struct replacement *volatile pending;

/* Leave nothing behind, and end as the signal wants it: the handler is there only once. */
static void on_signal(int signal)
{
	if (pending)
		unlinkat(pending->folder, pending->temporary, 0);
	raise(signal);
}

static void clean_up_on(int signal)
{
	const struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
	struct sigaction old;

	/* nohup wants to have it ignored */
	if (!sigaction(signal, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(signal, &action, NULL);
}

static void forget(struct replacement *replacement)
{
	if (replacement->folder >= 0)
		close(replacement->folder);
	free(replacement->name);
	free(replacement->temporary);
	*replacement = (struct replacement){.folder = -1};
}

/* Make the new file, and only remember its name: from now on the folder counts. */
static int begin_beside(struct replacement *replacement, const char *path)
{
	char *temporary, *folder = folder_of(path);
	int ret;

	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		temporary = text_memory(NULL);
	replacement->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	ret = replacement->folder < 0 ? -errno
				      : open_stream(replacement, mkostemp(temporary, O_CLOEXEC));
	replacement->name = text_memory(strdup(last_part(path)));
	replacement->temporary = text_memory(strdup(last_part(temporary)));
	replacement->mode = wanted_mode(path);
	free(folder);
	free(temporary);
	if (ret)
		return ret;
	pending = replacement;
	clean_up_on(SIGHUP);
	clean_up_on(SIGINT);
	clean_up_on(SIGTERM);
	return 0;
}

int replace_begin(struct replacement *replacement, const char *path)
{
	char *real;
	int ret;

	*replacement = (struct replacement){.folder = -1};
	if (is_stream(path))
		return open_stream(replacement, open(path, O_WRONLY | O_CLOEXEC));
	real = target(path);
	ret = begin_beside(replacement, real);
	free(real);
	if (ret)
		forget(replacement);
	return ret;
}

/* Everything that was printed is on the disk, with the right mode. */
static int complete(struct replacement *replacement)
{
	if (fflush(replacement->out))
		return -errno;
	if (replacement->folder < 0)
		return 0;
	return fchmod(fileno(replacement->out), replacement->mode) ||
			       fsync(fileno(replacement->out))
		       ? -errno
		       : 0;
}

int replace_end(struct replacement *replacement, bool keep)
{
	int folder = replacement->folder;
	int ret = keep ? complete(replacement) : 0;

	if (fclose(replacement->out) && keep && !ret)
		ret = -errno;
	if (folder >= 0 && keep && !ret &&
	    renameat(folder, replacement->temporary, folder, replacement->name))
		ret = -errno;
	if (folder >= 0 && (!keep || ret))
		unlinkat(folder, replacement->temporary, 0);
	pending = NULL;
	forget(replacement);
	return ret;
}
