/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The forms of a capture are those of procps' and busybox' sysctl, of grep -r, and of
 * sysctl.d(5).
 */
#include "sysctl.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "catalogue.h"
#include "text.h"

#define PROC_SYS  "/proc/sys/"
#define VALUE_MAX 4096 /* of the sysctls in the catalogue; those of /proc are a page at most */

/*
 * A whole /proc/sys has some hundred files at least, among them this one; the kernel
 * has always had it, and nobody sets it.
 */
#define COMPLETE_SETTINGS 200
#define COMPLETE_SIGN	  "kernel.ostype"

static struct sysctls *sysctls_new(const char *source)
{
	struct sysctls *sysctls = text_memory(calloc(1, sizeof(*sysctls)));

	sysctls->source = source;
	sysctls->values = text_memory(calloc(catalogue.sysctl_count + 1, sizeof(*sysctls->values)));
	return sysctls;
}

void sysctls_free(struct sysctls *sysctls)
{
	if (!sysctls)
		return;
	for (size_t i = 0; i < catalogue.sysctl_count; i++)
		free(sysctls->values[i].value);
	free(sysctls->values);
	free(sysctls);
}

/* Blanks and tabs become one blank each; none at the ends. */
static char *plain_value(const char *text, size_t size)
{
	char *value = text_memory(malloc(size + 1)), *to = value;

	for (size_t i = 0; i < size; i++) {
		if (!isspace((unsigned char)text[i]))
			*to++ = text[i];
		else if (to > value && to[-1] != ' ')
			*to++ = ' ';
	}
	if (to > value && to[-1] == ' ')
		to--;
	*to = '\0';
	return value;
}

static void set(struct sysctls *sysctls, size_t place, enum sysctl_state state, char *value,
		unsigned int line)
{
	struct sysctl_value *entry = &sysctls->values[place];

	if (state == SYSCTL_UNREADABLE && entry->state == SYSCTL_READ) {
		free(value);
		return; /* somebody could read it */
	}
	free(entry->value);
	*entry = (struct sysctl_value){state, value, line};
}

/* Names with '.' and with '/' between their parts are the same. */
static bool same_name(const char *name, size_t size, const char *sysctl)
{
	for (size_t i = 0; i < size; i++)
		if (name[i] != sysctl[i] && !(name[i] == '/' && sysctl[i] == '.'))
			return false; /* the end of sysctl is none of name's characters */
	return sysctl[size] == '\0';
}

static size_t find(const char *name, size_t size)
{
	for (size_t i = 0; i < catalogue.sysctl_count; i++)
		if (same_name(name, size, catalogue.sysctls[i]))
			return i;
	return SYMBOL_NONE;
}

/* ---- A capture ---- */

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || strchr("._-/:*", c);
}

/*
 * "sysctl: permission denied on key 'fs.protected_fifos'", "sysctl: error reading key
 * 'x': Permission denied", "grep: /proc/sys/x: Permission denied": which sysctl it is
 * about is found by its name, which must stand alone.
 */
static void read_complaint(struct sysctls *sysctls, const char *line, unsigned int number)
{
	bool denied = strcasestr(line, "permission denied") || strcasestr(line, "not permitted");
	bool failed = denied || strcasestr(line, "reading key") ||
		      strcasestr(line, "cannot read") || strcasestr(line, "input/output error");

	for (const char *at = line; failed && *at; at++) {
		size_t size = 0, place;

		if (strncmp(at, PROC_SYS, strlen(PROC_SYS)) == 0)
			at += strlen(PROC_SYS);
		while (at[size] && in_name(at[size]) && at[size] != ':')
			size++;
		if (!*at)
			break;
		if (!size)
			continue;
		place = find(at, size);
		if (place != SYMBOL_NONE)
			set(sysctls, place, SYSCTL_UNREADABLE,
			    text_printf("%s",
					denied ? "permission denied" : "it could not be read"),
			    number);
		at += size - 1;
	}
}

static bool is_complaint(const char *line)
{
	return strncmp(line, "sysctl: ", 8) == 0 || strncmp(line, "grep: ", 6) == 0 ||
	       strncmp(line, "cat: ", 5) == 0 || strncmp(line, "error: ", 7) == 0;
}

/* "kernel.x = 1", "kernel/x=1", "-kernel.x = 1" (sysctl.d), "/proc/sys/kernel/x:1" (grep) */
static void read_setting(struct sysctls *sysctls, const char *line, unsigned int number)
{
	bool path = strncmp(line, PROC_SYS, strlen(PROC_SYS)) == 0;
	size_t size = 0, place;
	const char *value;

	line += path ? strlen(PROC_SYS) : *line == '-';
	while (line[size] && in_name(line[size]) && !(path && line[size] == ':'))
		size++;
	value = line + size + strspn(line + size, " \t");
	if (!size || *value != (path ? ':' : '='))
		return;
	sysctls->settings++;
	if (size == strlen(COMPLETE_SIGN) && same_name(line, size, COMPLETE_SIGN))
		sysctls->complete = true;
	place = find(line, size);
	value++;
	if (place != SYMBOL_NONE)
		set(sysctls, place, SYSCTL_READ, plain_value(value, strlen(value)), number);
}

struct sysctls *sysctls_parse(char *text, size_t size, const char *source)
{
	struct sysctls *sysctls = sysctls_new(source);
	char *end = text + size;
	unsigned int number = 0;

	*end = '\0';

	while (text < end) {
		char *newline = memchr(text, '\n', (size_t)(end - text));
		char *line = text + strspn(text, " \t\r");

		text = newline ? newline : end;
		*text++ = '\0';
		number++;
		if (line + strlen(line) + 1 < text)
			continue; /* a NUL in it: nobody knows what it says */
		if (is_complaint(line))
			read_complaint(sysctls, line, number);
		else
			read_setting(sysctls, line, number);
	}
	sysctls->complete = sysctls->complete && sysctls->settings >= COMPLETE_SETTINGS;
	return sysctls;
}

/* ---- The running kernel ---- */

static void read_file(struct sysctls *sysctls, int folder, size_t place)
{
	char path[128], text[VALUE_MAX];
	const char *name = catalogue.sysctls[place];
	ssize_t size = -1;
	int file;

	if (strlen(name) >= sizeof(path))
		return;
	for (size_t i = 0; i <= strlen(name); i++)
		path[i] = name[i] == '.' ? '/' : name[i];
	file = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (file >= 0)
		size = read(file, text, sizeof(text));
	if (size >= 0)
		set(sysctls, place, SYSCTL_READ, plain_value(text, (size_t)size), 0);
	else if (errno == EACCES || errno == EPERM)
		set(sysctls, place, SYSCTL_UNREADABLE, text_printf("permission denied"), 0);
	else if (errno != ENOENT && errno != ENOTDIR)
		set(sysctls, place, SYSCTL_UNREADABLE, text_printf("%s", strerror(errno)), 0);
	if (file >= 0)
		close(file);
}

struct sysctls *sysctls_read(const char *folder)
{
	int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct sysctls *sysctls;

	if (file < 0)
		return NULL;
	sysctls = sysctls_new(folder);
	for (size_t i = 0; i < catalogue.sysctl_count; i++) {
		read_file(sysctls, file, i);
		sysctls->settings += sysctls->values[i].state == SYSCTL_READ;
	}
	sysctls->complete = faccessat(file, "kernel/ostype", R_OK, 0) == 0;
	close(file);
	return sysctls;
}
