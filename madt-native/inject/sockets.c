/*
 * Limits that sockets have themselves (socket(7), SO_RCVTIMEO and SO_SNDTIMEO): by a descriptor of
 * madt-inject's own of the same socket, from Linux 5.6 on.
 */
#define _GNU_SOURCE
#include "inject.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

/* Returns the option that limits such a call; 0: none does. */
static int option_of(long number)
{
	static const struct {
		int number, option;
	} calls[] = {
		{ SYS_read, SO_RCVTIMEO },
		{ SYS_readv, SO_RCVTIMEO },
		{ SYS_recvfrom, SO_RCVTIMEO },
		{ SYS_recvmsg, SO_RCVTIMEO },
		{ SYS_recvmmsg, SO_RCVTIMEO },
		{ SYS_accept, SO_RCVTIMEO },
		{ SYS_accept4, SO_RCVTIMEO },
		{ SYS_write, SO_SNDTIMEO },
		{ SYS_writev, SO_SNDTIMEO },
		{ SYS_sendto, SO_SNDTIMEO },
		{ SYS_sendmsg, SO_SNDTIMEO },
		{ SYS_sendmmsg, SO_SNDTIMEO },
		{ SYS_connect, SO_SNDTIMEO },
	};

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i].number == number)
			return calls[i].option;
	return 0;
}

/* Returns the number of the socket that a descriptor is; 0: it is none. */
static unsigned long socket_of(pid_t pid, const char *name)
{
	char path[330], link[64];
	unsigned long number;
	ssize_t length;

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	length = readlink(path, link, sizeof link - 1);
	link[length > 0 ? length : 0] = 0;
	return sscanf(link, "socket:[%lu]", &number) == 1 ? number : 0;
}

/*
 * Returns a descriptor of that socket; -1: there is none. A thread may have other descriptors than
 * its process.
 */
static int socket_get(pid_t pid, long descriptor, unsigned long number)
{
	static pid_t last;
	static int process = -1;
	struct stat state;
	int own;

	if (last != pid) {
		process = (int)syscall(SYS_pidfd_open, pid, 0);
		last = pid;
	}
	own = process < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, process, descriptor, 0);
	if (own >= 0 && (fstat(own, &state) != 0 || state.st_ino != number)) {
		close(own);
		return -1;
	}
	return own;
}

static uint64_t limit_of(int socket, int option)
{
	struct timeval time = { 0, 0 };
	socklen_t size = sizeof time;

	if (getsockopt(socket, SOL_SOCKET, option, &time, &size) != 0)
		return 0;
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

/* Returns what a call returns that the limit ends. */
static long result_of(int socket, long number)
{
	int domain = AF_UNIX;
	socklen_t size = sizeof domain;

	if (number == SYS_connect)
		getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &domain, &size);
	return domain == AF_UNIX ? -EAGAIN : -EINPROGRESS;
}

uint64_t socket_limit(pid_t pid, pid_t tid, long number, long *result)
{
	const int option = option_of(number);
	unsigned long inode, descriptor = 0;
	uint64_t limit = 0;
	char name[64];
	FILE *file;
	int own;

	if (!option)
		return 0;
	snprintf(name, sizeof name, "task/%d/syscall", (int)tid);
	file = process_file(pid, name);
	if (!file || fscanf(file, "%*d %lx", &descriptor) != 1)
		descriptor = ~0ul;
	if (file)
		fclose(file);
	snprintf(name, sizeof name, "task/%d/fd/%d", (int)tid, (int)descriptor);
	inode = socket_of(pid, name);
	own = inode ? socket_get(pid, (int)descriptor, inode) : -1;
	if (own >= 0) {
		limit = limit_of(own, option);
		*result = result_of(own, number);
		close(own);
	}
	return limit;
}

static bool is_limited(pid_t pid, const char *descriptor)
{
	unsigned long number;
	char name[300];
	bool limited;
	int own;

	snprintf(name, sizeof name, "fd/%s", descriptor);
	number = socket_of(pid, name);
	own = number ? socket_get(pid, atol(descriptor), number) : -1;
	limited = own >= 0 && (limit_of(own, SO_RCVTIMEO) || limit_of(own, SO_SNDTIMEO));
	if (own >= 0)
		close(own);
	return limited;
}

bool sockets_limited(pid_t pid)
{
	bool limited = false;
	struct dirent *entry;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	folder = opendir(path);
	while (!limited && folder && (entry = readdir(folder)))
		limited = is_limited(pid, entry->d_name);
	if (folder)
		closedir(folder);
	return limited;
}
