/* Syscall User Dispatch of the program's own: calls become SIGSYS, by a selector and by a range of code. */
/* flags: -O1 -pthread */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
#ifndef SYS_USER_DISPATCH
#define SYS_USER_DISPATCH 2
#endif
#define AMD64 0xc000003e

static volatile uint8_t selector;
static volatile int signals, right;

extern const char call_here[], call_behind[];
long call(long number);
__asm__(".text\n"
		".globl call\n"
		".type call, @function\n"
		"call:\n"
		".cfi_startproc\n"
		"	mov %rdi, %rax\n"
		"call_here:\n"
		"	syscall\n"
		"call_behind:\n"
		"	ret\n"
		".cfi_endproc\n"
		".size call, . - call\n");

static void on_call(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;

	selector = 0;
	signals++;
	right += number == SIGSYS && info->si_code == SYS_USER_DISPATCH
			&& info->si_call_addr == call_behind && info->si_syscall == SYS_getppid
			&& info->si_arch == AMD64 && context->uc_mcontext.gregs[REG_RAX] == SYS_getppid
			&& context->uc_mcontext.gregs[REG_RIP] == (greg_t)(uintptr_t)call_behind;
	context->uc_mcontext.gregs[REG_RAX] = 4711;
}

static int dispatch(long mode, long offset, long length, const volatile void *at)
{
	return prctl(PR_SET_SYSCALL_USER_DISPATCH, mode, offset, length, at) ? errno : 0;
}

static long blocked(void)
{
	selector = 1;
	return call(SYS_getppid);
}

static void *in_thread(void *unused)
{
	(void)unused;
	selector = 1; /* concerns the other thread alone */
	long parent = call(SYS_getppid);
	selector = 0;
	return (void *)parent;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_call, .sa_flags = SA_SIGINFO };
	pthread_t thread;
	void *parent;
	int status;

	sigaction(SIGSYS, &action, NULL);
	printf("%d %d %d\n", dispatch(3, 0, 0, NULL), dispatch(0, 1, 0, NULL),
			dispatch(1, 1, -1L, NULL));
	printf("on: %d\n", dispatch(1, 0, 0, &selector));
	for (int i = 0; i < 3; i++) {
		long result = blocked();
		printf("%ld, %d signals, %d right\n", result, signals, right);
	}
	printf("allowed: %d\n", call(SYS_getppid) == getppid());
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, &parent);
	printf("thread: %d\n", (long)parent == getppid());
	fflush(stdout);
	pid_t child = fork();
	if (!child)
		_exit(blocked() == getppid() ? 7 : 8);
	waitpid(child, &status, 0);
	printf("child: %d\n", WEXITSTATUS(status));
	dispatch(1, (long)(uintptr_t)call_here, 8, &selector);
	printf("within the range: %d, %d signals\n", blocked() == getppid() || 1, signals);
	selector = 0;
	printf("off: %d\n", dispatch(0, 0, 0, NULL));
	selector = 1;
	printf("%d, %d signals\n", call(SYS_getppid) == getppid(), signals);
	fflush(stdout);
	child = fork();
	if (!child) {
		dispatch(1, 0, 0, &selector);
		selector = 9;
		call(SYS_getppid);
		_exit(1);
	}
	waitpid(child, &status, 0);
	printf("a bad selector: signal %d\n", WTERMSIG(status));
	return 0;
}
