/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel's .config, of which only what the catalogue speaks of is kept.
 *
 * Read as the kernel's own conf reads it: "CONFIG_X=value" and "# CONFIG_X is not
 * set"; of two lines for one symbol the last counts; other lines mean nothing.
 */
#ifndef AUDIT_CONFIG_H
#define AUDIT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

/* Symbols that tell what kernel it is, beside those of the catalogue. */
enum fact {
	FACT_64BIT,
	FACT_X86,
	FACT_X86_64,
	FACT_ARM64,
	FACT_ARM,
	FACT_RISCV,
	FACT_PPC,
	FACT_S390,
	FACT_CC_VERSION_TEXT,
	FACT_CC_IS_GCC,
	FACT_CC_IS_CLANG,
	FACT_GCC_VERSION,
	FACT_CLANG_VERSION,
	FACT_CMDLINE,
	FACT_CMDLINE_BOOL,
	FACT_CMDLINE_OVERRIDE,
	FACT_CMDLINE_FORCE,
	FACT_CMDLINE_EXTEND,
	FACT_CMDLINE_FROM_BOOTLOADER,
	FACT_COUNT,
};

/* text: plain, without quotes, "n" for "is not set"; NULL: no line. line: from 1. */
struct value {
	const char *text;
	unsigned int line;
};

struct config {
	/*
	 * Whether it is a whole .config, in which a symbol without a line is off or
	 * does not exist: with the heading that conf writes, and, since 5.4, the end of
	 * the last menu. A defconfig or a fragment has neither, a truncated file no end.
	 */
	bool complete;
	const char *heading;  /* "Linux/x86 6.1.192", or NULL */
	struct value *values; /* by index into catalogue.symbols */
	struct value facts[FACT_COUNT];
	size_t line_count;
	size_t settings;	    /* lines that are settings, of whatever symbol */
	size_t ignored;		    /* lines that start like a setting and are none */
	unsigned int first_ignored; /* the line number of the first of them */
};

/*
 * The settings in a text of size bytes, which the config takes over: text[size] must
 * be writable, the text gets NULs in place, and must stay while the config is used.
 * Never fails: what is no setting is ignored and counted.
 */
struct config *config_parse(char *text, size_t size);
void config_free(struct config *config); /* not the text */

/* Is there any setting, of whatever symbol, in it? If not, it is no config at all. */
bool config_has_settings(const struct config *config);

/* Is it y? */
bool config_is_set(const struct config *config, enum fact fact);

#endif
