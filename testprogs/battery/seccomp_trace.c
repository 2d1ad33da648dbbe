/* Filters that ask the tracer (RET_TRACE), refuse (RET_ERRNO) and trap (RET_TRAP, emulated). */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static void filter(int call, unsigned verdict)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, verdict),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
			|| prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		printf("no filter: %d\n", errno);
}

static void emulate(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;

	(void)number;
	context->uc_mcontext.gregs[REG_RAX] = info->si_code == 1 && info->si_syscall == SYS_getppid
			? 4711 + (info->si_call_addr == (void *)context->uc_mcontext.gregs[REG_RIP])
			: -1;
}

static void trapped(void)
{
	struct sigaction action = { .sa_sigaction = emulate, .sa_flags = SA_SIGINFO };

	sigaction(SIGSYS, &action, NULL);
	filter(SYS_getppid, SECCOMP_RET_TRAP);
	for (int i = 0; i < 3; i++)
		printf("trapped: %ld\n", syscall(SYS_getppid));
	filter(SYS_getpgrp, SECCOMP_RET_ERRNO | 37);
	printf("refused: %ld", syscall(SYS_getpgrp));
	printf(", %d\n", errno);
	fflush(stdout);
}

static void traced(void)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGSTOP);
	filter(SYS_getppid, SECCOMP_RET_TRACE | 5);
	_exit(syscall(SYS_getppid) == 4712 ? 1 : 2);
}

int main(void)
{
	struct user_regs_struct registers;
	unsigned long message = 0;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		trapped();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	printf("status %x\n", status);
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		traced();
	waitpid(pid, &status, 0);
	ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESECCOMP);
	ptrace(PTRACE_CONT, pid, 0, 0);
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		ptrace(PTRACE_GETEVENTMSG, pid, 0, &message);
		ptrace(PTRACE_GETREGS, pid, 0, &registers);
		printf("event %d, message %lu, call %lld\n", status >> 16, message, registers.orig_rax);
		registers.orig_rax = -1;
		registers.rax = 4712;
		ptrace(PTRACE_SETREGS, pid, 0, &registers);
		ptrace(PTRACE_CONT, pid, 0, 0);
	}
	printf("status %x\n", status);
	return 0;
}
