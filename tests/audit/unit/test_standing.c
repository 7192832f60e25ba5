/* SPDX-License-Identifier: GPL-2.0-only */
/* What a level asks of a kernel, and which of it is listed as missing; with the real catalogue. */
#include "judge.h"
#include "unit.h"

struct judged {
	char *text;
	struct config *config;
	struct answer *answers;
	struct standing standing;
};

static struct judged judged_at(enum level level, const char *lines)
{
	struct judged judged = {.text = strdup(lines)};
	struct evidence evidence = {.config_path = "x"};

	judged.config = config_parse(judged.text, strlen(judged.text));
	evidence.config = judged.config;
	evidence.kernel = kernel_of(judged.config);
	judged.answers = judge(&evidence);
	judged.standing = standing_of(level, judged.answers, &evidence);
	return judged;
}

static void forget(struct judged *judged)
{
	standing_free(&judged->standing);
	answers_free(judged->answers);
	config_free(judged->config);
	free(judged->text);
}

static bool has(const struct judged *judged, const size_t *list, size_t size, const char *text)
{
	for (size_t i = 0; i < size; i++)
		if (strcmp(judged->answers[list[i]].entry->setting.text, text) == 0)
			return true;
	return false;
}

static bool asks(const struct judged *judged, const char *text)
{
	return has(judged, judged->standing.asked, judged->standing.asked_count, text);
}

static bool misses(const struct judged *judged, const char *text)
{
	return has(judged, judged->standing.missing, judged->standing.missing_count, text);
}

#define HEADING "# Linux/x86 6.12.1 Kernel Configuration\nCONFIG_X86=y\nCONFIG_X86_64=y\n"
#define END	"# end of Kernel hacking\n"

/* Each group is asked about once, and a higher level asks no less. */
static void test_one_of_a_group(void **state)
{
	size_t before = 0;

	(void)state;
	for (enum level level = LEVEL_LOW; level < LEVEL_COUNT; level++) {
		struct judged judged = judged_at(level, HEADING END);
		bool *seen = calloc(catalogue.group_count, sizeof(*seen));

		assert_true(judged.standing.asked_count >= before);
		before = judged.standing.asked_count;
		for (size_t i = 0; i < judged.standing.asked_count; i++) {
			const struct entry *entry = judged.answers[judged.standing.asked[i]].entry;

			assert_true(entry->level <= level);
			assert_false(seen[entry->group]);
			seen[entry->group] = true;
		}
		free(seen);
		forget(&judged);
	}
}

/* With DEVMEM=n missing too, STRICT_DEVMEM=y comes along. */
static void test_missing_is_short(void **state)
{
	struct judged judged =
		judged_at(LEVEL_EXTREME, HEADING "CONFIG_DEVMEM=y\n# CONFIG_STRICT_DEVMEM is not "
						 "set\n" END);

	(void)state;
	assert_true(asks(&judged, "CONFIG_DEVMEM=n"));
	assert_true(misses(&judged, "CONFIG_DEVMEM=n"));
	assert_false(misses(&judged, "CONFIG_STRICT_DEVMEM=y"));
	assert_false(judged.standing.met);
	assert_true(judged.standing.failed);
	forget(&judged);
}

static void test_missing_alone(void **state)
{
	struct judged judged = judged_at(
		LEVEL_LOW, HEADING "CONFIG_DEVMEM=y\n# CONFIG_STRICT_DEVMEM is not set\n" END);

	(void)state;
	if (asks(&judged, "CONFIG_STRICT_DEVMEM=y") && !asks(&judged, "CONFIG_DEVMEM=n"))
		assert_true(misses(&judged, "CONFIG_STRICT_DEVMEM=y"));
	else
		fail_msg("the catalogue asks for other things at this level");
	forget(&judged);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_of_a_group),
		cmocka_unit_test(test_missing_is_short),
		cmocka_unit_test(test_missing_alone),
	};

	return cmocka_run_group_tests_name("standing", tests, NULL, NULL);
}
