/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A hash table with open addressing, filled when it is first used: a config has ten
 * thousand lines, of which some hundred are of interest.
 */
#include "symbols.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue.h"
#include "config.h"

/* By enum fact. */
static const char *const facts[FACT_COUNT] = {
	[FACT_64BIT] = "64BIT",
	[FACT_X86] = "X86",
	[FACT_X86_64] = "X86_64",
	[FACT_ARM64] = "ARM64",
	[FACT_ARM] = "ARM",
	[FACT_RISCV] = "RISCV",
	[FACT_PPC] = "PPC",
	[FACT_S390] = "S390",
	[FACT_CC_VERSION_TEXT] = "CC_VERSION_TEXT",
	[FACT_CC_IS_GCC] = "CC_IS_GCC",
	[FACT_CC_IS_CLANG] = "CC_IS_CLANG",
	[FACT_GCC_VERSION] = "GCC_VERSION",
	[FACT_CLANG_VERSION] = "CLANG_VERSION",
	[FACT_CMDLINE] = "CMDLINE",
	[FACT_CMDLINE_BOOL] = "CMDLINE_BOOL",
	[FACT_CMDLINE_OVERRIDE] = "CMDLINE_OVERRIDE",
	[FACT_CMDLINE_FORCE] = "CMDLINE_FORCE",
	[FACT_CMDLINE_EXTEND] = "CMDLINE_EXTEND",
	[FACT_CMDLINE_FROM_BOOTLOADER] = "CMDLINE_FROM_BOOTLOADER",
};

/* Several times as many as there are names, so that most lines meet an empty one. */
#define SLOT_BITS 13
#define SLOTS	  (1 << SLOT_BITS)

/* Small, so that a process that reads one config has few pages to touch. */
struct table {
	uint16_t slots[SLOTS]; /* 1 + the number of an entry; 0: free */
	uint16_t count;
	struct {
		const char *name;
		size_t size;
		struct symbol_place place;
	} entries[SLOTS / 4];
};

/*
 * Of the first and the last bytes and the size, eight bytes at a time: names differ there,
 * and this is done ten thousand times for one config.
 */
static size_t hash(const char *name, size_t size)
{
	uint64_t first = 0, last = 0;

	if (size >= sizeof(first)) {
		memcpy(&first, name, sizeof(first));
		memcpy(&last, name + size - sizeof(last), sizeof(last));
	} else {
		for (size_t i = 0; i < size; i++)
			first = first << 8 | (unsigned char)name[i];
	}
	first = (first ^ (last << 23 | last >> 41) ^ size) * UINT64_C(0x9e3779b97f4a7c15);
	return first >> (64 - SLOT_BITS);
}

static bool is_entry(const struct table *table, size_t entry, const char *name, size_t size)
{
	return table->entries[entry].size == size &&
	       memcmp(table->entries[entry].name, name, size) == 0;
}

/* The slot of a name, or the free one where it belongs. */
static size_t slot_of(const struct table *table, const char *name, size_t size)
{
	size_t at = hash(name, size);

	while (table->slots[at] && !is_entry(table, table->slots[at] - 1u, name, size))
		at = (at + 1) % SLOTS;
	return at;
}

static struct symbol_place *add(struct table *table, const char *name)
{
	size_t size = strlen(name), at = slot_of(table, name, size);

	if (!table->slots[at]) {
		if (table->count == SLOTS / 4)
			abort(); /* make it larger */
		table->entries[table->count].name = name;
		table->entries[table->count].size = size;
		table->entries[table->count].place =
			(struct symbol_place){SYMBOL_NONE, SYMBOL_NONE};
		table->slots[at] = ++table->count;
	}
	return &table->entries[table->slots[at] - 1].place;
}

static void fill(struct table *table)
{
	for (size_t i = 0; i < catalogue.symbol_count; i++)
		add(table, catalogue.symbols[i])->symbol = i;
	for (size_t i = 0; i < FACT_COUNT; i++)
		add(table, facts[i])->fact = i;
}

struct symbol_place symbol_find(const char *name, size_t size)
{
	/* A cache of what is constant; each process has one thread. */
	static struct table table;
	size_t at;

	if (!table.count)
		fill(&table);
	at = slot_of(&table, name, size);
	return table.slots[at] ? table.entries[table.slots[at] - 1].place
			       : (struct symbol_place){SYMBOL_NONE, SYMBOL_NONE};
}
