/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What hardened-audit can still do when it is done: tries to break out at exit, by bare
 * system calls, and prints how each ended. ESCAPE_FILE names the file to write to.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static void tell(const char *what, long ret)
{
	fprintf(stderr, "escape %s: %s\n", what, ret < 0 ? strerrorname_np(errno) : "done");
}

static __attribute__((destructor)) void escape(void)
{
	const char *path = getenv("ESCAPE_FILE");
	struct open_how how = {.flags = O_WRONLY | O_CREAT, .mode = 0600};
	char *const words[] = {(char[]){"/nonexistent"}, NULL};

	if (!path)
		return;
	tell("openat", syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT, 0600));
	/* its flags are in memory, where no filter sees them */
	tell("openat2", syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how)));
	tell("unlink", syscall(SYS_unlinkat, AT_FDCWD, path, 0));
	tell("socket", syscall(SYS_socket, AF_UNIX, SOCK_STREAM, 0));
	tell("ptrace", syscall(SYS_ptrace, PTRACE_TRACEME, 0, NULL, NULL));
	tell("execve", syscall(SYS_execve, words[0], words, words + 1));
}
