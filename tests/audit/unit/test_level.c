/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that says which level is asked for. */
#include "unit.h"

#include "level.h"
#include "message.h"

/* What is printed on standard error while it is read. */
static char *complaints(const char *text, int *status, enum level *level)
{
	char *path = file_with(text, strlen(text)), *said = NULL;
	FILE *saved = stderr;
	size_t size;

	stderr = open_memstream(&said, &size);
	*status = level_default(path, level);
	fclose(stderr);
	stderr = saved;
	unlink(path);
	free(path);
	return said;
}

static const struct {
	const char *text;
	enum level level;
} good[] = {
	{"", LEVEL_LOW},
	{"level = high\n", LEVEL_HIGH},
	{"level=extreme", LEVEL_EXTREME},
	{"# ours\n\n \tlevel\t= medium   # for now\r\n", LEVEL_MEDIUM},
	{"# level = high = no\n", LEVEL_LOW},
};

static void test_good(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(good); i++) {
		enum level level;
		int status;
		char *said = complaints(good[i].text, &status, &level);

		assert_string_equal(said, "");
		assert_int_equal(status, 0);
		assert_int_equal(level, good[i].level);
		free(said);
	}
}

static const struct {
	const char *text, *said;
} bad[] = {
	{"level\n", ":1: 'level' is not of the form: level = high\n"},
	{"\nlevel = hihg\n", ":2: 'hihg' is no level; it is one of low, medium, high, extreme\n"},
	{"level =\n", ":1: '' is no level"},
	{"Level = high\n", ":1: 'Level' is not known here; there is only: level = high\n"},
	{"level = high = low\n", ":1: 'high = low' is no level"},
	{"level = \033[31m\n", ":1: '\\x1b[31m' is no level"},
	{"level = low\nlevel = high\n", ":2: level is given twice"},
};

static void test_bad(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		enum level level;
		int status;
		char *said = complaints(bad[i].text, &status, &level);

		assert_int_equal(status, EXIT_TROUBLE);
		assert_has(said, "hardened-audit: /tmp/unit.");
		assert_has(said, bad[i].said);
		free(said);
	}
}

static void test_every_mistake_is_told(void **state)
{
	enum level level;
	int status;
	char *said = complaints("a\n#\nb = c\nlevel = high\nlevel : low\n", &status, &level);

	(void)state;
	assert_int_equal(status, EXIT_TROUBLE);
	assert_has(said, ":1: ");
	assert_has_not(said, ":2: ");
	assert_has(said, ":3: ");
	assert_has_not(said, ":4: ");
	assert_has(said, ":5: ");
	free(said);
}

static void test_no_file(void **state)
{
	enum level level = LEVEL_EXTREME;

	(void)state;
	assert_int_equal(level_default("/nonexistent/hardenedconfig", &level), 0);
	assert_int_equal(level, LEVEL_LOW);
	/* It is there, but cannot be read. */
	assert_int_equal(level_default("/", &level), EXIT_TROUBLE);
}

static void test_words(void **state)
{
	(void)state;
	for (enum level i = 0; i < LEVEL_COUNT; i++) {
		enum level level = LEVEL_COUNT;

		assert_true(level_parse(level_word(i), &level));
		assert_int_equal(level, i);
	}
	assert_string_equal(level_word(LEVEL_MEDIUM), "medium");
	assert_false(level_parse("Low", &(enum level){0}));
	assert_false(level_parse("", &(enum level){0}));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),	cmocka_unit_test(test_bad),
		cmocka_unit_test(test_no_file), cmocka_unit_test(test_every_mistake_is_told),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
