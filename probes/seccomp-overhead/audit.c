/* SPDX-License-Identifier: GPL-2.0-only */
#include "audit.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* Ask, and take the first message that is no acknowledgement. */
static int ask(int fd)
{
	const struct sockaddr_nl kernel = {.nl_family = AF_NETLINK};
	const struct timeval patience = {.tv_sec = 1};
	const struct nlmsghdr request = {
		.nlmsg_len = NLMSG_LENGTH(0),
		.nlmsg_type = AUDIT_GET,
		.nlmsg_flags = NLM_F_REQUEST,
	};
	struct {
		struct nlmsghdr header;
		union {
			struct nlmsgerr error;
			struct audit_status status;
		};
	} reply;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (sendto(fd, &request, sizeof(request), 0, (const struct sockaddr *)&kernel,
		   sizeof(kernel)) < 0)
		return -errno;
	memset(&reply, 0, sizeof(reply));
	if (recv(fd, &reply, sizeof(reply), 0) < 0)
		return -errno;
	if (reply.header.nlmsg_type == NLMSG_ERROR)
		return reply.error.error ? reply.error.error : -EPROTO;
	if (reply.header.nlmsg_type != AUDIT_GET)
		return -EPROTO;
	return reply.status.enabled != 0;
}

int audit_enabled(void)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_AUDIT);
	int answer;

	if (fd < 0)
		return -errno;
	answer = ask(fd);
	close(fd);
	return answer;
}
