/* SPDX-License-Identifier: GPL-2.0-only */
/* What a config tells of its kernel, and how versions compare. */
#include "kernel.h"
#include "unit.h"

static void assert_kernel(const char *lines, const char *version, const char *release,
			  const char *architecture, const char *compiler)
{
	char *text = strdup(lines), got[VERSION_TEXT_SIZE], *cc;
	struct config *config = config_parse(text, strlen(text));
	struct kernel kernel = kernel_of(config);

	version_text(&kernel.version, got);
	cc = compiler_text(&kernel.compiler);
	assert_string_equal(got, version);
	assert_string_equal(kernel.release ? kernel.release : "", release);
	assert_string_equal(architecture_text(kernel.architecture), architecture);
	assert_string_equal(cc, compiler);
	free(cc);
	config_free(config);
	free(text);
}

static void test_headings(void **state)
{
	(void)state;
	assert_kernel("# Linux/x86 6.1.192 Kernel Configuration\nCONFIG_X86=y\nCONFIG_X86_64=y\n"
		      "CONFIG_GCC_VERSION=120200\nCONFIG_CLANG_VERSION=0\n",
		      "6.1.192", "6.1.192", "x86_64", "gcc 12.2.0");
	assert_kernel("# Linux/x86_64 5.14.0-503.el9.x86_64 Kernel Configuration\n", "5.14.0",
		      "5.14.0-503.el9.x86_64", "x86_64", "unknown");
	assert_kernel("# Linux/arm64 6.18.0-rc3 Kernel Configuration\n", "6.18.0", "6.18.0-rc3",
		      "arm64", "unknown");
	assert_kernel("# Linux kernel version: 2.6.32.71\nCONFIG_X86=y\nCONFIG_X86_32=y\n",
		      "2.6.32", "2.6.32.71", "i386", "unknown");
	assert_kernel("CONFIG_S390=y\n", "", "", "s390", "unknown");
	assert_kernel("# Linux/x86 Kernel Configuration\n", "", "", "unknown", "unknown");
	assert_kernel("# Linux/x86 99999.1 Kernel Configuration\n", "", "", "unknown", "unknown");
}

/* The facts come before the heading; user mode Linux is none of them. */
static void test_architectures(void **state)
{
	(void)state;
	assert_kernel("# Linux/riscv 6.8.12 Kernel Configuration\n", "6.8.12", "6.8.12", "riscv",
		      "unknown");
	assert_kernel("# Linux/arm 6.8.12 Kernel Configuration\nCONFIG_PPC=y\n", "6.8.12", "6.8.12",
		      "powerpc", "unknown");
	assert_kernel("# Linux/um 6.8.12 Kernel Configuration\nCONFIG_X86_64=y\n", "6.8.12",
		      "6.8.12", "unknown", "unknown");
	assert_kernel("# CONFIG_X86_64 is not set\nCONFIG_X86=y\n", "", "", "i386", "unknown");
	assert_kernel("# Linux/loongarch 6.8.12 Kernel Configuration\n", "6.8.12", "6.8.12",
		      "unknown", "unknown");
}

static void test_compilers(void **state)
{
	(void)state;
	assert_kernel("CONFIG_GCC_VERSION=0\nCONFIG_CLANG_VERSION=180000\n", "", "", "unknown",
		      "clang 18.0.0");
	assert_kernel("CONFIG_CC_VERSION_TEXT=\"gcc (scripts/dummy-tools/gcc)\"\n"
		      "CONFIG_GCC_VERSION=200000\n",
		      "", "", "unknown", "gcc");
	assert_kernel("CONFIG_GCC_VERSION=-1\n", "", "", "unknown", "unknown");
	assert_kernel("CONFIG_GCC_VERSION=99999999999999999999\n", "", "", "unknown", "unknown");
	assert_kernel("CONFIG_GCC_VERSION=gcc\n", "", "", "unknown", "unknown");
}

static struct version version_of(const char *text)
{
	struct version version;

	assert_true(version_parse(text, &version));
	return version;
}

static void test_versions(void **state)
{
	struct version version, a = version_of("6.12.3"), b = version_of("6.12");

	(void)state;
	assert_false(version_parse("", &version));
	assert_false(version_parse("6", &version));
	assert_false(version_parse("6.", &version));
	assert_false(version_parse(".6.1", &version));
	assert_false(version_parse("v6.1", &version));
	assert_false(version_parse("6.65536", &version));
	assert_int_equal(version_of("6.13-rc1+").size, 2);
	assert_false(version_before(&a, &b));
	assert_true(version_before(&b, &a));
	a = version_of("6.9.9");
	assert_true(version_before(&a, &b));
}

static bool in(const char *text, const char *first, const char *last)
{
	struct version version = version_of(text);
	struct range range = {{{0}, 0}, {{0}, 0}};
	struct ranges ranges = {&range, 1};

	if (*first)
		range.first = version_of(first);
	if (*last)
		range.last = version_of(last);
	return version_in(&version, &ranges);
}

static void test_ranges(void **state)
{
	(void)state;
	assert_true(in("4.15.0", "4.15", "6.8"));
	assert_true(in("6.8.99", "4.15", "6.8"));
	assert_false(in("6.9", "4.15", "6.8"));
	assert_false(in("4.14.300", "4.15", "6.8"));
	assert_true(in("4.14.119", "4.14.119", "4.14"));
	assert_false(in("4.14.118", "4.14.119", "4.14"));
	assert_true(in("6.5.3", "", "6.5.3"));
	assert_false(in("6.5.4", "", "6.5.3"));
	assert_true(in("7.9", "6.0", ""));
	assert_false(version_in(&(struct version){{6, 1, 0}, 2}, &(struct ranges){NULL, 0}));
}

static void test_texts(void **state)
{
	const struct range at[] = {{{{4, 15, 0}, 2}, {{6, 8, 0}, 2}}, {{{6, 9, 0}, 2}, {{0}, 0}}};
	char *text = ranges_text(&(struct ranges){at, 2});

	(void)state;
	assert_string_equal(text, "4.15 - 6.8, since 6.9");
	free(text);
	text = architectures_text(ARCH_X86_64 | ARCH_I386);
	assert_string_equal(text, "i386, x86_64");
	free(text);
}

static void test_a_compiler_meets(void **state)
{
	const struct compiler gcc12 = {COMPILER_GCC, {{12, 0, 0}, 2}};

	(void)state;
	assert_true(compiler_meets(&(struct compiler){COMPILER_GCC, {{12, 2, 0}, 3}}, &gcc12));
	assert_false(compiler_meets(&(struct compiler){COMPILER_GCC, {{11, 9, 9}, 3}}, &gcc12));
	assert_false(compiler_meets(&(struct compiler){COMPILER_CLANG, {{18, 0, 0}, 3}}, &gcc12));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headings),	 cmocka_unit_test(test_architectures),
		cmocka_unit_test(test_compilers),	 cmocka_unit_test(test_versions),
		cmocka_unit_test(test_ranges),		 cmocka_unit_test(test_texts),
		cmocka_unit_test(test_a_compiler_meets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
