/* SPDX-License-Identifier: GPL-2.0-only */
/* Statistics on data whose answers are known beforehand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "stats.h"

#define EPSILON 1e-9

static void test_quantiles_are_interpolated(void **state)
{
	/* By hand: position q * (5 - 1) in 10 20 30 40 50. */
	const double values[] = {50, 10, 40, 20, 30};

	(void)state;
	assert_float_equal(stats_quantile(values, 5, 0), 10, EPSILON);
	assert_float_equal(stats_quantile(values, 5, 0.25), 20, EPSILON);
	assert_float_equal(stats_quantile(values, 5, 0.9), 46, EPSILON);
	assert_float_equal(stats_quantile(values, 5, 1), 50, EPSILON);
}

static void test_median_of_odd_even_and_one(void **state)
{
	const double values[] = {3, 1, 2, 100};

	(void)state;
	assert_float_equal(stats_median(values, 3), 2, EPSILON);
	assert_float_equal(stats_median(values, 4), 2.5, EPSILON);
	assert_float_equal(stats_median(values, 1), 3, EPSILON);
}

static void test_the_input_stays_as_it_is(void **state)
{
	double values[] = {3, 1, 2};
	double ci95[2];

	(void)state;
	stats_median(values, 3);
	stats_median_ci95(values, NULL, 3, ci95);
	assert_float_equal(values[0], 3, EPSILON);
	assert_float_equal(values[1], 1, EPSILON);
	assert_float_equal(values[2], 2, EPSILON);
}

static void test_interval_of_one_value_is_that_value(void **state)
{
	const double value = 7;
	double ci95[2];

	(void)state;
	stats_median_ci95(&value, NULL, 1, ci95);
	assert_float_equal(ci95[0], 7, EPSILON);
	assert_float_equal(ci95[1], 7, EPSILON);
}

/*
 * For an odd count the bootstrap has a closed form (Efron 1979, section 3): the resampled
 * median is at most the k-th of n values with probability P(Binomial(n, k / n) > n / 2).
 * For n = 7 that is 0.010 for the first and 0.108 for the second value, so that the
 * 2.5 % point is the second one; from the other side the sixth.
 */
static void test_interval_is_the_bootstrap(void **state)
{
	const double values[] = {10, 20, 30, 40, 50, 60, 70};
	double ci95[2];

	(void)state;
	stats_median_ci95(values, NULL, 7, ci95);
	assert_float_equal(ci95[0], 20, EPSILON);
	assert_float_equal(ci95[1], 60, EPSILON);
}

static void test_same_input_same_interval(void **state)
{
	double values[50];
	double first[2], second[2];
	struct rng rng;

	(void)state;
	rng_seed(&rng, 1);
	for (size_t i = 0; i < 50; i++)
		values[i] = rng_below(&rng, 1000);
	stats_median_ci95(values, NULL, 50, first);
	stats_median_ci95(values, NULL, 50, second);
	assert_memory_equal(first, second, sizeof(first));
}

/* A sum of uniform numbers is near enough to normal; the true median is 0. */
static double noise(struct rng *rng)
{
	double sum = 0;

	for (unsigned int i = 0; i < 12; i++)
		sum += rng_below(rng, 1000001) / 1e6 - 0.5;
	return sum;
}

static void test_interval_covers_the_truth_95_times_in_100(void **state)
{
	const unsigned int trials = 400;
	unsigned int covered = 0;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 2);
	for (unsigned int trial = 0; trial < trials; trial++) {
		double values[40], ci95[2];

		for (size_t i = 0; i < 40; i++)
			values[i] = noise(&rng);
		stats_median_ci95(values, NULL, 40, ci95);
		covered += ci95[0] <= 0 && ci95[1] >= 0;
	}
	assert_in_range(covered, trials * 90 / 100, trials * 98 / 100);
}

/* How often the truth, 1, is in the interval, with three processes a side that differ. */
static unsigned int covered_with_unequal_processes(bool with_origins, unsigned int trials)
{
	unsigned int covered = 0;
	struct rng rng;

	rng_seed(&rng, 5);
	for (unsigned int trial = 0; trial < trials; trial++) {
		double effect[2][3], values[100], ci95[2];
		struct origin origins[100];

		for (unsigned int i = 0; i < 6; i++)
			effect[i / 3][i % 3] = 1 + 0.05 * noise(&rng);
		for (size_t i = 0; i < 100; i++) {
			struct origin origin = {rng_below(&rng, 3), rng_below(&rng, 3)};

			origins[i] = origin;
			values[i] = effect[0][origin.numerator] / effect[1][origin.denominator] *
				    (1 + 0.01 * noise(&rng));
		}
		stats_median_ci95(values, with_origins ? origins : NULL, 100, ci95);
		covered += ci95[0] <= 1 && ci95[1] >= 1;
	}
	return covered;
}

static void test_interval_takes_unequal_processes_for_chance(void **state)
{
	const unsigned int trials = 200;

	(void)state;
	assert_true(covered_with_unequal_processes(true, trials) >= trials * 80 / 100);
	assert_true(covered_with_unequal_processes(false, trials) <= trials * 50 / 100);
}

/*
 * Why ratios are paired: B costs twice A, the machine slows down to a third meanwhile
 * and is disturbed now and then. The paired ratio is exact, that of the means is not.
 */
static void test_paired_ratio_survives_drift(void **state)
{
	double ratios[99], sum_a = 0, sum_b = 0, ci95[2];

	(void)state;
	for (size_t i = 0; i < 99; i++) {
		double drift = 1 + i / 49.0;
		double a = 100 * drift * (i % 10 == 3 ? 5 : 1);
		double b = 200 * drift * (i % 10 == 7 ? 20 : 1);

		sum_a += a;
		sum_b += b;
		ratios[i] = b / a;
	}
	assert_true(fabs(sum_b / sum_a - 2) > 0.5);
	assert_float_equal(stats_median(ratios, 99), 2, EPSILON);
	stats_median_ci95(ratios, NULL, 99, ci95);
	assert_float_equal(ci95[0], 2, EPSILON);
	assert_float_equal(ci95[1], 2, EPSILON);
}

/* Chi-square with 9 degrees of freedom: above 27.9 once in 1000 seeds; this seed is fixed. */
static void test_rng_is_uniform(void **state)
{
	unsigned int seen[10] = {0};
	double chi_square = 0;
	struct rng rng;

	(void)state;
	rng_seed(&rng, 3);
	for (unsigned int i = 0; i < 100000; i++)
		seen[rng_below(&rng, 10)]++;
	for (size_t i = 0; i < 10; i++)
		chi_square += (seen[i] - 10000.0) * (seen[i] - 10000.0) / 10000;
	assert_true(chi_square < 27.9);
}

/*
 * With a limit of 3/4 of the range, one in three results would come twice as often: the
 * low ones by a plain modulo, each third one by multiplication without rejection.
 */
static void test_rng_has_no_bias(void **state)
{
	const uint32_t limit = UINT32_C(3) << 30;
	unsigned int low = 0;
	unsigned int residues[3] = {0};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 4);
	for (unsigned int i = 0; i < 30000; i++) {
		uint32_t value = rng_below(&rng, limit);

		low += value < limit / 3;
		residues[value % 3]++;
	}
	assert_in_range(low, 9500, 10500);
	for (size_t i = 0; i < 3; i++)
		assert_in_range(residues[i], 9500, 10500);
}

static void test_rng_bounds_and_seed_zero(void **state)
{
	struct rng rng;
	bool moves = false;

	(void)state;
	rng_seed(&rng, 0);
	for (unsigned int i = 0; i < 1000; i++) {
		assert_int_equal(rng_below(&rng, 1), 0);
		assert_in_range(rng_below(&rng, 7), 0, 6);
		moves |= rng_below(&rng, 1000) > 0;
	}
	assert_true(moves);
}

static void test_shuffle_is_a_permutation(void **state)
{
	unsigned int values[20];
	unsigned int seen[20] = {0};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 5);
	for (unsigned int i = 0; i < 20; i++)
		values[i] = i;
	rng_shuffle(&rng, values, 20);
	for (size_t i = 0; i < 20; i++)
		seen[values[i]]++;
	for (size_t i = 0; i < 20; i++)
		assert_int_equal(seen[i], 1);
}

/* Every value comes to every place: 24000 shuffles of 4, about 6000 each. */
static void test_shuffle_is_fair(void **state)
{
	unsigned int seen[4][4] = {0};
	struct rng rng;

	(void)state;
	rng_seed(&rng, 6);
	for (unsigned int i = 0; i < 24000; i++) {
		unsigned int values[] = {0, 1, 2, 3};

		rng_shuffle(&rng, values, 4);
		for (size_t place = 0; place < 4; place++)
			seen[place][values[place]]++;
	}
	for (size_t i = 0; i < 16; i++)
		assert_in_range(seen[i / 4][i % 4], 5700, 6300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantiles_are_interpolated),
		cmocka_unit_test(test_median_of_odd_even_and_one),
		cmocka_unit_test(test_the_input_stays_as_it_is),
		cmocka_unit_test(test_interval_of_one_value_is_that_value),
		cmocka_unit_test(test_interval_is_the_bootstrap),
		cmocka_unit_test(test_same_input_same_interval),
		cmocka_unit_test(test_interval_covers_the_truth_95_times_in_100),
		cmocka_unit_test(test_interval_takes_unequal_processes_for_chance),
		cmocka_unit_test(test_paired_ratio_survives_drift),
		cmocka_unit_test(test_rng_is_uniform),
		cmocka_unit_test(test_rng_has_no_bias),
		cmocka_unit_test(test_rng_bounds_and_seed_zero),
		cmocka_unit_test(test_shuffle_is_a_permutation),
		cmocka_unit_test(test_shuffle_is_fair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
