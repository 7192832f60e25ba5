/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text format of Prometheus, for node_exporter's textfile collector. All samples of a
 * metric stand together, so that all audits must be there.
 */
#include <stdlib.h>

#include "output.h"
#include "text.h"

/* source="..." and whatever else; labels have '\\' and '"' escaped. */
static void print_labels(FILE *out, const struct audit *audit)
{
	char *clean = text_printf("%s", audit->source);

	fputs("{source=\"", out);
	for (const char *at = clean; *at; at++) {
		if (*at == '\\' || *at == '"')
			putc('\\', out);
		putc(*at, out);
	}
	putc('"', out);
	free(clean);
}

static void print_up(FILE *out, const struct audit *audit)
{
	fputs("hardened_audit_success", out);
	print_labels(out, audit);
	fprintf(out, "} %d\n", !audit->problem);
}

static void print_met(FILE *out, const struct audit *audit)
{
	enum level highest = LEVEL_LOW;
	bool any = audit_highest(audit, &highest);

	for (enum level level = 0; level < LEVEL_COUNT && !audit->problem; level++) {
		fputs("hardened_audit_level_met", out);
		print_labels(out, audit);
		fprintf(out, ",level=\"%s\"} %d\n", level_word(level), any && level <= highest);
	}
}

static void print_settings(FILE *out, const struct audit *audit)
{
	const struct standing *standing = &audit->levels[audit->level];

	for (enum verdict verdict = 0; verdict <= VERDICT_WAIVED && !audit->problem; verdict++) {
		fputs("hardened_audit_settings", out);
		print_labels(out, audit);
		fprintf(out, ",level=\"%s\",verdict=\"%s\"} %zu\n", level_word(audit->level),
			verdict_word(verdict), standing->counts[verdict]);
	}
}

static const struct metric {
	const char *name, *help;
	void (*print)(FILE *out, const struct audit *audit);
} metrics[] = {
	{"hardened_audit_success", "Whether the kernel could be audited.", print_up},
	{"hardened_audit_level_met", "Whether the level is met, and all below it.", print_met},
	{"hardened_audit_settings", "Settings that the level asks for, by verdict.",
	 print_settings},
};

static void together(FILE *out, const struct view *view, const struct audit *audits, size_t count)
{
	(void)view;
	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++) {
		fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", metrics[i].name, metrics[i].help,
			metrics[i].name);
		for (size_t n = 0; n < count; n++)
			metrics[i].print(out, &audits[n]);
	}
}

const struct format format_prometheus = {.name = "prometheus", .together = together};
