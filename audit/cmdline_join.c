/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Each architecture has its own way to join the two; which one a kernel takes is in
 * its config.
 */
#include "cmdline_join.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

/* More than any boot loader passes on; what a config has built in may be of any size. */
#define LINE_MAX_SIZE ((size_t)16 << 10)

enum joining {
	NOTHING_BUILT_IN,
	BUILT_IN_FIRST,	  /* the boot loader's comes later and wins */
	BUILT_IN_LAST,	  /* the built-in one wins */
	BUILT_IN_ALONE,	  /* the boot loader's is thrown away */
	BUILT_IN_INSTEAD, /* only if the boot loader gives none */
};

/*
 * setup_arch() of x86 puts the built-in line first; arm, arm64, riscv and powerpc go by
 * early_init_dt_scan_chosen() in drivers/of/fdt.c.
 */
static enum joining joining_of(const struct config *config)
{
	const char *line = config ? config->facts[FACT_CMDLINE].text : NULL;

	if (!line || !*line)
		return NOTHING_BUILT_IN;
	if (config_is_set(config, FACT_X86)) {
		if (!config_is_set(config, FACT_CMDLINE_BOOL))
			return NOTHING_BUILT_IN;
		return config_is_set(config, FACT_CMDLINE_OVERRIDE) ? BUILT_IN_ALONE
								    : BUILT_IN_FIRST;
	}
	if (config_is_set(config, FACT_CMDLINE_FORCE))
		return BUILT_IN_ALONE;
	return config_is_set(config, FACT_CMDLINE_EXTEND) ? BUILT_IN_LAST : BUILT_IN_INSTEAD;
}

static bool is_blank(const char *text)
{
	return !text[strspn(text, " \t\n\v\f\r")];
}

/* The whole line; NULL when nothing is known. *complete: no boot loader can add to it. */
static char *join(enum joining joining, const char *built_in, const char *text, bool *complete)
{
	*complete = text || joining == BUILT_IN_ALONE;
	switch (joining) {
	case BUILT_IN_ALONE:
		return text_printf("%s", built_in);
	case BUILT_IN_FIRST:
		return text_printf("%s %s", built_in, text ? text : "");
	case BUILT_IN_LAST:
		return text_printf("%s %s", text ? text : "", built_in);
	case BUILT_IN_INSTEAD:
		if (!text)
			return NULL;
		return text_printf("%s", is_blank(text) ? built_in : text);
	case NOTHING_BUILT_IN:
		break;
	}
	return text ? text_printf("%s", text) : NULL;
}

struct joined cmdline_join(const char *text, const struct config *config)
{
	enum joining joining = joining_of(config);
	const char *built_in = config ? config->facts[FACT_CMDLINE].text : NULL;
	struct joined joined = {.given = text && joining != BUILT_IN_ALONE};

	joined.line = join(joining, built_in, text, &joined.complete);
	/* what stands at its end might undo what stands at its start */
	if (joined.line && strlen(joined.line) > LINE_MAX_SIZE) {
		free(joined.line);
		joined.line = NULL;
	}
	return joined;
}
