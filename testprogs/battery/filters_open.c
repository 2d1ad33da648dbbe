/* A filter as OpenBSD's pledge: whoever opens a file gets an error. */
/* flags: -pthread */
#include "busy.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

int main(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_open, 4, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
	};
	struct sock_fprog program = { sizeof filter / sizeof *filter, filter };

	busy_worker();
	printf("%d\n", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	printf("%d\n", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program));
	printf("%d\n", open("/dev/null", O_RDONLY) < 0 && errno == EACCES);
	busy("behind a filter");
	return 0;
}
