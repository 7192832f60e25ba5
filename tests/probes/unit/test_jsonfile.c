/* SPDX-License-Identifier: GPL-2.0-only */
/* The FILE of --json=FILE: replaced in one step, or not touched. */
#include <errno.h>
#include <glob.h>
#include <json-c/json.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "printed.h"

#include "lib/jsonfile.h"
#include "lib/replace.h"

/* In a new folder, which is the working directory. */
static int setup_folder(void **state)
{
	char *folder = strdup("/tmp/test_jsonfile.XXXXXX");

	*state = folder;
	return mkdtemp(folder) ? chdir(folder) : -1;
}

/* How many files there are in the working directory; gone, if that is wanted. */
static size_t files_here(bool removing)
{
	glob_t files;
	size_t count = glob("*", 0, NULL, &files) ? 0 : files.gl_pathc;

	for (size_t i = 0; removing && i < count; i++)
		remove(files.gl_pathv[i]);
	globfree(&files);
	return count;
}

static int teardown_folder(void **state)
{
	char *folder = *state;
	int ret;

	files_here(true);
	ret = chdir("/") || rmdir(folder);
	free(folder);
	return ret;
}

static json_object *from_file(const char *path)
{
	json_object *object = json_object_from_file(path);

	if (!object)
		fail_msg("%s", json_util_get_last_err());
	return object;
}

static void assert_written(const char *path)
{
	json_object *object = from_file(path);

	assert_string_equal(json_object_get_string(json_object_object_get(object, "probe")), "x");
	json_object_put(object);
}

static void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static unsigned int mode_of(const char *path)
{
	struct stat file;

	assert_int_equal(stat(path, &file), 0);
	return file.st_mode & 07777;
}

static void test_file_is_new(void **state)
{
	struct report *report = report_new("x");
	mode_t mask = umask(027);

	(void)state;
	assert_int_equal(replace_check("new.json"), 0);
	assert_int_equal(json_file_write(report, "new.json"), 0);
	umask(mask);
	assert_written("new.json");
	assert_int_equal(mode_of("new.json"), 0640);
	assert_int_equal(files_here(false), 1);
	report_free(report);
}

/* Who reads the old file goes on reading the old file. */
static void test_file_is_replaced(void **state)
{
	struct report *report = report_new("x");
	char old[16] = "";
	FILE *reader;

	(void)state;
	write_text("r.json", "old");
	chmod("r.json", 0604);
	reader = fopen("r.json", "r");
	assert_non_null(reader);
	assert_int_equal(json_file_write(report, "r.json"), 0);
	assert_non_null(fgets(old, sizeof(old), reader));
	fclose(reader);
	assert_string_equal(old, "old");
	assert_written("r.json");
	assert_int_equal(mode_of("r.json"), 0604);
	assert_int_equal(files_here(false), 1);
	report_free(report);
}

static void test_link_is_followed(void **state)
{
	struct report *report = report_new("x");
	struct stat link;

	(void)state;
	write_text("real.json", "old");
	assert_int_equal(symlink("real.json", "link.json"), 0);
	assert_int_equal(json_file_write(report, "link.json"), 0);
	assert_int_equal(lstat("link.json", &link), 0);
	assert_true(S_ISLNK(link.st_mode));
	assert_written("real.json");
	report_free(report);
}

static void test_fifo_is_written_to(void **state)
{
	struct report *report = report_new("x");
	pid_t reader;
	int status;

	(void)state;
	assert_int_equal(mkfifo("fifo", 0600), 0);
	reader = fork();
	if (!reader)
		execlp("sh", "sh", "-c", "cat fifo >copy.json", NULL);
	assert_int_equal(replace_check("fifo"), 0);
	assert_int_equal(json_file_write(report, "fifo"), 0);
	assert_int_equal(waitpid(reader, &status, 0), reader);
	assert_written("copy.json");
	report_free(report);
}

/* A path that cannot be written, and why. */
static const struct {
	const char *path;
	int error;
} refused[] = {
	{"", ENOENT},	    {"nowhere/x.json", ENOENT}, {"/dev/null/x.json", ENOTDIR},
	{"folder", EISDIR}, {"/proc/x.json", ENOENT},
};

static void test_refused(void **state)
{
	struct report *report = report_new("x");

	(void)state;
	assert_int_equal(mkdir("folder", 0700), 0);
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		bool proc = !strncmp(refused[i].path, "/proc", 5);

		/* access() finds no fault with /proc, where nothing can be created. */
		if (!proc)
			assert_int_equal(replace_check(refused[i].path), -refused[i].error);
		assert_int_equal(json_file_write(report, refused[i].path), -refused[i].error);
	}
	assert_int_equal(files_here(false), 1);
	report_free(report);
}

static void test_device_that_is_full(void **state)
{
	struct report *report = report_new("x");

	(void)state;
	assert_int_equal(json_file_write(report, "/dev/full"), -ENOSPC);
	report_free(report);
}

static void test_what_is_stdout(void **state)
{
	(void)state;
	assert_true(path_is_stdout(NULL));
	assert_true(path_is_stdout("-"));
	assert_true(path_is_stdout("/dev/stdout"));
	assert_false(path_is_stdout("new.json"));
	assert_false(path_is_stdout("/dev/null"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_stdout),
		cmocka_unit_test_setup_teardown(test_device_that_is_full, become_ordinary,
						become_root_again),
		cmocka_unit_test_setup_teardown(test_file_is_new, setup_folder, teardown_folder),
		cmocka_unit_test_setup_teardown(test_file_is_replaced, setup_folder,
						teardown_folder),
		cmocka_unit_test_setup_teardown(test_link_is_followed, setup_folder,
						teardown_folder),
		cmocka_unit_test_setup_teardown(test_fifo_is_written_to, setup_folder,
						teardown_folder),
		cmocka_unit_test_setup_teardown(test_refused, setup_folder, teardown_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
