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

struct sample {
	double value;
	struct origin origin;
	unsigned int weight; /* how often it is in the resample */
};

static int compare_samples(const void *left, const void *right)
{
	return compare(&((const struct sample *)left)->value,
		       &((const struct sample *)right)->value);
}

static struct sample *sorted_samples(const double *values, const struct origin *origins,
				     size_t count)
{
	struct sample *samples = array(count, sizeof(*samples));

	for (size_t i = 0; i < count; i++) {
		samples[i].value = values[i];
		if (origins)
			samples[i].origin = origins[i];
	}
	qsort(samples, count, sizeof(*samples), compare_samples);
	return samples;
}

/* The processes that there are, drawn from themselves: how often each. */
static void draw_processes(struct rng *rng, unsigned int processes, unsigned int *drawn)
{
	memset(drawn, 0, STATS_PROCESSES * sizeof(*drawn));
	for (unsigned int i = 0; i < processes; i++)
		drawn[rng_below(rng, processes)]++;
}

/* Weigh the samples as one resample does; returns the sum, which may be 0. */
static size_t resample(struct rng *rng, struct sample *samples, size_t count,
		       unsigned int processes)
{
	unsigned int numerators[STATS_PROCESSES], denominators[STATS_PROCESSES];
	size_t sum = 0;

	draw_processes(rng, processes, numerators);
	draw_processes(rng, processes, denominators);
	for (size_t i = 0; i < count; i++)
		samples[i].weight = 0;
	for (size_t i = 0; i < count; i++)
		samples[rng_below(rng, count)].weight++;
	for (size_t i = 0; i < count; i++) {
		samples[i].weight *= numerators[samples[i].origin.numerator] *
				     denominators[samples[i].origin.denominator];
		sum += samples[i].weight;
	}
	return sum;
}

/* The value of this rank in the resample. */
static double drawn_value(const struct sample *sorted, size_t rank)
{
	size_t i = 0;

	for (size_t seen = sorted[0].weight; seen <= rank; seen += sorted[i].weight)
		i++;
	return sorted[i].value;
}

/*
 * The median of one resample. Only how often each value was drawn matters, so
 * that nothing needs sorting: this runs on emulated machines, too.
 */
static double resampled_median(struct rng *rng, struct sample *sorted, size_t count,
			       unsigned int processes)
{
	size_t sum;

	do /* a resample may hold only pairs of processes that never met */
		sum = resample(rng, sorted, count, processes);
	while (!sum);
	return (drawn_value(sorted, (sum - 1) / 2) + drawn_value(sorted, sum / 2)) / 2;
}

static unsigned int count_processes(const struct origin *origins, size_t count)
{
	unsigned int last = 0;

	for (size_t i = 0; origins && i < count; i++) {
		if (origins[i].numerator > last)
			last = origins[i].numerator;
		if (origins[i].denominator > last)
			last = origins[i].denominator;
	}
	return last + 1;
}

void stats_median_ci95(const double *values, const struct origin *origins, size_t count,
		       double ci95[2])
{
	struct sample *sorted = sorted_samples(values, origins, count);
	unsigned int processes = count_processes(origins, count);
	double *medians = array(RESAMPLES, sizeof(*medians));
	struct rng rng;

	rng_seed(&rng, BOOTSTRAP_SEED);
	for (size_t i = 0; i < RESAMPLES; i++)
		medians[i] = resampled_median(&rng, sorted, count, processes);
	qsort(medians, RESAMPLES, sizeof(*medians), compare);
	ci95[0] = sorted_quantile(medians, RESAMPLES, 0.025);
	ci95[1] = sorted_quantile(medians, RESAMPLES, 0.975);
	free(medians);
	free(sorted);
}
