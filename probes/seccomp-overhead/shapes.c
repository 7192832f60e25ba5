/* SPDX-License-Identifier: GPL-2.0-only */
#include "shapes.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>

#include "filter.h"

/*
 * The deny list of Jann Horn's benchmark (2018). fsync is first, since the shape
 * with one rule must deny DENIED_SYSCALL, too.
 */
static const int denied[] = {
	SCMP_SYS(fsync),	SCMP_SYS(acct),		 SCMP_SYS(add_key),
	SCMP_SYS(chroot),	SCMP_SYS(fanotify_init), SCMP_SYS(fanotify_mark),
	SCMP_SYS(finit_module), SCMP_SYS(fdatasync),	 SCMP_SYS(flistxattr),
	SCMP_SYS(getsockopt),	SCMP_SYS(socket),	 SCMP_SYS(getpeername),
};

/*
 * Longer lists go on with numbers above every architecture's table. A comparison
 * that fails costs the same whatever it compares with; real names would run out, and
 * would differ from one architecture and libseccomp to the next.
 */
#define FIRST_MADE_UP_SYSCALL 10000

const struct shape shapes[] = {
	/* rules, tree, run, copies, twins, quick */
	{"lin12", 12, false, false, 1, TWIN_JIT, true},
	{"tree12", 12, true, false, 1, 0, false},
	{"lin50", 50, false, false, 1, 0, false},
	{"tree50", 50, true, false, 1, 0, false},
	{"lin200", 200, false, false, 1, 0, false},
	{"tree200", 200, true, false, 1, 0, false},
	{"lin400", 400, false, false, 1, TWIN_JIT, true},
	{"tree400", 400, true, false, 1, 0, false},
	{"lin12x8", 12, false, false, 8, 0, true},
	{"lin1-run", 1, false, true, 1, TWIN_JIT, true},
	{"lin12-run", 12, false, true, 1, TWIN_JIT | TWIN_HARDEN, true},
	{"tree12-run", 12, true, true, 1, TWIN_JIT, false},
	{"lin50-run", 50, false, true, 1, TWIN_JIT, false},
	{"tree50-run", 50, true, true, 1, 0, false},
	{"lin200-run", 200, false, true, 1, TWIN_JIT, false},
	{"tree200-run", 200, true, true, 1, 0, false},
	{"lin400-run", 400, false, true, 1, TWIN_JIT | TWIN_HARDEN, true},
	{"tree400-run", 400, true, true, 1, TWIN_JIT | TWIN_HARDEN, true},
	{"lin12x8-run", 12, false, true, 8, TWIN_JIT, true},
};
const size_t shape_count = sizeof(shapes) / sizeof(*shapes);

static int add_rules(scmp_filter_ctx context, unsigned int count)
{
	const unsigned int known = sizeof(denied) / sizeof(*denied);
	unsigned int i;

	for (i = 0; i < count; i++) {
		int number = i < known ? denied[i] : (int)(FIRST_MADE_UP_SYSCALL + i - known);
		int error = seccomp_rule_add(context, SCMP_ACT_KILL, number, 0);

		if (error)
			return error;
	}
	return 0;
}

/* Put the load of args[0] in front. */
static int make_run(struct sock_fprog *program)
{
	const struct sock_filter load =
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0]));
	struct sock_filter *longer = calloc(program->len + 1, sizeof(*longer));

	if (!longer)
		return -ENOMEM;
	longer[0] = load;
	memcpy(longer + 1, program->filter, program->len * sizeof(*longer));
	free(program->filter);
	program->filter = longer;
	program->len++;
	return 0;
}

static int fill(scmp_filter_ctx context, const struct shape *shape, struct sock_fprog *program)
{
	int error = add_rules(context, shape->rules);

	/* The tree only once there are rules: libseccomp up to 2.5.3 cannot do without. */
	if (!error && shape->tree)
		error = seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	if (!error)
		error = filter_export(context, program);
	if (!error && shape->run)
		error = make_run(program);
	return error;
}

struct built shape_build(const struct shape *shape)
{
	scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
	struct built built = {.error = -ENOMEM};

	if (!context)
		return built;
	built.error = fill(context, shape, &built.program);
	seccomp_release(context);
	return built;
}
