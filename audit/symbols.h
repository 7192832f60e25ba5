/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a symbol's name to its place, for the one pass over a config.
 */
#ifndef AUDIT_SYMBOLS_H
#define AUDIT_SYMBOLS_H

#include <stddef.h>

/* SYMBOL_NONE where it is none. */
struct symbol_place {
	size_t symbol; /* index into catalogue.symbols */
	size_t fact;   /* enum fact */
};

struct symbol_place symbol_find(const char *name, size_t size);

#endif
