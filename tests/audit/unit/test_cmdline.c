/* SPDX-License-Identifier: GPL-2.0-only */
/* Words of a command line, and how two of them become one. */
#include "catalogue.h"
#include "cmdline.h"
#include "unit.h"

#define X86 "CONFIG_X86=y\nCONFIG_CMDLINE_BOOL=y\n"
#define ARM "CONFIG_ARM64=y\n"

static const struct given *given(const struct cmdline *cmdline, const char *name)
{
	for (size_t i = 0; i < catalogue.parameter_count; i++)
		if (strcmp(catalogue.parameters[i].name, name) == 0)
			return &cmdline->given[i];
	fail_msg("%s is not in the catalogue", name);
	return NULL;
}

/* value NULL: it is not there */
static void assert_given(const char *line, const char *name, const char *value)
{
	struct cmdline *cmdline = cmdline_parse(line, "it", NULL);
	const struct given *got = given(cmdline, name);

	if (got->present != !!value || (value && strcmp(got->value, value) != 0))
		fail_msg("%s: %s is %s and not %s", line, name,
			 got->present ? got->value : "absent", value ? value : "absent");
	cmdline_free(cmdline);
}

static void test_words(void **state)
{
	(void)state;
	assert_given("quiet init_on_alloc=1 ro", "init_on_alloc", "1");
	assert_given("\tinit_on_alloc=1\n", "init_on_alloc", "1");
	assert_given("init-on-alloc=1", "init_on_alloc", "1");
	assert_given("init_on_alloc=1x", "init_on_alloc", "1");
	assert_given("xinit_on_alloc=1", "init_on_alloc", NULL);
	assert_given("init_on_alloc", "init_on_alloc", NULL);
	assert_given("INIT_ON_ALLOC=1", "init_on_alloc", NULL);
	assert_given("", "init_on_alloc", NULL);
	assert_given("quiet nokaslr", "nokaslr", "");
}

static void test_quotes(void **state)
{
	(void)state;
	assert_given("\"init_on_alloc=1\"", "init_on_alloc", "1");
	assert_given("init_on_alloc=\"1\"", "init_on_alloc", "1");
	assert_given("x=\"a init_on_alloc=1\"", "init_on_alloc", NULL);
	assert_given("x=\"a\" init_on_alloc=1", "init_on_alloc", "1");
	assert_given("x=\"never closed init_on_alloc=1", "init_on_alloc", NULL);
	assert_given("lsm=\"yama,a b\"", "lsm", "yama,a b");
}

static void test_two_dashes_end_it(void **state)
{
	(void)state;
	assert_given("quiet -- init_on_alloc=1", "init_on_alloc", NULL);
	assert_given("init_on_alloc=1 --", "init_on_alloc", "1");
	assert_given("--x init_on_alloc=1", "init_on_alloc", "1");
}

static void test_bools(void **state)
{
	static const char *const on[] = {"1", "y", "Y", "yes", "t", "true", "on", "On", "oN"};
	static const char *const off[] = {"0", "n", "N", "no", "f", "false", "off", "OFF", "of"};
	static const char *const none[] = {"2", "", "o", "ok", "-1", " 1"};
	char line[40];

	(void)state;
	for (size_t i = 0; i < COUNT(on); i++) {
		snprintf(line, sizeof(line), "init_on_alloc=%s", on[i]);
		assert_given(line, "init_on_alloc", "1");
	}
	for (size_t i = 0; i < COUNT(off); i++) {
		snprintf(line, sizeof(line), "init_on_alloc=%s", off[i]);
		assert_given(line, "init_on_alloc", "0");
	}
	for (size_t i = 0; i < COUNT(none); i++) {
		snprintf(line, sizeof(line), "init_on_alloc=%s", none[i]);
		assert_given(line, "init_on_alloc", NULL);
	}
}

static void test_numbers_and_words(void **state)
{
	(void)state;
	assert_given("panic=-1", "panic", "-1");
	assert_given("panic=0x10", "panic", "0x10");
	assert_given("panic=08", "panic", NULL);
	assert_given("panic=1s", "panic", NULL);
	assert_given("panic=99999999999999999999", "panic", NULL);
	assert_given("vsyscall=none", "vsyscall", "none");
	assert_given("vsyscall=nothing", "vsyscall", NULL);
}

static void test_what_is_passed_over_is_told(void **state)
{
	struct cmdline *cmdline = cmdline_parse("init_on_alloc=1 init_on_alloc=maybe", "it", NULL);
	const struct given *got = given(cmdline, "init_on_alloc");

	(void)state;
	assert_string_equal(got->value, "1");
	assert_string_equal(got->word, "init_on_alloc=1");
	assert_string_equal(got->ignored, "init_on_alloc=maybe");
	cmdline_free(cmdline);
}

static void test_repeats(void **state)
{
	(void)state;
	assert_given("init_on_alloc=1 init_on_alloc=0", "init_on_alloc", "0");
	assert_given("efi=a efi=b", "efi", "a,b");
	assert_given("lockdown=confidentiality lockdown=integrity", "lockdown", "confidentiality");
	assert_given("lockdown=integrity lockdown=confidentiality", "lockdown", "confidentiality");
	assert_given("module.sig_enforce module.sig_enforce=0", "module.sig_enforce", "1");
}

static void test_spellings(void **state)
{
	(void)state;
	assert_given("nopti", "pti", "off");
	assert_given("nopti pti=on", "pti", "on");
	assert_given("slub_nomerge", "slab_nomerge", "1");
	assert_given("slab_nomerge slab_merge", "slab_nomerge", "0");
	assert_given("slub_debug=FZ", "slab_debug", "FZ");
}

static void assert_joined(const char *config_text, const char *line, const char *value,
			  bool complete)
{
	char *text = strdup(config_text);
	struct config *config = config_parse(text, strlen(text));
	struct cmdline *cmdline = cmdline_parse(line, "it", config);
	const struct given *got;

	assert_non_null(cmdline);
	got = given(cmdline, "init_on_alloc");
	assert_string_equal(got->present ? got->value : "absent", value);
	assert_int_equal(cmdline->complete, complete);
	cmdline_free(cmdline);
	config_free(config);
	free(text);
}

static void assert_unknown(const char *config_text)
{
	char *text = strdup(config_text);
	struct config *config = config_parse(text, strlen(text));

	assert_null(cmdline_parse(NULL, "it", config));
	config_free(config);
	free(text);
}

static void test_x86(void **state)
{
	static const char first[] = X86 "CONFIG_CMDLINE=\"init_on_alloc=0\"\n",
			  alone[] = X86 "CONFIG_CMDLINE=\"init_on_alloc=0\"\n"
					"CONFIG_CMDLINE_OVERRIDE=y\n";

	(void)state;
	assert_joined(first, "init_on_alloc=1", "1", true);
	assert_joined(first, "quiet", "0", true);
	assert_joined(first, NULL, "0", false);
	/* what /proc/cmdline has is already joined */
	assert_joined(first, "init_on_alloc=0 init_on_alloc=1", "1", true);
	assert_joined(alone, "init_on_alloc=1", "0", true);
	assert_joined(alone, NULL, "0", true);
	assert_unknown("CONFIG_X86=y\nCONFIG_CMDLINE=\"init_on_alloc=0\"\n");
	assert_unknown(X86 "CONFIG_CMDLINE=\"\"\n");
	assert_null(cmdline_parse(NULL, "it", NULL));
}

static void test_device_tree(void **state)
{
	static const char instead[] = ARM "CONFIG_CMDLINE=\"init_on_alloc=0\"\n",
			  last[] = ARM
			  "CONFIG_CMDLINE=\"init_on_alloc=0\"\nCONFIG_CMDLINE_EXTEND=y\n",
			  alone[] = ARM
			  "CONFIG_CMDLINE=\"init_on_alloc=0\"\nCONFIG_CMDLINE_FORCE=y\n";

	(void)state;
	assert_joined(instead, "quiet", "absent", true);
	assert_joined(instead, "", "0", true);
	assert_unknown(instead);
	assert_joined(last, "init_on_alloc=1", "0", true);
	assert_joined(last, NULL, "0", false);
	assert_joined(last, "quiet -- single", "absent", true);
	assert_joined(alone, "init_on_alloc=1", "0", true);
	assert_joined(alone, NULL, "0", true);
}

/* However long it is; what is behind the end is not known. */
static void test_a_line_of_a_megabyte(void **state)
{
	size_t size = 1 << 20;
	char *line = malloc(size + 1);
	struct cmdline *cmdline;

	(void)state;
	for (size_t i = 0; i < size; i++)
		line[i] = "efi=a "[i % 6];
	line[size] = '\0';
	memcpy(line, "init_on_alloc=1 ", 16);
	/* its end might undo what its start says */
	assert_null(cmdline_parse(line, "it", NULL));
	line[8 << 10] = '\0';
	cmdline = cmdline_parse(line, "it", NULL);
	assert_string_equal(given(cmdline, "init_on_alloc")->value, "1");
	assert_true(cmdline->complete);
	cmdline_free(cmdline);
	free(line);
	cmdline_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_quotes),
		cmocka_unit_test(test_two_dashes_end_it),
		cmocka_unit_test(test_bools),
		cmocka_unit_test(test_numbers_and_words),
		cmocka_unit_test(test_what_is_passed_over_is_told),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_spellings),
		cmocka_unit_test(test_x86),
		cmocka_unit_test(test_device_tree),
		cmocka_unit_test(test_a_line_of_a_megabyte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
