/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From what was read of a kernel to its audit.
 */
#include "audit.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

bool audit_highest(const struct audit *audit, enum level *level)
{
	bool met = false;

	if (audit->problem || !audit->evidence.config)
		return false;
	for (enum level i = 0; i < LEVEL_COUNT && audit->levels[i].met; i++) {
		*level = i;
		met = true;
	}
	return met;
}

int audit_status(const struct audit *audit)
{
	const struct standing *standing = &audit->levels[audit->level];

	if (audit->problem)
		return 2;
	if (standing->failed)
		return 1;
	return standing->met && audit->evidence.config ? 0 : 2;
}

struct audit audit_problem(const char *source, char *problem, const struct terms *terms)
{
	return (struct audit){
		.source = text_printf("%s", source),
		.problem = problem,
		.level = terms->level,
	};
}

static void read_config(struct audit *audit, struct material *material)
{
	struct config *config;

	audit->config_text = material->config;
	if (!material->config)
		return;
	config = config_parse(material->config, material->config_size);
	audit->config = config;
	audit->evidence.config = config;
	audit->evidence.config_path = audit->source;
	audit->evidence.kernel = kernel_of(config);
	if (!config_has_settings(config))
		audit->problem = text_printf(
			"%s: this is no kernel config: none of its %zu lines is CONFIG_NAME=value "
			"or # CONFIG_NAME is not set; give a .config, or an image or package that "
			"holds one",
			audit->source, config->line_count);
	else if (config->ignored)
		audit->note = text_joined(
			audit->note, "\n",
			text_printf("%zu lines that look like settings are none, and were "
				    "passed over: the first is line %u",
				    config->ignored, config->first_ignored));
}

static void read_sysctls(struct audit *audit, struct material *material)
{
	audit->sysctl_text = material->sysctl;
	audit->sysctl_source = material->sysctl_source;
	audit->sysctls = material->sysctls;
	if (material->sysctl)
		audit->sysctls = sysctls_parse(material->sysctl, material->sysctl_size,
					       audit->sysctl_source);
	audit->evidence.sysctls = audit->sysctls;
	if (material->sysctl && !audit->sysctls->settings && !audit->problem)
		audit->problem = text_printf("%s: no line of it is a sysctl, such as "
					     "kernel.panic = 0; save what `sysctl -a` prints",
					     audit->sysctl_source);
}

static void read_cmdline(struct audit *audit, struct material *material)
{
	audit->cmdline_source = material->cmdline_source;
	audit->cmdline = cmdline_parse(material->cmdline, audit->cmdline_source, audit->config);
	audit->evidence.cmdline = audit->cmdline;
	free(material->cmdline);
}

struct audit audit_of(struct material *material, const struct terms *terms)
{
	struct audit audit = {
		.source = material->source,
		.note = material->note,
		.level = terms->level,
	};

	audit.evidence.running = material->running;
	read_config(&audit, material);
	read_cmdline(&audit, material);
	read_sysctls(&audit, material);
	if (audit.problem)
		return audit;
	audit.answers = judge(&audit.evidence);
	if (terms->waivers)
		waivers_apply(terms->waivers, audit.answers);
	for (enum level level = 0; level < LEVEL_COUNT; level++)
		audit.levels[level] = standing_of(level, audit.answers, &audit.evidence);
	return audit;
}

void audit_clear(struct audit *audit)
{
	for (enum level level = 0; level < LEVEL_COUNT; level++)
		standing_free(&audit->levels[level]);
	answers_free(audit->answers);
	sysctls_free(audit->sysctls);
	cmdline_free(audit->cmdline);
	config_free(audit->config);
	free(audit->sysctl_text);
	free(audit->sysctl_source);
	free(audit->cmdline_source);
	free(audit->config_text);
	free(audit->problem);
	free(audit->note);
	free(audit->source);
	*audit = (struct audit){0};
}
