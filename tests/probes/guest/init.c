/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The first process of a guest that has nothing else: it runs probes one after
 *the other and tells what they print on the second serial port, where no
 *message of the kernel comes between. Nothing is mounted for the probes; the
 *nodes that this process needs for itself are removed before the first of them
 *starts.
 *
 * Its arguments (the words after "--" on the kernel's command line) name files in
 * the root folder:
 *
 *	NAME		run /NAME --quick --json
 *	NAME:SIGNAL	the same, but send it that signal when it has changed the
 *			sysctl net.core.bpf_jit_enable
 *
 * On the port: "begin NAME", the output, and
 *
 *	end NAME exited|signaled NUMBER ms=N strays=N jit=THEN,END,LATER
 *
 * with the milliseconds that it took, whether any process of it outlives it by two
 * seconds, and the sysctl when the signal was sent, when the probe had ended, and
 * when nothing was left of it. After all of
 * them "done"; QEMU's isa-debug-exit device then ends the machine with EXIT_DONE, so
 * that a panic, which also ends it, cannot look like success.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/io.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum {
	TTY_MAJOR = 4,
	TTYS1_MINOR = 65,
	EXIT_PORT = 0xf4,
	EXIT_DONE = 21,	      /* QEMU's exit status is then 43 */
	DEADLINE_MS = 120000, /* that one probe has */
	STRAY_MS = 2000,
	POLL_USEC = 200,
};

/* One character of the sysctl, or '?' */
static char jit(int sysctl)
{
	char value;

	return pread(sysctl, &value, 1, 0) == 1 ? value : '?';
}

/* The mount is gone at once, and lives on in the descriptor alone. */
static int open_jit(void)
{
	int sysctl;

	mkdir("/mnt", 0755);
	if (mount("proc", "/mnt", "proc", 0, NULL))
		return -1;
	sysctl = open("/mnt/sys/net/core/bpf_jit_enable", O_RDONLY | O_CLOEXEC);
	umount2("/mnt", MNT_DETACH);
	rmdir("/mnt");
	return sysctl;
}

static int open_port(void)
{
	struct termios raw;
	int port;

	mkdir("/dev", 0755);
	if (mknod("/dev/ttyS1", S_IFCHR | 0600, makedev(TTY_MAJOR, TTYS1_MINOR)))
		return -1;
	port = open("/dev/ttyS1", O_RDWR | O_NOCTTY | O_CLOEXEC);
	unlink("/dev/ttyS1");
	if (port < 0 || tcgetattr(port, &raw))
		return -1;
	cfmakeraw(&raw);
	cfsetspeed(&raw, B115200);
	tcsetattr(port, TCSANOW, &raw);
	return port;
}

static long elapsed_ms(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
}

static pid_t start(const char *name, int port)
{
	char path[256];
	pid_t child = fork();

	if (child)
		return child;
	snprintf(path, sizeof(path), "/%s", name);
	dup2(port, STDOUT_FILENO);
	execl(path, path, "--quick", "--json", (char *)NULL);
	dprintf(STDERR_FILENO, "%s: %s\n", path, strerror(errno));
	_exit(127);
}

/*
 * Reaps all that comes to process 1 until it is that child, and sends it the signal
 * when the sysctl changes: then *then is what it changed to. Returns the wait status.
 */
static int await(pid_t child, int signo, int sysctl, char *then)
{
	char before = jit(sysctl);
	struct timespec began;
	int status = -1;

	clock_gettime(CLOCK_MONOTONIC, &began);
	*then = before;
	while (waitpid(-1, &status, WNOHANG) != child) {
		if (signo && *then == before && (*then = jit(sysctl)) != before)
			kill(child, signo);
		if (elapsed_ms(&began) >= DEADLINE_MS)
			kill(child, SIGKILL);
		usleep(POLL_USEC);
	}
	return status;
}

/* Whether anything is left of it, which would now be a child of process 1 */
static bool strays(void)
{
	struct timespec began;
	pid_t pid;

	clock_gettime(CLOCK_MONOTONIC, &began);
	while ((pid = waitpid(-1, NULL, WNOHANG)) >= 0 && elapsed_ms(&began) < STRAY_MS)
		usleep(POLL_USEC);
	return pid >= 0;
}

static void run(char *word, int port, int sysctl)
{
	const char *name = strsep(&word, ":");
	int signo = word ? (int)strtol(word, NULL, 10) : 0;
	struct timespec began;
	int status;
	long ms;
	bool left;
	char then, end;

	clock_gettime(CLOCK_MONOTONIC, &began);
	dprintf(port, "begin %s\n", name);
	status = await(start(name, port), signo, sysctl, &then);
	end = jit(sysctl);
	ms = elapsed_ms(&began);
	left = strays();
	dprintf(port, "\nend %s %s %d ms=%ld strays=%d jit=%c,%c,%c\n", name,
		WIFEXITED(status) ? "exited" : "signaled",
		WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), ms, left, then, end,
		jit(sysctl));
}

int main(int argc, char **argv)
{
	int port = open_port();
	int sysctl = open_jit();

	if (port < 0 || sysctl < 0)
		return 1;
	for (int i = 1; i < argc; i++)
		run(argv[i], port, sysctl);
	dprintf(port, "done\n");
	tcdrain(port);
	if (!ioperm(EXIT_PORT, 1, 1))
		outb(EXIT_DONE, EXIT_PORT);
	return 1;
}
