/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of struct measure: measure.c fills it, figures.c reads it.
 */
#ifndef PROBES_MEASUREMENT_H
#define PROBES_MEASUREMENT_H

#include "measure.h"
#include "series.h"
#include "stats.h"

enum { BASELINE, TWIN };

struct measure {
	struct measure_plan plan;
	clockid_t cpu_clock;
	struct series *series;
	unsigned int count;
	unsigned int rounds, room;
	struct rng rng;
	char refusal[400];
};

/* Whether more rounds would change nothing: A/A holds, or there will be none. */
bool figures_complete(const struct measure *measure);

/* How often the baseline's and the twin's workers were preempted; -1: not known. */
long figures_preempted(const struct measure *measure);

/* After the last round: which workloads are in doubt, and whether all are refused. */
void figures_judge(struct measure *measure, long preempted_before);

#endif
