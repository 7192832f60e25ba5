/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The JSON of a report as a file.
 */
#include "jsonfile.h"

#include <errno.h>

#include "output.h"
#include "replace.h"

int json_file_write(const struct report *report, const char *path)
{
	struct replacement file;
	int ret = replace_begin(&file, path), end;

	if (ret)
		return ret;
	if (json_print(report, file.out))
		ret = -errno;
	end = replace_end(&file, !ret);
	return ret ? ret : end;
}
