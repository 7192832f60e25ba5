/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of mapped ELF images. An image counts its dynamic symbols only in its
 * hash tables, and may have one of two: DT_HASH of System V, which says the
 * number, or DT_GNU_HASH, whose last chain must be walked to its end. Some vDSOs
 * have both, some only the latter. There are few symbols, so they are compared
 * one by one and nothing is hashed.
 */
#include <string.h>

#include "elf.h"

/*
 * ld.so of glibc writes absolute addresses over those in the dynamic section,
 * but not for the vDSO; other loaders never do.
 */
static const void *address(const struct elf_symbols *symbols, Elf64_Addr value)
{
	uintptr_t absolute = value >= symbols->bias ? value : value + symbols->bias;

	return (const void *)absolute; /* NOLINT(performance-no-int-to-ptr) */
}

/* The header: buckets, first symbol in a chain, words of the Bloom filter, its shift. */
static size_t count_gnu_hash(const uint32_t *hash)
{
	uint32_t bucket_count = hash[0], first = hash[1], words = hash[2];
	const uint32_t *buckets = hash + 4 + words * (sizeof(Elf64_Addr) / sizeof(uint32_t));
	const uint32_t *chains = buckets + bucket_count;
	uint32_t last = 0;

	for (uint32_t i = 0; i < bucket_count; i++) {
		if (buckets[i] > last)
			last = buckets[i];
	}
	if (last < first)
		return first;
	/* The lowest bit marks the end of a chain. */
	while (!(chains[last - first] & 1))
		last++;
	return (size_t)last + 1;
}

static int read_dynamic(struct elf_symbols *symbols, const Elf64_Dyn *entry)
{
	const uint32_t *hash = NULL, *gnu_hash = NULL;

	for (; entry->d_tag != DT_NULL; entry++) {
		const void *pointer = address(symbols, entry->d_un.d_ptr);

		if (entry->d_tag == DT_SYMTAB)
			symbols->table = pointer;
		else if (entry->d_tag == DT_STRTAB)
			symbols->names = pointer;
		else if (entry->d_tag == DT_HASH)
			hash = pointer;
		else if (entry->d_tag == DT_GNU_HASH)
			gnu_hash = pointer;
	}
	if (!symbols->table || !symbols->names)
		return -1;
	if (hash)
		symbols->count = hash[1];
	else if (gnu_hash)
		symbols->count = count_gnu_hash(gnu_hash);
	return symbols->count ? 0 : -1;
}

int elf_symbols(struct elf_symbols *symbols, uintptr_t bias, const Elf64_Phdr *headers,
		size_t count)
{
	*symbols = (struct elf_symbols){.bias = bias};
	for (size_t i = 0; i < count; i++) {
		if (headers[i].p_type == PT_DYNAMIC)
			return read_dynamic(symbols, address(symbols, headers[i].p_vaddr));
	}
	return -1;
}

int elf_vdso(struct elf_symbols *symbols, const void *header)
{
	const Elf64_Ehdr *elf = header;
	const Elf64_Phdr *headers;

	if (!elf || memcmp(elf->e_ident, ELFMAG, SELFMAG) != 0)
		return -1;
	headers = (const void *)((const char *)header + elf->e_phoff);
	for (size_t i = 0; i < elf->e_phnum; i++) {
		if (headers[i].p_type == PT_LOAD)
			return elf_symbols(symbols,
					   (uintptr_t)header + headers[i].p_offset -
						   headers[i].p_vaddr,
					   headers, elf->e_phnum);
	}
	return -1;
}

struct search {
	struct elf_symbols *symbols;
	const char *prefix;
};

static int match(struct dl_phdr_info *info, size_t size, void *data)
{
	const struct search *search = data;
	const char *slash = strrchr(info->dlpi_name, '/');
	const char *file = slash ? slash + 1 : info->dlpi_name;

	(void)size;
	if (strncmp(file, search->prefix, strlen(search->prefix)) != 0)
		return 0;
	return elf_symbols(search->symbols, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum) ==
	       0;
}

int elf_loaded(struct elf_symbols *symbols, const char *prefix)
{
	struct search search = {symbols, prefix};

	return dl_iterate_phdr(match, &search) ? 0 : -1;
}

void *elf_function(const struct elf_symbols *symbols, const char *name)
{
	for (size_t i = 0; i < symbols->count; i++) {
		const Elf64_Sym *symbol = &symbols->table[i];

		if (symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC &&
		    strcmp(symbols->names + symbol->st_name, name) == 0)
			return (void *)(symbols->bias + symbol->st_value); /* NOLINT */
	}
	return NULL;
}
