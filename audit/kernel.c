/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The same rules as in gen/versions.py and gen/target.py, which judge with a kernel
 * tree at hand.
 */
#include "kernel.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

static const struct {
	enum architecture bit;
	const char *name;
} architectures[] = {
	{ARCH_ARM, "arm"},	   {ARCH_ARM64, "arm64"}, {ARCH_I386, "i386"},
	{ARCH_POWERPC, "powerpc"}, {ARCH_RISCV, "riscv"}, {ARCH_S390, "s390"},
	{ARCH_X86_64, "x86_64"},
};

#define ARCHITECTURES (sizeof(architectures) / sizeof(*architectures))

/* ---- Versions ---- */

bool version_parse(const char *text, struct version *version)
{
	*version = (struct version){0};
	while (version->size < 3 && isdigit((unsigned char)*text)) {
		char *end;
		unsigned long part = strtoul(text, &end, 10);

		if (part > 65535)
			return false;
		version->part[version->size++] = (unsigned int)part;
		if (*end != '.')
			break;
		text = end + 1;
	}
	return version->size >= 2;
}

/* -1, 0, 1, looking at so many numbers; those that a version does not have are 0. */
static int version_order(const struct version *a, const struct version *b, unsigned int size)
{
	for (unsigned int i = 0; i < size; i++)
		if (a->part[i] != b->part[i])
			return a->part[i] < b->part[i] ? -1 : 1;
	return 0;
}

bool version_before(const struct version *a, const struct version *b)
{
	return version_order(a, b, b->size) < 0;
}

bool version_in(const struct version *version, const struct ranges *ranges)
{
	for (size_t i = 0; i < ranges->size; i++) {
		const struct range *range = &ranges->at[i];

		if (version_order(version, &range->first, 3) >= 0 &&
		    (!range->last.size ||
		     version_order(version, &range->last, range->last.size) <= 0))
			return true;
	}
	return false;
}

void version_text(const struct version *version, char text[VERSION_TEXT_SIZE])
{
	int used = 0;

	*text = '\0';
	for (unsigned int i = 0; i < version->size; i++)
		used += snprintf(text + used, (size_t)(VERSION_TEXT_SIZE - used), "%s%u",
				 i ? "." : "", version->part[i]);
}

static char *range_text(const struct range *range)
{
	char first[VERSION_TEXT_SIZE], last[VERSION_TEXT_SIZE];

	version_text(&range->first, first);
	version_text(&range->last, last);
	if (!range->first.size && !range->last.size)
		return text_printf("all");
	if (!range->first.size)
		return text_printf("up to %s", last);
	if (!range->last.size)
		return text_printf("since %s", first);
	return text_printf("%s - %s", first, last);
}

char *ranges_text(const struct ranges *ranges)
{
	char *text = NULL;

	for (size_t i = 0; i < ranges->size; i++)
		text = text_joined(text, ", ", range_text(&ranges->at[i]));
	return text ? text : text_printf("none");
}

/* ---- Architectures ---- */

const char *architecture_text(unsigned int architecture)
{
	for (size_t i = 0; i < ARCHITECTURES; i++)
		if (architectures[i].bit == architecture)
			return architectures[i].name;
	return "unknown";
}

char *architectures_text(unsigned int bits)
{
	char *text = NULL;

	for (size_t i = 0; i < ARCHITECTURES; i++)
		if (bits & architectures[i].bit)
			text = text_joined(text, ", ", text_printf("%s", architectures[i].name));
	return text ? text : text_printf("none");
}

/* "Linux/arm64 6.12.3"; x86 may be either of two. */
static bool heading_is(const struct config *config, const char *name)
{
	const char *heading = config->heading ? config->heading : "";
	size_t size = strlen(name);

	return strncmp(heading, "Linux/", strlen("Linux/")) == 0 &&
	       strncmp(heading + strlen("Linux/"), name, size) == 0 &&
	       heading[strlen("Linux/") + size] == ' ';
}

static unsigned int architecture_of(const struct config *config)
{
	static const struct {
		enum fact fact;
		enum architecture bit;
	} facts[] = {
		{FACT_X86_64, ARCH_X86_64}, {FACT_X86, ARCH_I386},    {FACT_ARM64, ARCH_ARM64},
		{FACT_ARM, ARCH_ARM},	    {FACT_RISCV, ARCH_RISCV}, {FACT_PPC, ARCH_POWERPC},
		{FACT_S390, ARCH_S390},
	};

	if (heading_is(config, "um")) /* a program, though with X86_64=y */
		return 0;
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (config_is_set(config, facts[i].fact))
			return facts[i].bit;
	for (size_t i = 0; i < ARCHITECTURES; i++)
		if (heading_is(config, architectures[i].name))
			return architectures[i].bit;
	return 0;
}

/* ---- Compilers ---- */

char *compiler_text(const struct compiler *compiler)
{
	char version[VERSION_TEXT_SIZE];

	if (compiler->family == COMPILER_UNKNOWN)
		return text_printf("unknown");
	version_text(&compiler->version, version);
	return text_printf("%s%s%s", compiler->family == COMPILER_GCC ? "gcc" : "clang",
			   *version ? " " : "", version);
}

bool compiler_meets(const struct compiler *compiler, const struct compiler *condition)
{
	return compiler->family == condition->family &&
	       (!compiler->version.size ||
		!version_before(&compiler->version, &condition->version));
}

/* Packed as 120200 for 12.2.0, in all kernels since 4.18; older configs do not tell. */
static bool compiler_from(const struct config *config, enum fact fact, enum compiler_family family,
			  struct compiler *compiler)
{
	const char *text = config->facts[fact].text;
	unsigned long packed = text ? strtoul(text, NULL, 10) : 0;

	if (!packed || packed > 99999999)
		return false;
	compiler->family = family;
	compiler->version = (struct version){
		{(unsigned int)(packed / 10000), (unsigned int)(packed / 100 % 100),
		 (unsigned int)(packed % 100)},
		3,
	};
	return true;
}

/* Configs made with the kernel's scripts/dummy-tools, which claim to be gcc 20. */
static bool compiler_is_dummy(const struct config *config)
{
	const char *text = config->facts[FACT_CC_VERSION_TEXT].text;

	return text && strstr(text, "dummy-tools");
}

static struct compiler compiler_of(const struct config *config)
{
	struct compiler compiler = {0};

	if (!compiler_from(config, FACT_GCC_VERSION, COMPILER_GCC, &compiler))
		compiler_from(config, FACT_CLANG_VERSION, COMPILER_CLANG, &compiler);
	if (compiler_is_dummy(config))
		compiler.version.size = 0;
	return compiler;
}

/* ---- The kernel ---- */

/* The first word of the heading that is a version. */
static const char *release_in(const char *heading, struct version *version)
{
	const char *at = heading;

	while (at && *at) {
		if (version_parse(at, version))
			return at;
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	*version = (struct version){0};
	return NULL;
}

struct kernel kernel_of(const struct config *config)
{
	struct kernel kernel = {
		.architecture = architecture_of(config),
		.compiler = compiler_of(config),
	};

	kernel.release = release_in(config->heading, &kernel.version);
	return kernel;
}
