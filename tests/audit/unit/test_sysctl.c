/* SPDX-License-Identifier: GPL-2.0-only */
/* Captures of sysctls in all their forms, and a folder like /proc/sys. */
#include "catalogue.h"
#include "sysctl.h"
#include "unit.h"
#include <sys/stat.h>

static const struct sysctl_value *value(const struct sysctls *sysctls, const char *name)
{
	for (size_t i = 0; i < catalogue.sysctl_count; i++)
		if (strcmp(catalogue.sysctls[i], name) == 0)
			return &sysctls->values[i];
	fail_msg("%s is not in the catalogue", name);
	return NULL;
}

static void assert_sysctl(const char *line, const char *name, enum sysctl_state state,
			  const char *wanted)
{
	char *text = strdup(line);
	struct sysctls *sysctls = sysctls_parse(text, strlen(text), "it");
	const struct sysctl_value *got = value(sysctls, name);

	if (got->state != state || (wanted && strcmp(got->value, wanted) != 0))
		fail_msg("%s: %u \"%s\"", line, got->state, got->value ? got->value : "");
	sysctls_free(sysctls);
	free(text);
}

static void assert_read(const char *line, const char *name, const char *wanted)
{
	assert_sysctl(line, name, SYSCTL_READ, wanted);
}

static void test_forms(void **state)
{
	(void)state;
	assert_read("kernel.panic = 1\n", "kernel.panic", "1");
	assert_read("kernel.panic=1", "kernel.panic", "1");
	assert_read("kernel/panic = 1\r\n", "kernel.panic", "1");
	assert_read("  kernel.panic\t=\t1  \n", "kernel.panic", "1");
	assert_read("-kernel.panic = 1\n", "kernel.panic", "1");
	assert_read("/proc/sys/kernel/panic:1\n", "kernel.panic", "1");
	assert_read("kernel.panic = \n", "kernel.panic", "");
	assert_read("kernel.printk = 4\t4\t1\t7\n", "kernel.printk", "4 4 1 7");
	assert_read("net/ipv4/conf/eth0.100/x = 1\nkernel.panic = 2\n", "kernel.panic", "2");
}

static void test_what_is_no_setting(void **state)
{
	(void)state;
	assert_sysctl("# kernel.panic = 1\n", "kernel.panic", SYSCTL_ABSENT, NULL);
	assert_sysctl("; kernel.panic = 1\n", "kernel.panic", SYSCTL_ABSENT, NULL);
	assert_sysctl("kernel.panic\n", "kernel.panic", SYSCTL_ABSENT, NULL);
	assert_sysctl("-kernel.panic\n", "kernel.panic", SYSCTL_ABSENT, NULL);
	assert_sysctl("kernel.panic_x = 1\nxkernel.panic = 1\n", "kernel.panic", SYSCTL_ABSENT,
		      NULL);
	assert_sysctl("", "kernel.panic", SYSCTL_ABSENT, NULL);
}

static void test_the_last_counts(void **state)
{
	(void)state;
	assert_read("kernel.panic = 1\nkernel.panic = 2\n", "kernel.panic", "2");
}

static void test_complaints(void **state)
{
	static const char *const denied[] = {
		"sysctl: permission denied on key 'fs.protected_fifos'\n",
		"sysctl: permission denied on key \"fs.protected_fifos\", ignoring\n",
		"sysctl: error reading key 'fs.protected_fifos': Permission denied\n",
		"grep: /proc/sys/fs/protected_fifos: Permission denied\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(denied); i++)
		assert_sysctl(denied[i], "fs.protected_fifos", SYSCTL_UNREADABLE,
			      "permission denied");
	assert_sysctl("sysctl: reading key \"fs.protected_fifos\"\n", "fs.protected_fifos",
		      SYSCTL_UNREADABLE, "it could not be read");
	assert_sysctl("sysctl: permission denied on key 'fs.protected_fifos_x'\n",
		      "fs.protected_fifos", SYSCTL_ABSENT, NULL);
	assert_sysctl("sysctl: cannot stat /proc/sys/fs/protected_fifos: No such file or "
		      "directory\n",
		      "fs.protected_fifos", SYSCTL_ABSENT, NULL);
	/* somebody could read it */
	assert_read("fs.protected_fifos = 1\nsysctl: permission denied on key "
		    "'fs.protected_fifos'\n",
		    "fs.protected_fifos", "1");
}

/* The folder's name at the end of a line must not carry on into the next. */
static void test_a_complaint_about_the_folder(void **state)
{
	char text[] = "grep: /proc/sys/: Permission denied\n"
		      "grep: permission denied /proc/sys/\nfs.protected_fifos\n";
	char *exact = strdup("sysctl: permission denied /proc/sys/");
	struct sysctls *sysctls = sysctls_parse(text, sizeof(text) - 1, "it");

	(void)state;
	assert_int_equal(value(sysctls, "fs.protected_fifos")->state, SYSCTL_ABSENT);
	sysctls_free(sysctls);
	sysctls_free(sysctls_parse(exact, strlen(exact), "it"));
	free(exact);
}

static bool is_complete(const char *more, size_t count)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct sysctls *sysctls;
	bool complete;

	for (size_t i = 0; i < count; i++)
		fprintf(out, "net.x%zu = 1\n", i);
	fputs(more, out);
	fclose(out);
	sysctls = sysctls_parse(text, strlen(text), "it");
	complete = sysctls->complete;
	sysctls_free(sysctls);
	free(text);
	return complete;
}

static void test_complete(void **state)
{
	(void)state;
	assert_true(is_complete("kernel.ostype = Linux\n", 400));
	assert_false(is_complete("kernel.ostype = Linux\n", 20));
	assert_false(is_complete("", 400));
}

static void test_bytes_of_any_kind(void **state)
{
	char text[] = "kernel.panic = 1\0kernel.sysrq = 1\nkernel.oops_limit = 7\nx\0";
	struct sysctls *sysctls = sysctls_parse(text, sizeof(text) - 1, "it");

	(void)state;
	/* what a line with a NUL says, nobody knows */
	assert_int_equal(value(sysctls, "kernel.panic")->state, SYSCTL_ABSENT);
	assert_int_equal(value(sysctls, "kernel.sysrq")->state, SYSCTL_ABSENT);
	assert_string_equal(value(sysctls, "kernel.oops_limit")->value, "7");
	assert_int_equal(value(sysctls, "kernel.oops_limit")->line, 2);
	sysctls_free(sysctls);
	sysctls_free(NULL);
}

static void put(const char *folder, const char *name, const char *text)
{
	char path[200];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void test_a_folder(void **state)
{
	char folder[] = "/tmp/unit.XXXXXX", path[200];
	struct sysctls *sysctls;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/kernel", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	put(folder, "kernel/panic", "1\n");
	put(folder, "kernel/printk", "4\t4\t1\t7\n");
	put(folder, "secret", "9\n");
	snprintf(path, sizeof(path), "%s/kernel/sysrq", folder);
	assert_int_equal(symlink("../secret", path), 0);
	sysctls = sysctls_read(folder);
	assert_string_equal(value(sysctls, "kernel.panic")->value, "1");
	assert_string_equal(value(sysctls, "kernel.printk")->value, "4 4 1 7");
	assert_int_equal(value(sysctls, "kernel.sysrq")->state, SYSCTL_UNREADABLE);
	assert_int_equal(value(sysctls, "kernel.oops_limit")->state, SYSCTL_ABSENT);
	assert_false(sysctls->complete);
	sysctls_free(sysctls);
	put(folder, "kernel/ostype", "Linux\n");
	sysctls = sysctls_read(folder);
	assert_true(sysctls->complete);
	sysctls_free(sysctls);
	for (size_t i = 0; i < 4; i++) {
		static const char *const names[] = {"panic", "printk", "sysrq", "ostype"};

		snprintf(path, sizeof(path), "%s/kernel/%s", folder, names[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/secret", folder);
	unlink(path);
	snprintf(path, sizeof(path), "%s/kernel", folder);
	rmdir(path);
	rmdir(folder);
	assert_null(sysctls_read(folder));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_what_is_no_setting),
		cmocka_unit_test(test_the_last_counts),
		cmocka_unit_test(test_complaints),
		cmocka_unit_test(test_complete),
		cmocka_unit_test(test_a_complaint_about_the_folder),
		cmocka_unit_test(test_bytes_of_any_kind),
		cmocka_unit_test(test_a_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
