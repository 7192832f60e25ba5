/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Find a function in an ELF image that is mapped into this process, by name: in
 * the vDSO, which no dlsym() reaches, and in one library among several which
 * define the same name. Works in static programs, too. In 64-bit
 * programs only: no other vDSO has getrandom().
 */
#ifndef GETRANDOM_ELF_H
#define GETRANDOM_ELF_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(sizeof(void *) == sizeof(Elf64_Addr), "64-bit programs only");

/* The symbols of an image, from its dynamic section. */
struct elf_symbols {
	uintptr_t bias; /* of its addresses in memory to those in the file */
	const Elf64_Sym *table;
	size_t count;
	const char *names;
};

/* From the program headers of an image: 0, or -1 when it has no symbols. */
int elf_symbols(struct elf_symbols *symbols, uintptr_t bias, const Elf64_Phdr *headers,
		size_t count);

/* The vDSO's, from its ELF header (AT_SYSINFO_EHDR): 0, or -1. */
int elf_vdso(struct elf_symbols *symbols, const void *header);

/* Those of the shared object that ld.so has loaded from .../PREFIX*: 0, or -1. */
int elf_loaded(struct elf_symbols *symbols, const char *prefix);

/* Where the function is, or NULL. */
void *elf_function(const struct elf_symbols *symbols, const char *name);

#endif
