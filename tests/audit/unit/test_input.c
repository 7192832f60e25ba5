/* SPDX-License-Identifier: GPL-2.0-only */
/* Small texts, and files of a tree that no symbolic link leads out of. */
/* not under valgrind: it does not know openat2() */
/* not under qemu-user: it does not know openat2() */
#include "unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "input.h"

#define TEXT "kernel.kptr_restrict = 2\n"

/* A tree in which links lead everywhere, and its root. */
struct tree {
	char root[sizeof("/tmp/unit.XXXXXX")];
	int folder;
};

static void write_file(int folder, const char *name, const char *text)
{
	int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL, 0644);

	assert_true(file >= 0);
	assert_int_equal(write(file, text, strlen(text)), strlen(text));
	close(file);
}

static int set_up(void **state)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	strcpy(tree->root, "/tmp/unit.XXXXXX");
	assert_non_null(mkdtemp(tree->root));
	tree->folder = open(tree->root, O_PATH | O_DIRECTORY);
	assert_true(tree->folder >= 0);
	mkdirat(tree->folder, "etc", 0755);
	write_file(tree->folder, "etc/passwd", TEXT);
	write_file(tree->folder, "config", "CONFIG_A=y\n");
	assert_int_equal(symlinkat("/etc/passwd", tree->folder, "absolute"), 0);
	assert_int_equal(symlinkat("../../../../etc/passwd", tree->folder, "etc/above"), 0);
	assert_int_equal(symlinkat("loop", tree->folder, "loop"), 0);
	assert_int_equal(symlinkat("/proc/self/root/etc/passwd", tree->folder, "magic"), 0);
	*state = tree;
	return 0;
}

static int tear_down(void **state)
{
	static const char *const names[] = {"etc/passwd", "etc/above", "config", "absolute",
					    "loop",	  "magic",     "device"};
	struct tree *tree = *state;

	for (size_t i = 0; i < COUNT(names); i++)
		unlinkat(tree->folder, names[i], 0);
	unlinkat(tree->folder, "etc", AT_REMOVEDIR);
	close(tree->folder);
	rmdir(tree->root);
	free(tree);
	return 0;
}

/* What is in the tree, not in the system's own /etc/passwd, and by whatever path. */
static void test_links_stay_within(void **state)
{
	static const char *const paths[] = {"etc/passwd", "/etc/passwd", "absolute", "etc/above",
					    "../../etc/passwd"};
	const struct tree *tree = *state;

	for (size_t i = 0; i < COUNT(paths); i++) {
		char *text, *problem;
		size_t size;

		problem = input_read_text_in(tree->folder, paths[i], 1000, &text, &size);
		assert_null(problem);
		assert_int_equal(size, strlen(TEXT));
		assert_memory_equal(text, TEXT, size);
		free(text);
	}
}

static void refused(const struct tree *tree, const char *path, const char *why)
{
	struct found_list list = {0};
	char *text, *problem;
	size_t size;

	problem = input_read_text_in(tree->folder, path, 1000, &text, &size);
	assert_non_null(problem);
	assert_has(problem, path);
	assert_has(problem, why);
	free(problem);
	problem = input_read_in(tree->folder, path, &list);
	assert_non_null(problem);
	assert_has(problem, why);
	assert_int_equal(list.size, 0);
	free(problem);
	found_list_free(&list);
}

static void test_refused(void **state)
{
	const struct tree *tree = *state;

	refused(tree, "etc", "it is a directory");
	refused(tree, "loop", "symbolic links");
	refused(tree, "magic", "No such file");
	refused(tree, "missing", "No such file");
	if (mknodat(tree->folder, "device", S_IFCHR | 0644, makedev(1, 5)) == 0)
		refused(tree, "device", "it is a device");
}

static void test_config_of_a_tree(void **state)
{
	const struct tree *tree = *state;
	struct found_list list = {0};

	assert_null(input_read_in(tree->folder, "config", &list));
	assert_null(input_read_in(tree->folder, "/config", &list));
	assert_int_equal(list.size, 2);
	assert_string_equal(list.at[1].source, "/config");
	assert_int_equal(list.at[0].size, strlen("CONFIG_A=y\n"));
	assert_memory_equal(list.at[0].text, "CONFIG_A=y\n", list.at[0].size);
	/* There is room for what config_parse() puts behind it. */
	list.at[0].text[list.at[0].size] = '\0';
	found_list_free(&list);
	assert_int_equal(list.size, 0);
}

/* As many bytes as were asked for are not too many, one more is; none will do. */
static void test_limit(void **state)
{
	const size_t sizes[] = {0, 1, 65535, 65536, 65537, 200000};

	(void)state;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		char *bytes = calloc(1, sizes[i] + 1);
		char *path = file_with(bytes, sizes[i]), *text, *problem;
		size_t size;

		problem = input_read_text(path, sizes[i], &text, &size);
		assert_null(problem);
		assert_int_equal(size, sizes[i]);
		text[size] = '\0';
		free(text);
		if (sizes[i] > 0) {
			problem = input_read_text(path, sizes[i] - 1, &text, &size);
			assert_non_null(problem);
			assert_has(problem, "is it the right one?");
			free(problem);
		}
		unlink(path);
		free(path);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_links_stay_within, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_config_of_a_tree, set_up, tear_down),
		cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
