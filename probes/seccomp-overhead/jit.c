/* SPDX-License-Identifier: GPL-2.0-only */
#include "jit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "system.h"

static const char jit_path[] = "sys/net/core/bpf_jit_enable";
static const char harden_path[] = "sys/net/core/bpf_jit_harden";

static const char *sysctl_name(const char *path)
{
	return path == jit_path ? "net.core.bpf_jit_enable" : "net.core.bpf_jit_harden";
}

static bool exists(const char *path)
{
	int fd = proc_open(path, O_RDONLY);

	if (fd < 0)
		return errno != ENOENT;
	close(fd);
	return true;
}

/*
 * net/core has few files outside the initial network namespace: somaxconn is one of
 * them, dev_weight is not.
 */
static bool sees_whole_net_core(void)
{
	return exists("sys/net/core/dev_weight");
}

static const char *why_absent(void)
{
	if (sees_whole_net_core())
		return "CONFIG_BPF_JIT=n";
	if (exists("sys/net/core/somaxconn"))
		return "hidden, not the initial network namespace";
	return exists("self/status") ? "CONFIG_NET=n, CONFIG_SYSCTL=n or a procfs with "
				       "subset=pid"
				     : "no procfs";
}

static const char *why_unread(int error)
{
	return error == ENOENT ? why_absent() : strerrorname_np(error);
}

static void explain(const struct sysctl_hold *hold, char *text, size_t size)
{
	static const char *const steps[] = {
		[SYSCTL_OPEN] = "open",
		[SYSCTL_READ] = "read",
		[SYSCTL_WRITE] = "write",
		[SYSCTL_READ_BACK] = "read back",
		[SYSCTL_KEEPER] = "keeper process",
	};
	const char *name = sysctl_name(hold->path), *step = steps[hold->step];

	if (hold->step == SYSCTL_OPEN && hold->error == ENOENT)
		snprintf(text, size, "no %s: %s", name, why_absent());
	else if (hold->error == EPERM || hold->error == EACCES)
		snprintf(text, size,
			 "%s: %s: %s: needs CAP_SYS_ADMIN in the initial user namespace", name,
			 step, strerrorname_np(hold->error));
	else if (hold->error)
		snprintf(text, size, "%s: %s: %s", name, step, strerrorname_np(hold->error));
	else
		snprintf(text, size, "%s: the value written was not kept", name);
}

static bool lacks_permission(int error)
{
	return error == EPERM || error == EACCES || error == EROFS;
}

/* What cannot be changed for want of an option or a permission does not apply. */
static void give_up(struct toggle *toggle, const struct sysctl_hold *hold)
{
	bool not_here = hold->step == SYSCTL_OPEN || hold->step == SYSCTL_WRITE ||
			lacks_permission(hold->error);

	toggle->verdict = not_here ? VERDICT_NA : VERDICT_UNKNOWN;
	explain(hold, toggle->why, sizeof(toggle->why));
}

static bool not_applicable(struct toggle *toggle, const char *why)
{
	toggle->verdict = VERDICT_NA;
	snprintf(toggle->why, sizeof(toggle->why), "%s", why);
	return false;
}

void jit_look(struct jit *jit)
{
	*jit = (struct jit){.lock = sysctl_lock(jit_path)};
	jit->locked_out = jit->lock < 0 && errno == EWOULDBLOCK;
	jit->value = sysctl_read(jit_path);
	if (jit->value < 0)
		jit->unread = why_unread(errno);
	jit->harden = sysctl_read(harden_path);
	if (jit->harden < 0)
		jit->harden_unread = why_unread(errno);
	if (jit->value >= 0)
		jit->state = jit->value ? JIT_ON : JIT_OFF;
	else if (!exists(jit_path) && sees_whole_net_core())
		jit->state = JIT_ABSENT;
}

void jit_unlock(struct jit *jit)
{
	sysctl_unlock(jit->lock);
	jit->lock = -1;
}

static void release(struct jit *jit, struct sysctl_hold *hold)
{
	char why[120];

	if (sysctl_release(hold))
		return;
	explain(hold, why, sizeof(why));
	snprintf(jit->not_restored, sizeof(jit->not_restored), "%s was %s and is now %d: %s",
		 sysctl_name(hold->path), hold->old, sysctl_read(hold->path), why);
	fprintf(stderr, "NOT RESTORED: %s\nrun: sysctl -w %s=%s\n", jit->not_restored,
		sysctl_name(hold->path), hold->old);
}

static bool load_with(struct jit *jit, struct toggle *toggle, const char *path, const char *value,
		      void (*load)(void *arg), void *arg)
{
	struct sysctl_hold hold;

	if (jit->locked_out) {
		toggle->verdict = VERDICT_UNKNOWN;
		snprintf(toggle->why, sizeof(toggle->why),
			 "another process has locked net.core.bpf_jit_enable");
		return false;
	}
	if (!sysctl_hold(&hold, path, value)) {
		give_up(toggle, &hold);
		jit->always |= jit->state == JIT_ON && path == jit_path &&
			       hold.step == SYSCTL_WRITE && hold.error == EINVAL;
		return false;
	}
	jit->changed = true;
	load(arg);
	if (sysctl_read(path) == value[0] - '0') {
		toggle->verdict = VERDICT_OK;
	} else {
		toggle->verdict = VERDICT_UNKNOWN;
		snprintf(toggle->why, sizeof(toggle->why),
			 "%s was changed by another process meanwhile", sysctl_name(path));
	}
	release(jit, &hold);
	return toggle->verdict == VERDICT_OK;
}

bool jit_with_toggled(struct jit *jit, void (*load)(void *arg), void *arg)
{
	const char *other = jit->state == JIT_ON ? "0" : "1";
	bool done = load_with(jit, &jit->toggled, jit_path, other, load, arg);

	return jit->always ? not_applicable(&jit->toggled, "always on (CONFIG_BPF_JIT_ALWAYS_ON)")
			   : done;
}

bool jit_with_harden(struct jit *jit, void (*load)(void *arg), void *arg)
{
	if (jit->state == JIT_OFF || jit->state == JIT_ABSENT)
		return not_applicable(&jit->hardened, "there is no JIT, or it is off");
	if (jit->harden == 2)
		return not_applicable(&jit->hardened,
				      "net.core.bpf_jit_harden is 2: all filters have it");
	return load_with(jit, &jit->hardened, harden_path, "2", load, arg);
}
