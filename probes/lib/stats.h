/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Statistics on samples of at least one finite value. Nothing here reads a clock
 * or the system's randomness: the same input gives the same answer.
 */
#ifndef PROBES_STATS_H
#define PROBES_STATS_H

#include <stddef.h>
#include <stdint.h>

/* A small seeded generator (xorshift64*), for resampling and shuffling only. */
struct rng {
	uint64_t state;
};

void rng_seed(struct rng *rng, uint64_t seed);
/* Uniform in [0, limit), limit > 0, without modulo bias. */
uint32_t rng_below(struct rng *rng, uint32_t limit);
void rng_shuffle(struct rng *rng, unsigned int *values, size_t count);

/* The quantile q in [0, 1], interpolated linearly (type 7 of Hyndman and Fan). */
double stats_quantile(const double *values, size_t count, double q);
double stats_median(const double *values, size_t count);

/*
 * Which processes a ratio is of. Blocks of one process resemble each other more than
 * those of another that does the same.
 */
#define STATS_PROCESSES 8

struct origin {
	unsigned char numerator, denominator; /* less than STATS_PROCESSES */
};

/*
 * The median's 95 % interval by the percentile bootstrap (Efron 1979), with a
 * fixed seed. For one value it is that value. With origins, or else NULL, the
 * processes of both sides are drawn anew as well (the "pigeonhole" bootstrap of
 * A. B. Owen, 2007), so that what makes one process dearer than another counts as
 * chance, which it is. Three of them tell little about how far a fourth might be.
 */
void stats_median_ci95(const double *values, const struct origin *origins, size_t count,
		       double ci95[2]);

#endif
