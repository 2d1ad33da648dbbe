/*
 * What a child takes over of signals, by the flags of clone(2), and what it must not change for its
 * parent: actions, masks, alternate stacks, pending signals. Prints one line a case.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK 65536

static volatile int *heap; /* traced; shared by children of CLONE_VM */
static char *stack;
static stack_t alternate;

static void on_signal(int number)
{
	heap[number]++;
}

static void on_other(int number)
{
	heap[number] += 100;
}

/* Handlers, masks and alternate stack, as they are asked for in front of each case. */
static void arrange(void)
{
	sigset_t set;

	for (int i = 0; i < 64; i++)
		heap[i] = 0;
	signal(SIGUSR1, on_signal);
	signal(SIGSEGV, on_signal);
	signal(SIGILL, on_signal);
	signal(SIGUSR2, SIG_IGN);
	signal(SIGTRAP, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGSYS);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_SETMASK, &set, NULL);
	sigaltstack(&alternate, NULL);
	heap[70]++;
}

static const char *name_of(int number)
{
	struct sigaction action;

	sigaction(number, NULL, &action);
	return action.sa_handler == SIG_DFL      ? "default"
			: action.sa_handler == SIG_IGN   ? "ignored"
			: action.sa_handler == on_signal ? "mine"
			: action.sa_handler == on_other  ? "other"
											 : "strange";
}

/* Into memory: a child that shares it must not use stdio. */
static void look(char *to, const char *who)
{
	sigset_t set;
	stack_t now;

	sigprocmask(SIG_BLOCK, NULL, &set);
	sigaltstack(NULL, &now);
	sprintf(to,
			"%s: USR1 %s, USR2 %s, SEGV %s, TRAP %s, ILL %s; blocked SYS %d HUP %d SEGV %d INT %d; "
			"alternate stack %s",
			who, name_of(SIGUSR1), name_of(SIGUSR2), name_of(SIGSEGV), name_of(SIGTRAP),
			name_of(SIGILL), sigismember(&set, SIGSYS), sigismember(&set, SIGHUP),
			sigismember(&set, SIGSEGV), sigismember(&set, SIGINT),
			now.ss_flags & SS_DISABLE              ? "none"
					: now.ss_sp == alternate.ss_sp ? "mine"
												   : "strange");
	sigpending(&set);
	sprintf(to + strlen(to), "; pending SYS %d HUP %d", sigismember(&set, SIGSYS),
			sigismember(&set, SIGHUP));
}

static char *notes; /* shared with every child */

static int child(void *changes)
{
	pid_t me = (pid_t)syscall(SYS_getpid);
	sigset_t set;
	stack_t none = { .ss_flags = SS_DISABLE };

	look(notes, "begins");
	heap[71]++;
	syscall(SYS_kill, me, SIGUSR1);
	if (*(int *)changes) {
		for (int i = 1; i <= 64; i++)
			signal(i, i % 2 ? SIG_DFL : on_other);
		sigemptyset(&set);
		sigaddset(&set, SIGINT);
		sigaddset(&set, SIGSEGV);
		sigprocmask(SIG_SETMASK, &set, NULL);
		syscall(SYS_kill, me, SIGSEGV);
		sigaltstack(&none, NULL);
		look(notes + 1000, "ends  ");
	}
	_exit(heap[SIGUSR1] % 100);
}

static void end(const char *name, pid_t pid)
{
	int status = 0;
	char text[1000];

	if (pid < 0) {
		printf("%s: %s\n", name, strerror(errno));
		return;
	}
	while (waitpid(pid, &status, __WALL) < 0 && errno == EINTR)
		;
	look(text, "parent");
	printf("%s: status %#x, own pid %d\n  %s\n  %s\n  %s\n", name, status,
			getpid() == (pid_t)syscall(SYS_getpid), notes, notes + 1000, text);
	for (int i = 1; i < 32; i++)
		if (!strcmp(name_of(i), "mine") || !strcmp(name_of(i), "ignored"))
			raise(i);
	printf("  then USR1 %d SEGV %d\n", heap[SIGUSR1], heap[SIGSEGV]);
	memset(notes, 0, 2000);
}

static void cloned(const char *name, int flags, int changes)
{
	arrange();
	raise(SIGHUP);
	raise(SIGSYS);
	end(name, clone(child, stack + STACK, flags | SIGCHLD, &changes));
	signal(SIGHUP, SIG_IGN); /* what is pending goes */
	signal(SIGHUP, SIG_DFL);
	signal(SIGSYS, SIG_IGN);
	signal(SIGSYS, SIG_DFL);
}

static void vforked(void)
{
	pid_t pid;
	int changes = 1;

	arrange();
	pid = vfork();
	if (pid == 0)
		child(&changes);
	end("vfork", pid);
}

/* clone3 has CLONE_CLEAR_SIGHAND, and no wrapper. */
static void clone_clear(const char *name, uint64_t flags)
{
	struct clone_args arguments = { .flags = flags | CLONE_CLEAR_SIGHAND, .exit_signal = SIGCHLD };
	long pid;

	arrange();
	/* in line: the child must not return over the parent's frames */
	__asm__ volatile("syscall"
					 : "=a"(pid)
					 : "0"((long)SYS_clone3), "D"(&arguments), "S"(sizeof arguments)
					 : "rcx", "r11", "memory");
	if (pid == 0) {
		look(notes, "begins");
		_exit(3);
	}
	errno = (int)-pid;
	end(name, (pid_t)pid);
}

static int nested_child(void *none)
{
	pid_t pid;
	int changes = 1, status;

	(void)none;
	signal(SIGUSR1, SIG_IGN);
	pid = clone(child, stack + STACK / 2, CLONE_VM | CLONE_VFORK | SIGCHLD, &changes);
	waitpid(pid, &status, 0);
	look(notes, "middle");
	_exit(7);
}

/* A process beside this one in the same memory: both take signals, and each has its own actions. */
static int beside_child(void *none)
{
	(void)none;
	signal(SIGUSR1, on_other);
	__atomic_store_n(&heap[80], 1, __ATOMIC_SEQ_CST);
	for (int i = 0; __atomic_load_n(&heap[81], __ATOMIC_SEQ_CST) == 0; i++)
		heap[82 + i % 8]++;
	syscall(SYS_kill, syscall(SYS_getpid), SIGUSR1);
	_exit(heap[SIGUSR1] >= 100);
}

static void beside(void)
{
	int status;
	pid_t pid;

	arrange();
	pid = clone(beside_child, stack + STACK, CLONE_VM | SIGCHLD, NULL);
	while (__atomic_load_n(&heap[80], __ATOMIC_SEQ_CST) == 0)
		heap[90]++;
	raise(SIGUSR1);
	printf("beside: USR1 %d times here", heap[SIGUSR1]);
	kill(pid, SIGUSR1);
	while (heap[SIGUSR1] < 101)
		heap[90]++;
	__atomic_store_n(&heap[81], 1, __ATOMIC_SEQ_CST);
	waitpid(pid, &status, 0);
	printf(", in all %d; its status %#x\n", heap[SIGUSR1], status);
}

static void spawned(void)
{
	char *const arguments[] = { "sh", "-c", "kill -USR2 $$; exit 4", NULL };
	posix_spawnattr_t attributes;
	sigset_t set;
	FILE *stream;
	pid_t pid;

	arrange();
	printf("system: %#x\n", (unsigned)system("exit 5"));
	stream = popen("exit 6", "r");
	printf("popen: %#x\n", (unsigned)pclose(stream));
	posix_spawnattr_init(&attributes);
	sigfillset(&set);
	posix_spawnattr_setsigdefault(&attributes, &set);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	if (posix_spawn(&pid, "/bin/sh", NULL, NULL, arguments, environ))
		return;
	end("posix_spawn, all default", pid);
	for (volatile int i = 0; i < 40; i++)
		heap[91] += WEXITSTATUS(system("exit 1"));
	printf("40 times: %d\n", heap[91]);
}

int main(void)
{
	heap = calloc(1000, sizeof *heap);
	notes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	stack = malloc(STACK);
	alternate = (stack_t){ .ss_sp = malloc(STACK), .ss_size = STACK };
	setvbuf(stdout, NULL, _IONBF, 0);
	for (int changes = 0; changes < 2; changes++) {
		cloned("fork", 0, changes);
		cloned("CLONE_VM", CLONE_VM, changes);
		cloned("CLONE_VM, CLONE_VFORK", CLONE_VM | CLONE_VFORK, changes);
		cloned("CLONE_VM, CLONE_SIGHAND", CLONE_VM | CLONE_SIGHAND, changes);
		cloned("CLONE_VM, CLONE_VFORK, CLONE_SIGHAND", CLONE_VM | CLONE_VFORK | CLONE_SIGHAND,
				changes);
	}
	vforked();
	clone_clear("clear, fork", 0);
	clone_clear("clear, vfork", CLONE_VM | CLONE_VFORK);
	clone_clear("clear, refused", CLONE_VM | CLONE_SIGHAND);
	arrange();
	end("nested", clone(nested_child, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL));
	beside();
	spawned();
	return 0;
}
