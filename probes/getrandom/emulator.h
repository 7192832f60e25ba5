/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef GETRANDOM_EMULATOR_H
#define GETRANDOM_EMULATOR_H

#include <stdbool.h>

/*
 * Whether QEMU's TCG interprets this CPU, as the CPU itself says: then times are those
 * of an emulator, which knows no vector units. False where it does not tell.
 */
bool emulator_is_tcg(void);

#endif
