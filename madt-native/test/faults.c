/*
 * SIGBUS, SIGSYS, SIGTRAP, SIGFPE, SIGILL of the target's own; nested handlers; MadT's signals
 * blocked, pending, waited for, inherited.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static sigjmp_buf back;
static int *heap;
static long seen[8];

static void install(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action;

	memset(&action, 0, sizeof action);
	action.sa_sigaction = handler;
	action.sa_flags = SA_SIGINFO | flags;
	sigaction(number, &action, NULL);
}

static void on_jump(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;

	heap[number]++;
	seen[0] = info->si_code;
	seen[1] = (long)info->si_addr;
	seen[2] = context->uc_mcontext.gregs[REG_EFL] & 0x100;
	siglongjmp(back, number);
}

static void bus(void)
{
	FILE *file = tmpfile();
	char *at = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);

	install(SIGBUS, on_jump, 0);
	for (int i = 0; i < 3; i++)
		if (!sigsetjmp(back, 1))
			at[4096 + i] = 1;
	printf("bus errors %d, code %ld, at the page %d\n", heap[SIGBUS], seen[0],
			seen[1] - (long)at == 4098);
	munmap(at, 8192);
	fclose(file);
}

static void arithmetic(void)
{
	install(SIGFPE, on_jump, SA_NODEFER);
	install(SIGILL, on_jump, SA_NODEFER);
	if (!sigsetjmp(back, 1))
		heap[40] = 7 / *(volatile int *)&heap[42];
	if (!sigsetjmp(back, 1))
		__asm__ volatile("ud2");
	printf("divisions %d, illegal %d\n", heap[SIGFPE], heap[SIGILL]);
}

static void on_protected(int number, siginfo_t *info, void *raw)
{
	(void)number;
	(void)raw;
	heap[50]++;
	mprotect((void *)((long)info->si_addr & -4096), 4096, PROT_READ | PROT_WRITE);
}

/* The way of garbage collectors: the handler opens the page and the access runs again. */
static void protection(void)
{
	char *at = mmap(NULL, 8 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int sum = 0;

	install(SIGSEGV, on_protected, SA_NODEFER);
	for (int i = 0; i < 8; i++)
		at[i * 4096 + i] += (char)(i + 1);
	mprotect(at, 8 * 4096, PROT_READ);
	for (int i = 0; i < 8; i++)
		sum += at[i * 4096 + i];
	at[4096 * 3] = 7;
	printf("opened by the handler %d, sum %d\n", heap[50], sum);
	munmap(at, 8 * 4096);
}

static void on_step(int number, siginfo_t *info, void *raw)
{
	(void)number;
	(void)raw;
	heap[60] += info->si_code == TRAP_TRACE;
}

/* The target steps itself with the trap flag, over accesses to traced memory too. */
static void stepping(void)
{
	install(SIGTRAP, on_step, 0);
	heap[61] = 5;
	__asm__ volatile("pushfq; orq $0x100, (%%rsp); popfq; nop; incl %0; nop; pushfq; andq $~0x100, "
					 "(%%rsp); popfq; nop"
					 : "+m"(heap[61])::"memory", "cc");
	printf("steps %d, value %d\n", heap[60], heap[61]);
}

static void on_nested(int number, siginfo_t *info, void *raw)
{
	(void)info;
	(void)raw;
	if (++heap[70] < 5)
		raise(number);
	heap[71] = heap[71] * 10 + heap[70];
}

static void nested(void)
{
	install(SIGUSR1, on_nested, SA_NODEFER);
	raise(SIGUSR1);
	printf("nested %d, order %d\n", heap[70], heap[71]);
}

static void on_count(int number)
{
	heap[80 + number]++;
}

static void own_signals(void)
{
	const int own[] = { SIGSEGV, SIGTRAP, SIGSYS };
	sigset_t set, old, pending;
	struct timespec soon = { 0, 1000000 };
	siginfo_t info;

	sigemptyset(&set);
	for (int i = 0; i < 3; i++) {
		signal(own[i], on_count);
		sigaddset(&set, own[i]);
	}
	sigprocmask(SIG_BLOCK, &set, &old);
	for (int i = 0; i < 3; i++)
		kill(getpid(), own[i]);
	sigpending(&pending);
	for (int i = 0; i < 3; i++)
		printf("%d: pending %d, handled %d\n", own[i], sigismember(&pending, own[i]),
				heap[80 + own[i]]);
	printf("waited for %d", sigwaitinfo(&set, &info) > 0);
	printf(", %d", sigwaitinfo(&set, &info) > 0);
	sigprocmask(SIG_SETMASK, &old, NULL);
	printf(", the third handled %d\n", heap[80 + SIGSEGV] + heap[80 + SIGTRAP] + heap[80 + SIGSYS]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	printf("none: %d", sigtimedwait(&set, &info, &soon));
	printf(", errno %d\n", errno == EAGAIN);
	raise(SIGTRAP);
	sigprocmask(SIG_SETMASK, &old, NULL);
	signal(SIGSYS, SIG_IGN);
	raise(SIGSYS);
	printf("traps %d, ignored %d\n", heap[80 + SIGTRAP], heap[80 + SIGSYS]);
}

/* A wait with a mask that lets in what is blocked outside it. */
static void suspended(void)
{
	sigset_t set, none;
	pid_t pid;

	sigemptyset(&none);
	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	pid = fork();
	if (pid == 0) {
		usleep(20000);
		kill(getppid(), SIGTRAP);
		_exit(0);
	}
	heap[80 + SIGTRAP] = 0;
	printf("suspend: %d, errno %d", sigsuspend(&none), errno == EINTR);
	printf(", handled %d\n", heap[80 + SIGTRAP]);
	waitpid(pid, NULL, 0);
	raise(SIGTRAP);
	printf("suspend at once: %d, handled %d\n", sigsuspend(&none), heap[80 + SIGTRAP]);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static void descriptor(void)
{
	struct signalfd_siginfo *info = malloc(sizeof *info);
	union sigval value = { .sival_int = 77 };
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, 0);
	sigqueue(getpid(), SIGRTMIN, value);
	printf("signalfd: %zd", read(fd, info, sizeof *info));
	printf(", value %d, signal %d\n", info->ssi_int, (int)info->ssi_signo == SIGRTMIN);
	close(fd);
	free(info);
}

static void on_filtered(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;

	(void)number;
	heap[150]++;
	seen[3] = info->si_code;
	seen[4] = info->si_syscall;
	seen[5] = (long)info->si_call_addr - (long)context->uc_mcontext.gregs[REG_RIP];
	context->uc_mcontext.gregs[REG_RAX] = 4711;
}

/* A sandbox of the target's own: its handler emulates getpgrp. */
static void filter(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgrp, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, code };

	install(SIGSYS, on_filtered, 0);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		printf("no filter\n");
		return;
	}
	printf("filtered: %ld", syscall(SYS_getpgrp));
	printf(", %d times, code %ld, call %ld, address %ld\n", heap[150], seen[3], seen[4], seen[5]);
}

/* Across execve ignored stays ignored and blocked stays blocked; where MadT follows. */
static int inherited(void)
{
	sigset_t set;
	struct sigaction trap, sys;

	sigprocmask(SIG_SETMASK, NULL, &set);
	sigaction(SIGTRAP, NULL, &trap);
	sigaction(SIGSYS, NULL, &sys);
	printf("inherited: trap ignored %d, sys default %d, segv blocked %d, usr1 blocked %d\n",
			trap.sa_handler == SIG_IGN, sys.sa_handler == SIG_DFL, sigismember(&set, SIGSEGV),
			sigismember(&set, SIGUSR1));
	return 0;
}

int main(int argc, char **argv)
{
	sigset_t set;

	if (argc > 1 && !strcmp(argv[1], "inherited"))
		return inherited();
	setvbuf(stdout, NULL, _IOLBF, 0);
	heap = calloc(1000, sizeof *heap);
	bus();
	arithmetic();
	protection();
	stepping();
	nested();
	own_signals();
	suspended();
	descriptor();
	filter();
	if (argc == 1)
		return 0;
	signal(SIGTRAP, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGSEGV);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_SETMASK, &set, NULL);
	execl("/proc/self/exe", argv[0], "inherited", NULL);
	return 1;
}
