/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One input is audited by this process. Several are, each by a worker, which sends
 * back what it has printed; where kernels stand beside each other the workers only
 * read, and send the texts of the configs.
 */
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "confine.h"
#include "gather.h"
#include "jobs.h"
#include "message.h"
#include "text.h"
#include "transfer.h"

struct run {
	const struct options *options;
	const struct terms *terms;
	struct view view;
	FILE *out;
	int error;		/* the errno of the first write that failed */
	int status;		/* 2 could not be told, 1 not met, 0 met: the worst counts */
	struct audit_list list; /* of those that are printed together */
};

/* Keep the errno of the first write that fails; false when one has. */
static bool is_written(struct run *run)
{
	if (!run->error && ferror(run->out))
		run->error = errno ? errno : EIO;
	return !run->error;
}

static void worsen(struct run *run, int status)
{
	if (status > run->status)
		run->status = status;
}

/* Count and tell what is wrong with audits. */
static void note_audits(struct run *run, const struct audit_list *list)
{
	for (size_t i = 0; i < list->size; i++) {
		worsen(run, audit_status(&list->at[i]));
		if (list->at[i].problem)
			complain_lines(list->at[i].problem);
	}
}

static void print_each(const struct run *run, const struct audit_list *list, size_t first,
		       FILE *out)
{
	for (size_t i = 0; i < list->size; i++)
		run->options->format->each(out, &run->view, &list->at[i], first + i);
}

/* All audits are here. */
static void print_all(struct run *run, const struct audit_list *list)
{
	const struct format *format = run->options->format;

	run->view.inputs = list->size;
	note_audits(run, list);
	if (format->together) {
		format->together(run->out, &run->view, list->at, list->size);
		return;
	}
	format->begin(run->out, &run->view);
	print_each(run, list, 0, run->out);
	format->end(run->out, &run->view);
}

/* What a crashed worker leaves is told like any other problem of its input. */
static void add_lost(const struct run *run, size_t index, const char *ending,
		     struct audit_list *list)
{
	const char *path = run->options->operands[index];
	char *problem = text_printf("%s: the process that read it %s; the file may be damaged or "
				    "hostile, and this is a defect to report",
				    path, ending);

	audit_list_add(list, audit_problem(path, problem, run->terms));
}

static void enter_worker(void *context)
{
	(void)context;
	confine(-1, false);
}

static void work_read(void *context, size_t index, FILE *out)
{
	const struct run *run = context;
	struct found_list found = {0};
	char *problem = input_read(run->options->operands[index], &found);

	send_found(out, problem, &found);
	free(problem);
	found_list_free(&found);
}

static bool take_found(void *context, size_t index, const char *bytes, size_t size,
		       const char *ending)
{
	struct run *run = context;
	struct found_list found = {0};
	char *problem = NULL;

	if (ending)
		add_lost(run, index, ending, &run->list);
	else if (receive_found(bytes, size, &problem, &found))
		gather_found(run->options->operands[index], problem, &found, run->options,
			     run->terms, &run->list);
	else
		add_lost(run, index, "sent nonsense", &run->list);
	return true;
}

static void work_print(void *context, size_t index, FILE *out)
{
	struct run *run = context;
	struct audit_list list = {0};

	gather_path(run->options->operands[index], run->options, run->terms, &list);
	send_outcome(out, &list, run->terms->waivers);
	print_each(run, &list, index, out);
	audit_list_clear(&list);
}

static bool take_printed(void *context, size_t index, const char *bytes, size_t size,
			 const char *ending)
{
	struct run *run = context;
	struct audit_list list = {0};
	struct outcome outcome;

	if (!ending && receive_outcome(bytes, size, &outcome, run->terms->waivers)) {
		worsen(run, outcome.status);
		complain_lines(outcome.problems);
		fwrite(outcome.text, 1, outcome.text_size, run->out);
		return is_written(run);
	}
	add_lost(run, index, ending ? ending : "sent nonsense", &list);
	note_audits(run, &list);
	print_each(run, &list, index, run->out);
	audit_list_clear(&list);
	return is_written(run);
}

static void run_jobs(struct run *run, void (*work)(void *, size_t, FILE *),
		     bool (*take)(void *, size_t, const char *, size_t, const char *))
{
	const struct options *options = run->options;
	size_t count = options->operand_count;
	const struct jobs jobs = {
		.count = count,
		.workers = options->jobs < count ? options->jobs : count,
		.context = run,
		.enter = enter_worker,
		.work = work,
		.take = take,
	};

	jobs_run(&jobs);
}

static void run_workers(struct run *run)
{
	const struct format *format = run->options->format;

	if (format->together) {
		run_jobs(run, work_read, take_found);
		return;
	}
	run->view.inputs = run->options->operand_count;
	format->begin(run->out, &run->view);
	/* A worker must not have it, too. */
	fflush(run->out);
	run_jobs(run, work_print, take_printed);
	format->end(run->out, &run->view);
}

int run(const struct options *options, const struct terms *terms, FILE *out, int *error)
{
	struct run run = {.options = options, .terms = terms, .view = options->view, .out = out};
	bool several = options->operand_count > 1;

	errno = 0;
	if (several)
		run_workers(&run);
	else if (options->operand_count)
		gather_path(options->operands[0], options, terms, &run.list);
	else
		gather_system(options, terms, &run.list);
	if (!several || options->format->together)
		print_all(&run, &run.list);
	audit_list_clear(&run.list);
	is_written(&run);
	*error = run.error;
	return run.status;
}
