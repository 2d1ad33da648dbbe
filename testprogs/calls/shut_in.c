/*
 * Shuts itself in with a filter that allows it a few system calls, sleeps, and says that it is
 * alive.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ALLOW(call, further) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 1 + (further), 0)

int main(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		ALLOW(write, 4),
		ALLOW(clock_nanosleep, 3),
		ALLOW(restart_syscall, 2),
		ALLOW(exit_group, 1),
		ALLOW(rt_sigreturn, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof filter / sizeof *filter, filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
			|| prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return 1;
	nanosleep(&(struct timespec){ 0, 700000000 }, NULL);
	return write(1, "alive\n", 6) != 6;
}
