/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The vDSO's getrandom(), and memory for its states.
 */
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "elf.h"
#include "system.h"
#include "vdso.h"

/* Far apart, so that threads do not share a cache line. */
#define CACHE_LINE 64

/* x86, riscv and loongarch have the first name, arm64, powerpc and s390 the second. */
static const char *const names[] = {"__vdso_getrandom", "__kernel_getrandom"};

static const char *why_absent(void)
{
	if (system_kernel_before(6, 11))
		return "no getrandom in the vDSO: it came with Linux 6.11";
	return "no getrandom in the vDSO: CONFIG_VDSO_GETRANDOM is off or this "
	       "architecture got it later";
}

const char *vdso_find(struct vdso *vdso)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr) */
	const void *header = (const void *)getauxval(AT_SYSINFO_EHDR);
	struct elf_symbols symbols = {0};

	if (!header)
		return "no vDSO: none in the auxiliary vector (vdso=0, or an emulator)";
	if (elf_vdso(&symbols, header))
		return "no vDSO: what AT_SYSINFO_EHDR points to has no symbols";
	vdso->getrandom = NULL;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !vdso->getrandom; i++)
		vdso->getrandom = elf_function(&symbols, names[i]);
	if (!vdso->getrandom)
		return why_absent();
	if (vdso->getrandom(NULL, 0, 0, &vdso->params, ~0UL) != 0)
		return "getrandom in the vDSO is not for this machine: it gives no parameters";
	if (!vdso->params.size_of_opaque_state ||
	    vdso->params.size_of_opaque_state > (size_t)sysconf(_SC_PAGESIZE))
		return "getrandom in the vDSO wants a state that fits no page";
	return NULL;
}

int vdso_states_map(struct vdso_states *states, const struct vdso *vdso, unsigned int count,
		    int mmap_flags)
{
	size_t size = vdso->params.size_of_opaque_state;

	states->page = (size_t)sysconf(_SC_PAGESIZE);
	states->stride = (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
	states->per_page = states->page / states->stride;
	states->bytes = (count + states->per_page - 1) / states->per_page * states->page;
	states->memory = mmap(NULL, states->bytes, (int)vdso->params.mmap_prot, mmap_flags, -1, 0);
	if (states->memory != MAP_FAILED)
		return 0;
	states->memory = NULL;
	return -1;
}

void vdso_states_unmap(struct vdso_states *states)
{
	munmap(states->memory, states->bytes);
	states->memory = NULL;
}

void *vdso_state(const struct vdso_states *states, unsigned int index)
{
	return states->memory + index / states->per_page * states->page +
	       index % states->per_page * states->stride;
}
