/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of --files-from. */
#include "unit.h"

#include "message.h"
#include "names.h"

#define TEXT(text) text, sizeof(text) - 1

static const struct {
	const char *text;
	size_t size;
	const char *names[4];
} lists[] = {
	{TEXT("a"), {"a"}},
	{TEXT("a\n"), {"a"}},
	{TEXT("a b\n\n\n/c\n d"), {"a b", "/c", " d"}},
	{TEXT("a\nb\0c\0"), {"a\nb", "c"}},
	{TEXT("a\0\0c"), {"a", "c"}},
};

static void test_lists(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(lists); i++) {
		char *path = file_with(lists[i].text, lists[i].size);
		struct names names = {0};
		size_t count = 0;

		assert_int_equal(names_read(path, NULL, 0, &names), 0);
		while (lists[i].names[count])
			count++;
		assert_int_equal(names.size, count);
		for (size_t n = 0; n < count; n++)
			assert_string_equal(names.at[n], lists[i].names[n]);
		names_free(&names);
		unlink(path);
		free(path);
	}
}

static void test_behind_others(void **state)
{
	char *first[] = {(char[]){"x"}, (char[]){"y"}, (char[]){"z"}}, *path;
	struct names names = {0};

	(void)state;
	path = file_with(TEXT("a\nb\n"));
	assert_int_equal(names_read(path, first, 3, &names), 0);
	assert_int_equal(names.size, 5);
	assert_string_equal(names.at[2], "z");
	assert_string_equal(names.at[4], "b");
	names_free(&names);
	unlink(path);
	free(path);
}

static void test_empty(void **state)
{
	char *path = file_with(TEXT("\n\n"));
	struct names names = {0};

	(void)state;
	assert_int_equal(names_read(path, NULL, 0, &names), EXIT_TROUBLE);
	names_free(&names);
	unlink(path);
	names = (struct names){0};
	assert_int_equal(names_read(path, NULL, 0, &names), EXIT_TROUBLE);
	names_free(&names);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_behind_others),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
