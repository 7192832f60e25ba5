/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Median, quantiles, bootstrap interval, and the generator that resampling needs.
 *
 * The generator is xorshift64* of S. Vigna, "An experimental exploration of
 * Marsaglia's xorshift generators, scrambled" (ACM TOMS 42, 2016); the bounded
 * draw is D. Lemire's "Fast random integer generation in an interval" (2019).
 */
#include <stdlib.h>
#include <string.h>

#include "stats.h"
#include "text.h"

#define RESAMPLES      1000
#define BOOTSTRAP_SEED 0x9e3779b97f4a7c15u

void rng_seed(struct rng *rng, uint64_t seed)
{
	/* Zero is the one state that xorshift never leaves. */
	rng->state = seed ? seed : BOOTSTRAP_SEED;
}

static uint32_t rng_next(struct rng *rng)
{
	rng->state ^= rng->state >> 12;
	rng->state ^= rng->state << 25;
	rng->state ^= rng->state >> 27;
	return (uint32_t)((rng->state * 0x2545f4914f6cdd1du) >> 32);
}

uint32_t rng_below(struct rng *rng, uint32_t limit)
{
	uint64_t product = (uint64_t)rng_next(rng) * limit;
	uint32_t biased = (UINT32_MAX - limit + 1) % limit;

	while ((uint32_t)product < biased)
		product = (uint64_t)rng_next(rng) * limit;
	return product >> 32;
}

/* Fisher and Yates, from the end. */
void rng_shuffle(struct rng *rng, unsigned int *values, size_t count)
{
	for (size_t left = count; left > 1; left--) {
		size_t other = rng_below(rng, left);
		unsigned int value = values[left - 1];

		values[left - 1] = values[other];
		values[other] = value;
	}
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

static void *array(size_t count, size_t size)
{
	return text_memory(calloc(count, size));
}

static double *sorted_copy(const double *values, size_t count)
{
	double *sorted = array(count, sizeof(*sorted));

	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare);
	return sorted;
}

static double sorted_quantile(const double *sorted, size_t count, double q)
{
	double position = q * (count - 1);
	size_t below = position;

	if (below + 1 >= count)
		return sorted[count - 1];
	return sorted[below] + (position - below) * (sorted[below + 1] - sorted[below]);
}

double stats_quantile(const double *values, size_t count, double q)
{
	double *sorted = sorted_copy(values, count);
	double quantile = sorted_quantile(sorted, count, q);

	free(sorted);
	return quantile;
}

double stats_median(const double *values, size_t count)
{
	return stats_quantile(values, count, 0.5);
}

/* The value of this rank among those that were drawn drawn[i] times each. */
static double drawn_value(const double *sorted, const unsigned int *drawn, size_t rank)
{
	size_t i = 0;

	for (size_t seen = drawn[0]; seen <= rank; seen += drawn[i])
		i++;
	return sorted[i];
}

/*
 * The median of one resample. Only how often each value was drawn matters, so
 * that nothing needs sorting: this runs on emulated machines, too.
 */
static double resampled_median(struct rng *rng, const double *sorted, unsigned int *drawn,
			       size_t count)
{
	memset(drawn, 0, count * sizeof(*drawn));
	for (size_t i = 0; i < count; i++)
		drawn[rng_below(rng, count)]++;
	return (drawn_value(sorted, drawn, (count - 1) / 2) +
		drawn_value(sorted, drawn, count / 2)) /
	       2;
}

void stats_median_ci95(const double *values, size_t count, double ci95[2])
{
	double *sorted = sorted_copy(values, count);
	unsigned int *drawn = array(count, sizeof(*drawn));
	double *medians = array(RESAMPLES, sizeof(*medians));
	struct rng rng;

	rng_seed(&rng, BOOTSTRAP_SEED);
	for (size_t i = 0; i < RESAMPLES; i++)
		medians[i] = resampled_median(&rng, sorted, drawn, count);
	qsort(medians, RESAMPLES, sizeof(*medians), compare);
	ci95[0] = sorted_quantile(medians, RESAMPLES, 0.025);
	ci95[1] = sorted_quantile(medians, RESAMPLES, 0.975);
	free(medians);
	free(drawn);
	free(sorted);
}
