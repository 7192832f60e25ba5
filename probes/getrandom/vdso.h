/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * getrandom() of the vDSO (Linux 6.11), called directly: no C library of 2022
 * does so by itself. It keeps a generator's state in memory that the caller
 * provides, and asks the kernel only for its key.
 *
 * The contract is in lib/vdso/getrandom.c of the kernel: the size of a state and
 * how to mmap() it come from the vDSO itself; a state must not straddle pages;
 * one thread at a time may use it; errors are negative errno values. A state of
 * the wrong size is no error there but a silent system call, so that a caller who
 * gets it wrong measures something else than he thinks.
 */
#ifndef GETRANDOM_VDSO_H
#define GETRANDOM_VDSO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* struct vgetrandom_opaque_params of <linux/random.h>, since 6.11 */
struct vdso_params {
	uint32_t size_of_opaque_state;
	uint32_t mmap_prot;
	uint32_t mmap_flags;
	uint32_t reserved[13];
};

struct vdso {
	ssize_t (*getrandom)(void *buffer, size_t length, unsigned int flags, void *state,
			     size_t state_size);
	struct vdso_params params;
};

/* NULL, or why it cannot be had (a string that stays valid). */
const char *vdso_find(struct vdso *vdso);

/* Several states in one mapping, as many as fit into each page. */
struct vdso_states {
	unsigned char *memory;
	size_t bytes;
	size_t stride;
	size_t per_page;
	size_t page;
};

/*
 * Map memory for states, with the flags that the vDSO wants (or, for a negative
 * control, with others): 0, or -1 with errno. Fresh states are zero.
 */
int vdso_states_map(struct vdso_states *states, const struct vdso *vdso, unsigned int count,
		    int mmap_flags);
void vdso_states_unmap(struct vdso_states *states);
void *vdso_state(const struct vdso_states *states, unsigned int index);

#endif
