/* SPDX-License-Identifier: GPL-2.0-only */
/* Which lines of a config count, and whether it is a whole one. */
#include "catalogue.h"
#include "config.h"
#include "unit.h"

#define HEADING(version) "#\n# Linux/x86 " version " Kernel Configuration\n#\n"

struct parsed {
	char *text;
	struct config *config;
};

static struct parsed parse_bytes(const char *bytes, size_t size)
{
	struct parsed parsed = {.text = malloc(size + 1)};

	memcpy(parsed.text, bytes, size);
	parsed.config = config_parse(parsed.text, size);
	return parsed;
}

static struct parsed parse(const char *text)
{
	return parse_bytes(text, strlen(text));
}

static void done(struct parsed parsed)
{
	config_free(parsed.config);
	free(parsed.text);
}

static const struct value *value(const struct parsed *parsed, const char *name)
{
	for (size_t i = 0; i < catalogue.symbol_count; i++)
		if (strcmp(catalogue.symbols[i], name) == 0)
			return &parsed->config->values[i];
	fail_msg("%s is not in the catalogue", name);
	return NULL;
}

static void assert_value(const char *text, const char *name, const char *wanted)
{
	struct parsed parsed = parse(text);
	const struct value *got = value(&parsed, name);

	if (wanted) {
		assert_non_null(got->text);
		assert_string_equal(got->text, wanted);
	} else {
		assert_null(got->text);
	}
	done(parsed);
}

static void test_lines(void **state)
{
	(void)state;
	assert_value("CONFIG_DEVMEM=y\n", "DEVMEM", "y");
	assert_value("CONFIG_DEVMEM=m", "DEVMEM", "m");
	assert_value("# CONFIG_DEVMEM is not set\n", "DEVMEM", "n");
	assert_value("# CONFIG_DEVMEM is not set", "DEVMEM", "n");
	assert_value("CONFIG_DEVMEM=\n", "DEVMEM", "");
	assert_value("CONFIG_DEVMEM=y\r\n", "DEVMEM", "y");
	assert_value("# CONFIG_DEVMEM is not set\r\n", "DEVMEM", "n");
	assert_value("CONFIG_PANIC_TIMEOUT=-1\n", "PANIC_TIMEOUT", "-1");
}

static void test_what_is_no_line_of_it(void **state)
{
	(void)state;
	assert_value("", "DEVMEM", NULL);
	assert_value(" CONFIG_DEVMEM=y\n", "DEVMEM", NULL);
	assert_value("#CONFIG_DEVMEM=y\n", "DEVMEM", NULL);
	assert_value("# CONFIG_DEVMEM=y\n", "DEVMEM", NULL);
	assert_value("# CONFIG_DEVMEM is not settable here\n", "DEVMEM", NULL);
	assert_value("CONFIG_DEVMEM\n", "DEVMEM", NULL);
	assert_value("CONFIG_DEVMEM =y\n", "DEVMEM", NULL);
	assert_value("CONFIG_DEVMEMX=y\nCONFIG_DEVME=y\nCONFIG_XDEVMEM=y\n", "DEVMEM", NULL);
	assert_value("config_devmem=y\n", "DEVMEM", NULL);
}

static void test_the_last_of_two_counts(void **state)
{
	struct parsed parsed = parse("CONFIG_DEVMEM=y\n\n# CONFIG_DEVMEM is not set\n");

	(void)state;
	assert_string_equal(value(&parsed, "DEVMEM")->text, "n");
	assert_int_equal(value(&parsed, "DEVMEM")->line, 3);
	done(parsed);
	assert_value("# CONFIG_DEVMEM is not set\nCONFIG_DEVMEM=y\n", "DEVMEM", "y");
}

static void test_strings(void **state)
{
	(void)state;
	assert_value("CONFIG_LSM=\"yama,lockdown\"\n", "LSM", "yama,lockdown");
	assert_value("CONFIG_LSM=\"\"\n", "LSM", "");
	assert_value("CONFIG_LSM=\"a\\\"b\\\\c\"\n", "LSM", "a\"b\\c");
	assert_value("CONFIG_LSM=\"y \"\n", "LSM", "y ");
	assert_value("CONFIG_LSM=\"no end\n", "LSM", NULL);
	assert_value("CONFIG_LSM=\"no end\\\"\n", "LSM", NULL);
	assert_value("CONFIG_LSM=\"", "LSM", NULL);
}

/* conf takes these, from fragments written by hand. */
static void test_behind_a_tristate(void **state)
{
	(void)state;
	assert_value("CONFIG_DEVMEM=y \n", "DEVMEM", "y");
	assert_value("CONFIG_DEVMEM=n\t# why\n", "DEVMEM", "n");
	assert_value("CONFIG_DEVMEM=yes\n", "DEVMEM", "yes");
	assert_value("CONFIG_PANIC_TIMEOUT=1 \n", "PANIC_TIMEOUT", "1 ");
}

static void test_what_starts_like_a_setting_is_counted(void **state)
{
	struct parsed parsed =
		parse("CONFIG_A=y\nCONFIG_B\nCONFIG_LSM=\"x\n# CONFIG_C is not set\n");

	(void)state;
	assert_int_equal(parsed.config->settings, 2);
	assert_int_equal(parsed.config->ignored, 2);
	assert_int_equal(parsed.config->first_ignored, 2);
	assert_int_equal(parsed.config->line_count, 4);
	assert_true(config_has_settings(parsed.config));
	done(parsed);
	parsed = parse("hello\n");
	assert_false(config_has_settings(parsed.config));
	done(parsed);
}

static void test_bytes_of_any_kind(void **state)
{
	static const char nul[] = "CONFIG_DEVMEM=y\0x\nCONFIG_LSM=\"a\0b\"\nCONFIG_KEXEC=y";
	static const char start[] = {'C', 'O', 'N', 'F', 'I', 'G', '_'},
			  end[] = "\nCONFIG_DEVMEM=y\n";
	size_t size = 3000000;
	char *large = malloc(size);
	struct parsed parsed = parse_bytes(nul, sizeof(nul) - 1);

	(void)state;
	assert_null(value(&parsed, "DEVMEM")->text);
	assert_null(value(&parsed, "LSM")->text);
	assert_string_equal(value(&parsed, "KEXEC")->text, "y");
	assert_int_equal(parsed.config->ignored, 2);
	done(parsed);
	memset(large, 'A', size);
	memcpy(large, start, sizeof(start));
	memcpy(large + size - sizeof(end), end, sizeof(end));
	parsed = parse_bytes(large, size - 1); /* without the NUL */
	assert_string_equal(value(&parsed, "DEVMEM")->text, "y");
	done(parsed);
	free(large);
}

static void assert_complete(bool wanted, const char *text)
{
	struct parsed parsed = parse(text);

	if (parsed.config->complete != wanted)
		fail_msg("%s taken for a whole one:\n%s", wanted ? "not" : "wrongly", text);
	done(parsed);
}

static void test_complete_since_5_4(void **state)
{
	(void)state;
	assert_complete(true, HEADING("5.4.0") "CONFIG_A=y\n# end of Kernel hacking\n");
	assert_complete(true, HEADING("6.12.1") "CONFIG_A=y\n# end of Kernel hacking");
	assert_complete(true, HEADING("7.3.4") "# end of Kernel hacking\n\nCONFIG_A=y\n");
	assert_complete(false, HEADING("6.12.1") "CONFIG_A=y\n");
	assert_complete(false, HEADING("6.12.1") "# Kernel hacking\n# Library routines\n");
	assert_complete(false, "CONFIG_A=y\n# end of Kernel hacking\n");
	assert_complete(false, HEADING("6.12.1") "# end of Kernel hacking of mine\n");
}

static void test_complete_before(void **state)
{
	(void)state;
	assert_complete(true,
			HEADING("4.19.1") "# Library routines\n# Kernel hacking\nCONFIG_A=y\n");
	assert_complete(true,
			HEADING("4.9.1") "# Kernel hacking\n# Library routines\nCONFIG_A=y\n");
	assert_complete(true, "# Linux kernel version: 2.6.32\n# Kernel hacking\n"
			      "# Library routines\nCONFIG_A=y\n");
	assert_complete(false, HEADING("4.9.1") "# Kernel hacking\nCONFIG_A=y\n");
	assert_complete(false, HEADING("4.19.1") "# Library routines\nCONFIG_A=y\n");
	assert_complete(false, HEADING("4.19.1") "CONFIG_A=y\n");
	assert_complete(false, HEADING("4.9.1") "# Kernel hacking\n# Library routines\nCONFIG_A=");
	assert_complete(false, "# Kernel hacking\n# Library routines\nCONFIG_A=y\n");
}

static void test_a_heading_far_down_is_none(void **state)
{
	static const char text[] =
		"#\n#\n#\n#\n#\n#\n#\n#\n#\n#\n#\n#\n#\n#\n#\n#\n#\n#\n#\n#\n" HEADING(
			"6.1.1") "CONFIG_A=y\n";
	struct parsed parsed;

	(void)state;
	parsed = parse(text);
	assert_null(parsed.config->heading);
	done(parsed);
	parsed = parse("# mine\n" HEADING("6.1.1"));
	assert_string_equal(parsed.config->heading, "Linux/x86 6.1.1");
	done(parsed);
}

static void test_facts(void **state)
{
	struct parsed parsed = parse("CONFIG_ARM64=y\nCONFIG_CMDLINE=\"a \\\"b\\\"\"\n"
				     "# CONFIG_CMDLINE_FORCE is not set\n");

	(void)state;
	assert_string_equal(parsed.config->facts[FACT_ARM64].text, "y");
	assert_string_equal(parsed.config->facts[FACT_CMDLINE].text, "a \"b\"");
	assert_string_equal(parsed.config->facts[FACT_CMDLINE_FORCE].text, "n");
	assert_null(parsed.config->facts[FACT_X86].text);
	done(parsed);
	config_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_what_is_no_line_of_it),
		cmocka_unit_test(test_the_last_of_two_counts),
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_behind_a_tristate),
		cmocka_unit_test(test_what_starts_like_a_setting_is_counted),
		cmocka_unit_test(test_bytes_of_any_kind),
		cmocka_unit_test(test_complete_since_5_4),
		cmocka_unit_test(test_complete_before),
		cmocka_unit_test(test_a_heading_far_down_is_none),
		cmocka_unit_test(test_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
