/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints the table that it is linked with as JSON, field by field, for test_table.py. */
#include <stdio.h>

#include "catalogue.h"

#define EACH(list, i) for (size_t i = 0; i < (list).size; i++)

static void text(const char *string)
{
	if (!string) {
		printf("null");
		return;
	}
	putchar('"');
	for (; *string; string++) {
		if (*string == '"' || *string == '\\')
			putchar('\\');
		putchar(*string);
	}
	putchar('"');
}

static void key(const char *name)
{
	printf(",\"%s\":", name);
}

static void version(const struct version *version)
{
	putchar('[');
	for (unsigned int i = 0; i < version->size; i++)
		printf("%s%u", i ? "," : "", version->part[i]);
	putchar(']');
}

static void ranges(const struct ranges *ranges)
{
	putchar('[');
	EACH(*ranges, i)
	{
		printf(i ? ",[" : "[");
		version(&ranges->at[i].first);
		putchar(',');
		version(&ranges->at[i].last);
		putchar(']');
	}
	putchar(']');
}

static const char *name_of(enum kind kind, size_t name)
{
	switch (kind) {
	case KIND_KCONFIG:
		return name < catalogue.symbol_count ? catalogue.symbols[name] : NULL;
	case KIND_CMDLINE:
		return name < catalogue.parameter_count ? catalogue.parameters[name].name : NULL;
	case KIND_SYSCTL:
		return name < catalogue.sysctl_count ? catalogue.sysctls[name] : NULL;
	default:
		return NULL;
	}
}

static void setting(const struct setting *setting)
{
	static const char *const kinds[] = {"kconfig", "cmdline", "sysctl"};
	static const char *const matches[] = {
		"EXACT", "AT_LEAST", "HIGHEST", "ANY", "BETWEEN", "CONTAINS",
	};

	printf("[\"%s\",", kinds[setting->kind]);
	text(name_of(setting->kind, setting->name));
	printf(",\"%s\",", matches[setting->match]);
	text(setting->value);
	putchar(',');
	text(setting->text);
	putchar(']');
}

static void settings(const char *name, const struct settings *settings)
{
	key(name);
	putchar('[');
	EACH(*settings, i)
	{
		if (i)
			putchar(',');
		setting(&settings->at[i]);
	}
	putchar(']');
}

static void names(const struct entry *entry)
{
	key("names");
	putchar('[');
	for (size_t i = 0; i < entry->name_count; i++) {
		printf(i ? ",[" : "[");
		text(name_of(entry->setting.kind, entry->names[i].name));
		putchar(',');
		ranges(&entry->names[i].kernels);
		putchar(']');
	}
	putchar(']');
}

static void compilers(const struct entry *entry)
{
	static const char *const families[] = {"", "gcc", "clang"};

	key("compilers");
	putchar('[');
	for (size_t i = 0; i < entry->compiler_count; i++) {
		printf("%s[\"%s\",", i ? "," : "", families[entry->compilers[i].family]);
		version(&entry->compilers[i].version);
		putchar(']');
	}
	putchar(']');
}

static void entry(const struct entry *entry)
{
	printf("{\"level\":%d,\"architectures\":%u", entry->level, entry->architectures);
	key("setting");
	setting(&entry->setting);
	names(entry);
	key("always_on");
	ranges(&entry->always_on);
	compilers(entry);
	settings("prerequisites", &entry->prerequisites);
	settings("stronger", &entry->stronger);
	settings("weaker", &entry->weaker);
	settings("boot", &entry->boot);
	settings("run", &entry->run);
	settings("instead", &entry->instead);
	settings("undone_by", &entry->undone_by);
	key("maximum");
	text(entry->maximum == SYMBOL_NONE ? "" : name_of(KIND_KCONFIG, entry->maximum));
	key("group");
	printf("%zu", entry->group);
	key("hardware_dependent");
	printf(entry->hardware_dependent ? "true" : "false");
	key("target");
	text(entry->target);
	key("wanted");
	text(entry->wanted);
	key("protection");
	text(entry->protection);
	key("reason");
	text(entry->reason);
	key("where");
	text(entry->where);
	putchar('}');
}

static void parameter(const struct parameter *parameter)
{
	static const char *const forms[] = {"words", "bool", "number", "list", "letters", "text"};
	static const char *const repeats[] = {"last", "add", "highest"};
	const char *const *word = parameter->words;

	printf("{\"form\":\"%s\",\"repeats\":\"%s\",\"bare\":%s,\"architectures\":%u",
	       forms[parameter->values], repeats[parameter->repeats],
	       parameter->bare ? "true" : "false", parameter->architectures);
	key("name");
	text(parameter->name);
	key("words");
	putchar('[');
	for (; word && *word; word++) {
		if (word != parameter->words)
			putchar(',');
		text(*word);
	}
	putchar(']');
	key("spellings");
	putchar('[');
	for (size_t i = 0; i < parameter->spelling_count; i++) {
		printf(i ? ",[" : "[");
		text(parameter->spellings[i].name);
		putchar(',');
		text(parameter->spellings[i].value);
		putchar(']');
	}
	putchar(']');
	key("kernels");
	ranges(&parameter->kernels);
	settings("prerequisites", &parameter->prerequisites);
	putchar('}');
}

int main(void)
{
	printf("{\"group_count\":%zu,\"entries\":[", catalogue.group_count);
	for (size_t i = 0; i < catalogue.entry_count; i++) {
		if (i)
			putchar(',');
		entry(&catalogue.entries[i]);
	}
	printf("],\"parameters\":[");
	for (size_t i = 0; i < catalogue.parameter_count; i++) {
		if (i)
			putchar(',');
		parameter(&catalogue.parameters[i]);
	}
	printf("]}\n");
	return 0;
}
