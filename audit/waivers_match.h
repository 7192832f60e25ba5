/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which entries of the catalogue a waiver speaks of.
 */
#ifndef AUDIT_WAIVERS_MATCH_H
#define AUDIT_WAIVERS_MATCH_H

#include <stdbool.h>
#include <string.h>

#include "catalogue.h"

/* With or without the wanted state: "CONFIG_X=y", "CONFIG_X". */
static inline bool waiver_names(const char *setting, const struct entry *entry)
{
	return !strcmp(setting, entry->setting.text) || !strcmp(setting, entry->target);
}

#endif
