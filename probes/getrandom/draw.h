/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Draw 32 bytes, alone or on both sides of a fork.
 */
#ifndef GETRANDOM_DRAW_H
#define GETRANDOM_DRAW_H

#include <stdbool.h>

#include "source.h"

#define DRAW_BYTES 32
#define DRAW_FORKS 32

/* In a child of check_in_child(): false, with a note, when it fails. */
bool draw(const struct source *source, unsigned char bytes[DRAW_BYTES]);

/*
 * Draw once, so that a generator has a state worth copying; then fork so many times,
 * and draw in both. How often both got the same? False, with a note, when that
 * could not be found out.
 */
bool draw_forked(const struct source *source, unsigned int *repeats);

#endif
