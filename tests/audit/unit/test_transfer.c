/* SPDX-License-Identifier: GPL-2.0-only */
/* What workers send: it arrives, and nothing else that arrives is taken for it. */
#include "unit.h"

#include "transfer.h"

struct sent {
	char *bytes;
	size_t size;
};

static struct sent found_sent(const char *problem, const struct found_list *list)
{
	struct sent sent;
	FILE *out = open_memstream(&sent.bytes, &sent.size);

	send_found(out, problem, list);
	fclose(out);
	return sent;
}

static struct found configs[] = {
	{.text = (char[]){"CONFIG_A=y\n\0x"}, .size = 13, .source = (char[]){"a.deb:./boot/a"}},
	{.text = (char[]){""}, .size = 0, .source = (char[]){"b"}},
};

static void test_found(void **state)
{
	const struct found_list list = {configs, COUNT(configs)};
	struct sent sent = found_sent(NULL, &list);
	struct found_list got = {0};
	char *problem;

	(void)state;
	assert_true(receive_found(sent.bytes, sent.size, &problem, &got));
	assert_null(problem);
	assert_int_equal(got.size, list.size);
	for (size_t i = 0; i < list.size; i++) {
		assert_string_equal(got.at[i].source, configs[i].source);
		assert_int_equal(got.at[i].size, configs[i].size);
		assert_memory_equal(got.at[i].text, configs[i].text, configs[i].size);
	}
	found_list_free(&got);
	free(sent.bytes);
}

static void test_problem(void **state)
{
	struct sent sent = found_sent("x: no", &(struct found_list){0});
	struct found_list got = {0};
	char *problem;

	(void)state;
	assert_true(receive_found(sent.bytes, sent.size, &problem, &got));
	assert_string_equal(problem, "x: no");
	assert_int_equal(got.size, 0);
	free(problem);
	free(sent.bytes);
}

/* Cut off anywhere but between two configs, and with any size in it changed. */
static void test_found_nonsense(void **state)
{
	const struct found_list list = {configs, COUNT(configs)};
	struct sent sent = found_sent(NULL, &list);
	size_t refused = 0;

	(void)state;
	for (size_t size = 0; size < sent.size; size++) {
		char *exact = malloc(size ? size : 1), *problem = NULL;
		struct found_list got = {0};

		memcpy(exact, sent.bytes, size);
		if (receive_found(exact, size, &problem, &got))
			assert_int_equal(got.size, 1);
		else
			refused++;
		assert_null(problem);
		found_list_free(&got);
		free(exact);
	}
	assert_int_equal(refused, sent.size - 1);
	for (size_t i = 0; i < sizeof(size_t); i++) {
		struct found_list got = {0};
		char *problem;

		sent.bytes[i] = (char)0xff;
		assert_false(receive_found(sent.bytes, sent.size, &problem, &got));
	}
	free(sent.bytes);
}

static struct waiver used[] = {{.used = true}, {.used = false}, {.used = false}};

static struct sent outcome_sent(void)
{
	struct audit audits[] = {{.problem = (char[]){"first"}}, {.problem = (char[]){"second"}}};
	const struct audit_list list = {audits, 2};
	const struct waivers waivers = {.at = used, .size = COUNT(used)};
	struct sent sent;
	FILE *out = open_memstream(&sent.bytes, &sent.size);

	send_outcome(out, &list, &waivers);
	fputs("text", out);
	fclose(out);
	return sent;
}

static void test_outcome(void **state)
{
	struct waiver mine[] = {{.used = false}, {.used = false}, {.used = true}};
	struct waivers waivers = {.at = mine, .size = COUNT(mine)};
	struct sent sent = outcome_sent();
	struct outcome outcome;

	(void)state;
	assert_true(receive_outcome(sent.bytes, sent.size, &outcome, &waivers));
	assert_int_equal(outcome.status, 2);
	assert_string_equal(outcome.problems, "first\nsecond\n");
	assert_int_equal(outcome.text_size, 4);
	assert_memory_equal(outcome.text, "text", 4);
	assert_true(mine[0].used);
	assert_false(mine[1].used);
	assert_true(mine[2].used);
	free(sent.bytes);
}

static void test_outcome_nonsense(void **state)
{
	struct waiver mine[COUNT(used)] = {0};
	struct waivers waivers = {.at = mine, .size = COUNT(mine)};
	struct sent sent = outcome_sent();
	struct outcome outcome;

	(void)state;
	for (size_t size = 0; size < sent.size - 4; size++) {
		char *exact = malloc(size ? size : 1);

		memcpy(exact, sent.bytes, size);
		assert_false(receive_outcome(exact, size, &outcome, &waivers));
		free(exact);
	}
	sent.bytes[sizeof(size_t)] = 3; /* no exit status */
	assert_false(receive_outcome(sent.bytes, sent.size, &outcome, &waivers));
	free(sent.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),
		cmocka_unit_test(test_problem),
		cmocka_unit_test(test_found_nonsense),
		cmocka_unit_test(test_outcome),
		cmocka_unit_test(test_outcome_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
