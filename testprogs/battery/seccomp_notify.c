/* A supervisor answers the calls of a child by the descriptor of its filter (RET_USER_NOTIF). */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int filter(int call)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			&program);
}

static void child(int to)
{
	int fd = filter(SYS_getpgrp);
	long sum = 0;

	if (write(to, &fd, sizeof fd) != sizeof fd)
		_exit(1);
	for (int i = 0; i < 4; i++)
		sum += syscall(SYS_getpgrp);
	_exit((int)sum);
}

int main(void)
{
	struct seccomp_notif asked;
	struct seccomp_notif_resp answer;
	int ends[2], fd = -1, status;
	pid_t pid;

	if (pipe(ends))
		return 1;
	pid = fork();
	if (pid == 0)
		child(ends[1]);
	if (read(ends[0], &fd, sizeof fd) != sizeof fd || fd < 0) {
		printf("no listener\n");
		return 0;
	}
	fd = (int)syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, pid, 0), fd, 0);
	if (fd < 0) {
		printf("pidfd_getfd: %s\n", strerror(errno));
		return 0;
	}
	for (int i = 0; i < 4; i++) {
		memset(&asked, 0, sizeof asked);
		memset(&answer, 0, sizeof answer);
		if (ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &asked))
			break;
		printf("call %d of the child: %d\n", asked.data.nr, asked.pid == (unsigned)pid);
		answer.id = asked.id;
		answer.val = 10 + i;
		printf("answered: %d\n", ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &answer));
	}
	waitpid(pid, &status, 0);
	printf("status %x\n", status);
	return 0;
}
