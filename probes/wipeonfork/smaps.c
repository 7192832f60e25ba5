/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel tells of a mapping, in /proc/self/smaps (proc_pid_smaps(5)).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system.h"
#include "wipeonfork.h"

/* "7f0000000000-7f0000001000 rw-p ...": 1 if the address is inside, 0 if not, -1: no such line. */
static int covers(const char *line, uintptr_t address)
{
	char *end;
	uintptr_t start, stop;

	start = strtoul(line, &end, 16);
	if (end == line || *end != '-')
		return -1;
	stop = strtoul(end + 1, &end, 16);
	if (*end != ' ')
		return -1;
	return address >= start && address < stop;
}

static int find(FILE *smaps, uintptr_t address, const char *key, char *value, size_t size)
{
	const size_t length = strlen(key);
	int inside = 0;
	char line[512];

	while (fgets(line, sizeof(line), smaps)) {
		int header = covers(line, address);

		if (header >= 0)
			inside = header;
		if (!inside || strncmp(line, key, length) || line[length] != ':')
			continue;
		line[strcspn(line, "\n")] = '\0';
		snprintf(value, size, "%s", line + length + 1);
		return 0;
	}
	errno = ENOENT;
	return -1;
}

static int read_value(const void *address, const char *key, char *value, size_t size)
{
	int fd, ret;
	FILE *smaps;

	fd = proc_open("self/smaps", O_RDONLY);
	if (fd < 0)
		return -1;
	smaps = fdopen(fd, "r");
	if (!smaps) {
		close(fd);
		return -1;
	}
	ret = find(smaps, (uintptr_t)address, key, value, size);
	fclose(smaps);
	return ret;
}

/* Without /proc, or CONFIG_PROC_PAGE_MONITOR, there is nothing to read. */
void smaps_read(const void *address, const char *key, char *value, size_t size)
{
	child_stage("smaps");
	if (!read_value(address, key, value, size))
		return;
	conclude(errno == ENOENT ? VERDICT_NA : VERDICT_UNKNOWN, "%s of /proc/self/smaps: %s", key,
		 strerrorname_np(errno));
}
