/* SPDX-License-Identifier: GPL-2.0-only */
/* Where /proc and /dev come from, with and without mounts, and the facts of the machine. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cmocka.h>

#include "child.h"
#include "report.h"
#include "system.h"

#define SKIPPED 99

static void assert_passes(int (*body)(void *arg))
{
	struct child child;

	child_run(&child, body, NULL, 20000);
	if (child.end == CHILD_EXITED && child.value == SKIPPED)
		skip();
	if (child.value)
		print_message("at: %s\n", child.stage);
	assert_int_equal(child.end, CHILD_EXITED);
	assert_int_equal(child.value, 0);
}

static void test_values_of_status(void **state)
{
	char pid[16], value[64];

	(void)state;
	snprintf(pid, sizeof(pid), "%d", getpid());
	assert_int_equal(proc_status("Pid", value, sizeof(value)), 0);
	assert_string_equal(value, pid);
	/* "Pi" and "id" are no keys, though the line of "Pid" holds them. */
	assert_int_equal(proc_status("Pi", value, sizeof(value)), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(proc_status("id", value, sizeof(value)), -1);
}

static void test_files(void **state)
{
	char text[64], small[4];
	int fd = proc_open("sys/kernel/ostype", O_RDONLY);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	assert_int_equal(proc_read("sys/kernel/ostype", text, sizeof(text)), 5);
	assert_string_equal(text, "Linux");
	assert_int_equal(proc_read("sys/kernel/ostype", small, sizeof(small)), -1);
	assert_int_equal(errno, EFBIG);
	assert_int_equal(proc_read("no-such-file", text, sizeof(text)), -1);
	assert_int_equal(errno, ENOENT);
}

static bool is_urandom(int fd)
{
	struct stat info;

	return fd >= 0 && !fstat(fd, &info) && S_ISCHR(info.st_mode) &&
	       info.st_rdev == makedev(1, 9);
}

static void test_devices(void **state)
{
	int fd = dev_open("urandom", O_RDONLY);

	(void)state;
	assert_true(is_urandom(fd));
	close(fd);
	assert_int_equal(dev_open("no-such-device", O_RDONLY), -1);
	assert_int_equal(errno, ENOENT);
}

/* A root directory that is empty but for a regular file where procfs should be. */
static char bare_root[32];

static bool write_fake_status(int root)
{
	static const char text[] = "Pid:\t1\nFake:\t1\n";
	int fd = openat(root, "proc/self/status", O_CREAT | O_WRONLY, 0644);
	bool written = fd >= 0 && write(fd, text, sizeof(text) - 1) == sizeof(text) - 1;

	if (fd >= 0)
		close(fd);
	return written;
}

static int make_bare_root(void **state)
{
	bool made;
	int root;

	(void)state;
	snprintf(bare_root, sizeof(bare_root), "/tmp/test-system-XXXXXX");
	if (!mkdtemp(bare_root) || chmod(bare_root, 0755))
		return -1;
	root = open(bare_root, O_PATH | O_DIRECTORY);
	if (root < 0)
		return -1;
	made = !mkdirat(root, "proc", 0755) && !mkdirat(root, "proc/self", 0755) &&
	       write_fake_status(root);
	close(root);
	return made ? 0 : -1;
}

static int remove_bare_root(void **state)
{
	int root = open(bare_root, O_PATH | O_DIRECTORY);

	(void)state;
	unlinkat(root, "proc/self/status", 0);
	unlinkat(root, "proc/self", AT_REMOVEDIR);
	unlinkat(root, "proc", AT_REMOVEDIR);
	close(root);
	return rmdir(bare_root);
}

static int finds_them_without_mounts(void *arg)
{
	char pid[16], value[16] = "";

	(void)arg;
	snprintf(pid, sizeof(pid), "%d", getpid());
	if (chroot(bare_root))
		return SKIPPED;
	child_stage("status");
	if (proc_status("Pid", value, sizeof(value)))
		return errno == ENOENT ? SKIPPED : 2; /* root in a container, or before 5.2 */
	if (strcmp(value, pid))
		return 3;
	child_stage("fake key");
	if (!proc_status("Fake", value, sizeof(value)))
		return 4;
	child_stage("urandom");
	if (!is_urandom(dev_open("urandom", O_RDONLY)))
		return 5;
	child_stage("no such device");
	return dev_open("no-such-device", O_RDONLY) == -1 && errno == ENOENT ? 0 : 6;
}

static void test_bare_root_as_root(void **state)
{
	(void)state;
	assert_passes(finds_them_without_mounts);
}

/* Nothing that is not procfs is believed, and the error is that of opening it. */
static int is_not_fooled_without_privilege(void *arg)
{
	char value[16];

	(void)arg;
	if (chroot(bare_root))
		return SKIPPED;
	child_stage("setuid");
	if (setgid(65534) || setuid(65534))
		return 2;
	child_stage("status");
	if (proc_status("Pid", value, sizeof(value)) != -1 || errno != ENOENT)
		return 3;
	child_stage("urandom");
	return dev_open("urandom", O_RDONLY) == -1 && errno == ENOENT ? 0 : 4;
}

static void test_bare_root_as_user(void **state)
{
	(void)state;
	assert_passes(is_not_fooled_without_privilege);
}

static int pins(void *arg)
{
	unsigned int cpus = system_cpus();
	cpu_set_t allowed;
	int last;

	(void)arg;
	if (cpus < 1 || cpus > (unsigned int)sysconf(_SC_NPROCESSORS_ONLN))
		return 1;
	sched_getaffinity(0, sizeof(allowed), &allowed);
	for (last = CPU_SETSIZE - 1; !CPU_ISSET(last, &allowed); last--)
		;
	if (system_pin(cpus)) /* round to the last one again */
		return 2;
	sched_getaffinity(0, sizeof(allowed), &allowed);
	return CPU_COUNT(&allowed) == 1 && CPU_ISSET(last, &allowed) && system_cpus() == 1 ? 0 : 3;
}

static void test_pin(void **state)
{
	(void)state;
	assert_passes(pins);
}

static int pins_to_the_first(void *arg)
{
	unsigned int cpus = system_cpus();
	cpu_set_t allowed;
	int first = 0;

	(void)arg;
	sched_getaffinity(0, sizeof(allowed), &allowed);
	while (!CPU_ISSET(first, &allowed))
		first++;
	if (system_pin(cpus - 1))
		return 2;
	sched_getaffinity(0, sizeof(allowed), &allowed);
	return CPU_COUNT(&allowed) == 1 && CPU_ISSET(first, &allowed) ? 0 : 3;
}

static void test_pin_counts_from_the_last(void **state)
{
	(void)state;
	assert_passes(pins_to_the_first);
}

static const char *fact(const struct report *report, const char *key)
{
	for (size_t i = 0; i < report->fact_count; i++)
		if (!strcmp(report->facts[i].key, key))
			return report->facts[i].value;
	return "missing";
}

static void test_facts(void **state)
{
	struct report *report = report_new("test");
	struct utsname system;

	(void)state;
	uname(&system);
	system_facts(report);
	assert_string_equal(fact(report, "kernel"), system.release);
	assert_string_equal(fact(report, "arch"), system.machine);
	assert_int_equal(strncmp(fact(report, "libc"), "glibc 2.", 8), 0);
	assert_int_equal(strtol(fact(report, "page_size"), NULL, 10), sysconf(_SC_PAGESIZE));
	assert_true(strtol(fact(report, "cpus"), NULL, 10) >= 1);
	assert_non_null(strchr(fact(report, "load"), '.'));
	assert_string_not_equal(fact(report, "cpu"), "missing");
	assert_string_not_equal(fact(report, "seccomp_filters"), "missing");
	report_free(report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_of_status),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_devices),
		cmocka_unit_test_setup_teardown(test_bare_root_as_root, make_bare_root,
						remove_bare_root),
		cmocka_unit_test_setup_teardown(test_bare_root_as_user, make_bare_root,
						remove_bare_root),
		cmocka_unit_test(test_pin),
		cmocka_unit_test(test_pin_counts_from_the_last),
		cmocka_unit_test(test_facts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
