/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The catalogue as a table. The data is generated from docs/catalogue/ when the
 * program is built (gen/table/), so that nothing is known twice; what the fields
 * of an entry mean is described in docs/guide/catalogue.rst.
 */
#ifndef AUDIT_CATALOGUE_H
#define AUDIT_CATALOGUE_H

#include <stdbool.h>
#include <stddef.h>

enum level { LEVEL_LOW, LEVEL_MEDIUM, LEVEL_HIGH, LEVEL_EXTREME, LEVEL_COUNT };

enum kind { KIND_KCONFIG, KIND_CMDLINE, KIND_SYSCTL, KIND_COUNT };

/* One bit each, so that an entry can name several. 0: not known, or none of these. */
enum architecture {
	ARCH_X86_64 = 1 << 0,
	ARCH_I386 = 1 << 1,
	ARCH_ARM64 = 1 << 2,
	ARCH_ARM = 1 << 3,
	ARCH_RISCV = 1 << 4,
	ARCH_POWERPC = 1 << 5,
	ARCH_S390 = 1 << 6,
	ARCH_ALL = (1 << 7) - 1, /* of an entry: also those that have no bit */
};

/* "6.12.117" is {6, 12, 117}, 3; "6.12" is {6, 12, 0}, 2. size 0: not known, or no bound. */
struct version {
	unsigned int part[3];
	unsigned int size;
};

/* Both ends belong to it. A last of two numbers takes in all its stable releases. */
struct range {
	struct version first, last;
};

struct ranges {
	const struct range *at;
	size_t size; /* 0: no version at all */
};

enum match {
	MATCH_EXACT,	/* numbers as numbers, else text */
	MATCH_AT_LEAST, /* a number, >= */
	MATCH_HIGHEST,	/* the highest that the symbol's range allows: entry.maximum */
	MATCH_ANY,	/* any text that is not empty */
	MATCH_BETWEEN,	/* a number from 1 to 99: "1..99" */
	MATCH_CONTAINS, /* the comma-separated list has this item */
};

/* A symbol, boot parameter or sysctl and the state it is to have. */
struct setting {
	enum kind kind;
	size_t name; /* index into symbols, parameters or sysctls of the catalogue */
	enum match match;
	const char *value; /* plain, without quotes; "" for a parameter that is to be present */
	const char *text;  /* as people read it: "CONFIG_X=y", "cmdline:init_on_alloc=1" */
};

struct settings {
	const struct setting *at;
	size_t size;
};

/* A name of an entry's symbol, parameter or sysctl in some versions. */
struct name {
	size_t name;
	struct ranges kernels;
};

enum compiler_family { COMPILER_UNKNOWN, COMPILER_GCC, COMPILER_CLANG };

/* As a condition, version is the lowest that will do. */
struct compiler {
	enum compiler_family family;
	struct version version;
};

struct entry {
	struct setting setting;
	const char *target; /* "CONFIG_X", "cmdline:x", "sysctl:x.y" */
	const char *wanted; /* "y", ">=65536", "contains \"yama\"" */
	enum level level;
	unsigned int architectures;
	const struct name *names; /* the one in the title first */
	size_t name_count;
	struct ranges always_on;
	const struct compiler *compilers; /* alternatives; none: any compiler will do */
	size_t compiler_count;
	struct settings prerequisites;	  /* all of them are needed */
	struct settings stronger, weaker; /* each is enough */
	struct settings boot, run; /* twins: the option is the default of these, and they decide */
	struct settings instead;   /* boot or run time: as good where the option is missing */
	struct settings undone_by; /* boot parameters that take the protection away */
	size_t maximum;		   /* MATCH_HIGHEST: the symbol that holds it; else SYMBOL_NONE */
	size_t group;		   /* entries that speak of the same thing have the same */
	bool hardware_dependent;
	const char *protection, *reason; /* "Self-protection"; "" where the catalogue has none */
	const char *where;		 /* "docs/catalogue/memory.rst:17" */
};

/* How the kernel reads the text after a boot parameter's "=". */
enum values {
	VALUES_WORDS,	/* one of words, other values are passed over by the kernel */
	VALUES_BOOL,	/* as kstrtobool() does: 1, y, on, ...; others are passed over */
	VALUES_NUMBER,	/* decimal, 0x or 0 (octal); others are passed over */
	VALUES_LIST,	/* items separated by commas; with words: only these */
	VALUES_LETTERS, /* one switch per letter */
	VALUES_TEXT,	/* anything */
};

/* What happens if a parameter is there more than once. */
enum repeats {
	REPEATS_LAST,	 /* the last that the kernel understands */
	REPEATS_ADD,	 /* all together: lists, letters */
	REPEATS_HIGHEST, /* the highest, in the order of words: it can only be raised */
};

/* Another way to write a parameter: "nopti" for "pti=off". */
struct spelling {
	const char *name;  /* '-' written as '_', as the kernel compares them */
	const char *value; /* what the bare word stands for; NULL: value as for the first name */
};

struct parameter {
	const char *name;
	enum values values;
	bool bare;		  /* it may stand without "=": its value is "" then (bool: "1") */
	const char *const *words; /* of words (the weakest first) and lists, ended by NULL */
	enum repeats repeats;
	const struct spelling *spellings; /* the name itself first */
	size_t spelling_count;
	struct ranges kernels; /* versions that know it */
	unsigned int architectures;
	struct settings prerequisites; /* options without which the kernel ignores it */
};

#define SYMBOL_NONE ((size_t)-1)

struct catalogue {
	const struct entry *entries; /* in the order of the catalogue */
	size_t entry_count, group_count;
	const char *const *symbols; /* without CONFIG_ */
	size_t symbol_count;
	const struct parameter *parameters;
	size_t parameter_count;
	const char *const *sysctls; /* with dots: "kernel.kptr_restrict" */
	size_t sysctl_count;
};

extern const struct catalogue catalogue;

#endif
