/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions are found in mapped images with either kind of hash table, and the states of
 * the vDSO's getrandom() lie where it wants them. Where a test needs a vDSO and
 * there is none (valgrind hides it, qemu-user may have none) it is a skip.
 */
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "getrandom/elf.h"
#include "getrandom/vdso.h"

#define IGNORED_TAG 0x6ffff000
#define IMAGE_MAX   65536

static const char *const clocks[] = {"__vdso_clock_gettime", "__kernel_clock_gettime"};

static const void *vdso_header(void)
{
	const void *header = (const void *)getauxval(AT_SYSINFO_EHDR);

	if (!header)
		skip();
	return header;
}

static void *find_clock(const struct elf_symbols *symbols)
{
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		void *function = elf_function(symbols, clocks[i]);

		if (function)
			return function;
	}
	return NULL;
}

static void test_vdso_function_works(void **state)
{
	int (*vdso_clock)(clockid_t, struct timespec *);
	struct elf_symbols symbols = {0};
	struct timespec expected, seen;

	(void)state;
	assert_int_equal(elf_vdso(&symbols, vdso_header()), 0);
	vdso_clock = find_clock(&symbols);
	assert_non_null(vdso_clock);
	clock_gettime(CLOCK_MONOTONIC, &expected);
	assert_int_equal(vdso_clock(CLOCK_MONOTONIC, &seen), 0);
	assert_true(seen.tv_sec - expected.tv_sec <= 60 && seen.tv_sec >= expected.tv_sec);
}

static void test_unknown_name(void **state)
{
	struct elf_symbols symbols = {0};

	(void)state;
	assert_int_equal(elf_vdso(&symbols, vdso_header()), 0);
	assert_null(elf_function(&symbols, "__vdso_no_such_function"));
	assert_null(elf_function(&symbols, ""));
}

static void test_no_image(void **state)
{
	static const char junk[128] = "\177ELV";
	struct elf_symbols symbols = {0};

	(void)state;
	assert_int_equal(elf_vdso(&symbols, NULL), -1);
	assert_int_equal(elf_vdso(&symbols, junk), -1);
	assert_int_equal(elf_loaded(&symbols, "no-such-library.so."), -1);
}

/* The first table of this kind in a copy of the image gets a tag that means nothing. */
static int hide(unsigned char *image, Elf64_Sxword tag)
{
	const Elf64_Ehdr *header = (const void *)image;
	const Elf64_Phdr *segments = (const void *)(image + header->e_phoff);

	for (size_t i = 0; i < header->e_phnum; i++) {
		Elf64_Dyn *entry = (void *)(image + segments[i].p_offset);

		for (; segments[i].p_type == PT_DYNAMIC && entry->d_tag != DT_NULL; entry++) {
			if (entry->d_tag != tag)
				continue;
			entry->d_tag = IGNORED_TAG;
			return 1;
		}
	}
	return 0;
}

static size_t image_size(const void *image)
{
	const Elf64_Ehdr *header = image;
	const Elf64_Phdr *segments = (const void *)((const char *)image + header->e_phoff);

	for (size_t i = 0; i < header->e_phnum; i++) {
		if (segments[i].p_type == PT_LOAD)
			return segments[i].p_filesz;
	}
	return 0;
}

/* Without one of its two tables, the other serves; without both there are no symbols. */
static void test_each_hash_table(void **state)
{
	static unsigned char copy[IMAGE_MAX] __attribute__((aligned(4096)));
	const Elf64_Sxword tags[] = {DT_HASH, DT_GNU_HASH};
	const unsigned char *original = vdso_header();
	size_t size = image_size(original);
	struct elf_symbols symbols = {0};
	size_t count;
	int had[2];

	(void)state;
	assert_in_range(size, sizeof(Elf64_Ehdr), sizeof(copy));
	assert_int_equal(elf_vdso(&symbols, original), 0);
	count = symbols.count;
	for (size_t i = 0; i < 2; i++) {
		memcpy(copy, original, size);
		had[i] = hide(copy, tags[i]);
	}
	if (!had[0] || !had[1])
		skip();
	for (size_t i = 0; i < 2; i++) {
		memcpy(copy, original, size);
		hide(copy, tags[i]);
		assert_int_equal(elf_vdso(&symbols, copy), 0);
		assert_int_equal(symbols.count, count);
		assert_non_null(find_clock(&symbols));
	}
	hide(copy, DT_HASH);
	assert_int_equal(elf_vdso(&symbols, copy), -1);
}

static void test_loaded_library(void **state)
{
	struct elf_symbols symbols = {0};

	(void)state;
	assert_int_equal(elf_loaded(&symbols, "libc.so."), 0);
	assert_ptr_equal(elf_function(&symbols, "getppid"), dlsym(RTLD_DEFAULT, "getppid"));
	/* what a library asks of others is not its own */
	assert_int_equal(elf_loaded(&symbols, "libcmocka.so."), 0);
	assert_null(elf_function(&symbols, "free"));
}

/* Each state within one page, none touching another, for sizes that do and do not divide it. */
static void test_states_fit_pages(void **state)
{
	const uint32_t sizes[] = {144, 64, 65, 200, 1024, 4096};
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct vdso vdso = {.params = {.size_of_opaque_state = sizes[i],
					       .mmap_prot = PROT_READ | PROT_WRITE}};
		const unsigned int count = 100;
		struct vdso_states states;
		uintptr_t end = 0;

		assert_int_equal(
			vdso_states_map(&states, &vdso, count, MAP_PRIVATE | MAP_ANONYMOUS), 0);
		for (unsigned int j = 0; j < count; j++) {
			uintptr_t begin = (uintptr_t)vdso_state(&states, j);

			assert_true(begin >= end);
			end = begin + sizes[i];
			assert_int_equal(begin / page, (end - 1) / page);
			memset((void *)begin, 0xff, sizes[i]);
		}
		assert_true(end <= (uintptr_t)states.memory + states.bytes);
		if (sizes[i] == 144)
			assert_true(states.bytes < count * page);
		vdso_states_unmap(&states);
		assert_null(states.memory);
	}
}

static void test_states_refused(void **state)
{
	struct vdso vdso = {.params = {.size_of_opaque_state = 144, .mmap_prot = PROT_READ}};
	struct vdso_states states;

	(void)state;
	assert_int_equal(vdso_states_map(&states, &vdso, 1, 0), -1);
	assert_null(states.memory);
}

/* Found or not: then it says why, else it works with the memory it asks for. */
static void test_find(void **state)
{
	struct vdso vdso = {0};
	struct vdso_states states;
	unsigned char bytes[32] = {0}, zero[32] = {0};
	const char *reason = vdso_find(&vdso);

	(void)state;
	if (reason) {
		assert_true(strstr(reason, "vDSO") != NULL);
		skip();
	}
	assert_int_equal(vdso_states_map(&states, &vdso, 1, (int)vdso.params.mmap_flags), 0);
	assert_int_equal(vdso.getrandom(bytes, sizeof(bytes), 0, vdso_state(&states, 0),
					vdso.params.size_of_opaque_state),
			 sizeof(bytes));
	assert_memory_not_equal(bytes, zero, sizeof(bytes));
	vdso_states_unmap(&states);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vdso_function_works),
		cmocka_unit_test(test_unknown_name),
		cmocka_unit_test(test_no_image),
		cmocka_unit_test(test_each_hash_table),
		cmocka_unit_test(test_loaded_library),
		cmocka_unit_test(test_states_fit_pages),
		cmocka_unit_test(test_states_refused),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
