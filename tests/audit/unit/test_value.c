/* SPDX-License-Identifier: GPL-2.0-only */
/* Does a value satisfy a setting? */
#include "judge.h"
#include "unit.h"

/* Of no kernel: the kind that has no letters. */
static bool held(enum match match, const char *wanted, const char *value)
{
	struct setting setting = {.kind = KIND_KCONFIG, .match = match, .value = wanted};

	return setting_held(&setting, value, "32");
}

static void test_exact(void **state)
{
	(void)state;
	assert_true(held(MATCH_EXACT, "y", "y"));
	assert_false(held(MATCH_EXACT, "y", "m"));
	assert_false(held(MATCH_EXACT, "y", ""));
	assert_true(held(MATCH_EXACT, "65536", "0x10000"));
	assert_true(held(MATCH_EXACT, "0X10", "16"));
	assert_true(held(MATCH_EXACT, "-1", "-1"));
	assert_false(held(MATCH_EXACT, "1", "-1"));
	assert_false(held(MATCH_EXACT, "1", "1 "));
	assert_false(held(MATCH_EXACT, "0", ""));
}

static void test_bounds(void **state)
{
	(void)state;
	assert_true(held(MATCH_AT_LEAST, "65536", "65536"));
	assert_true(held(MATCH_AT_LEAST, "65536", "0x20000"));
	assert_false(held(MATCH_AT_LEAST, "65536", "9999"));
	assert_false(held(MATCH_AT_LEAST, "0", "-1"));
	assert_false(held(MATCH_AT_LEAST, "1", "y"));
	assert_false(held(MATCH_AT_LEAST, "1", "99999999999999999999"));
	assert_true(held(MATCH_BETWEEN, "1..99", "1"));
	assert_true(held(MATCH_BETWEEN, "1..99", "99"));
	assert_false(held(MATCH_BETWEEN, "1..99", "0"));
	assert_false(held(MATCH_BETWEEN, "1..99", "100"));
	assert_false(held(MATCH_BETWEEN, "1..99", "-1"));
	assert_false(held(MATCH_BETWEEN, "1..99", ""));
}

static void test_highest(void **state)
{
	struct setting setting = {.kind = KIND_KCONFIG, .match = MATCH_HIGHEST, .value = ""};

	(void)state;
	assert_true(setting_held(&setting, "32", "32"));
	assert_false(setting_held(&setting, "31", "32"));
	assert_false(setting_held(&setting, "32", NULL));
	assert_false(setting_held(&setting, "y", "32"));
}

static void test_any(void **state)
{
	(void)state;
	assert_true(held(MATCH_ANY, "", "x"));
	assert_false(held(MATCH_ANY, "", ""));
}

/* An item that is part of another is not that item. */
static void test_lists(void **state)
{
	(void)state;
	assert_true(held(MATCH_CONTAINS, "yama", "landlock,yama,bpf"));
	assert_true(held(MATCH_CONTAINS, "yama", "yama"));
	assert_false(held(MATCH_CONTAINS, "yama", "yama2,xyama,yam"));
	assert_false(held(MATCH_CONTAINS, "yama", ""));
	assert_true(held(MATCH_CONTAINS, "auto,nosmt", "nosmt,auto"));
	assert_false(held(MATCH_CONTAINS, "auto,nosmt", "auto,no_guest_host"));
}

static void test_letters(void **state)
{
	struct setting setting = {.kind = KIND_CMDLINE, .match = MATCH_EXACT, .value = "FZ"};

	(void)state;
	while (setting.name < catalogue.parameter_count &&
	       catalogue.parameters[setting.name].values != VALUES_LETTERS)
		setting.name++;
	assert_true(setting.name < catalogue.parameter_count);
	assert_true(setting_held(&setting, "ZPF", NULL));
	assert_true(setting_held(&setting, "zf", NULL));
	assert_true(setting_held(&setting, "", NULL));
	assert_false(setting_held(&setting, "F", NULL));
	assert_false(setting_held(&setting, "-", NULL));
	assert_false(setting_held(&setting, "FZ,dentry", NULL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),	cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_highest), cmocka_unit_test(test_any),
		cmocka_unit_test(test_lists),	cmocka_unit_test(test_letters),
	};

	return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
