/*
 * System calls by `int $0x80` in a 64-bit program: numbers and structures of i386, pointers below 4
 * GiB. Prints one line a case. With an argument, one call for which MadT leaves the program:
 * execute, ignore, clone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

/* Linux arch/x86/entry/syscalls/syscall_32.tbl */
enum {
	I386_EXIT = 1,
	I386_FORK = 2,
	I386_READ = 3,
	I386_WRITE = 4,
	I386_OPEN = 5,
	I386_CLOSE = 6,
	I386_WAITPID = 7,
	I386_EXECVE = 11,
	I386_GETPID = 20,
	I386_PAUSE = 29,
	I386_KILL = 37,
	I386_PIPE = 42,
	I386_BRK = 45,
	I386_DUP2 = 63,
	I386_MUNMAP = 91,
	I386_WAIT4 = 114,
	I386_CLONE = 120,
	I386_UNAME = 122,
	I386_MPROTECT = 125,
	I386_LLSEEK = 140,
	I386_WRITEV = 146,
	I386_NANOSLEEP = 162,
	I386_MREMAP = 163,
	I386_SIGACTION = 174,
	I386_SIGPROCMASK = 175,
	I386_VFORK = 190,
	I386_MMAP2 = 192,
	I386_FSTAT64 = 197,
	I386_GETTID = 224,
	I386_EXIT_GROUP = 252
};

static uint32_t *area; /* what the calls point to */
static int changed;    /* registers that are not as before */

static long call6(long number, long a, long b, long c, long d, long e, long f)
{
	long result, r8 = 8, r9 = 9, r10 = 10, r11 = 11, after[4];

	__asm__ volatile(
			"movq %[r8], %%r8; movq %[r9], %%r9; movq %[r10], %%r10; movq %[r11], %%r11\n\t"
			"pushq %%rbp; movq %[f], %%rbp; int $0x80; popq %%rbp\n\t"
			"movq %%r8, %[o8]; movq %%r9, %[o9]; movq %%r10, %[o10]; movq %%r11, %[o11]"
			: "=a"(result), "+c"(b), "+d"(c), "+S"(d), "+D"(e), [o8] "=&m"(after[0]),
			[o9] "=&m"(after[1]), [o10] "=&m"(after[2]), [o11] "=&m"(after[3])
			: "a"(number),
			"b"(a), [f] "r"(f), [r8] "i"(8), [r9] "i"(9), [r10] "i"(10), [r11] "i"(11)
			: "r8", "r9", "r10", "r11", "memory", "cc");
	changed += after[0] != r8 || after[1] != r9 || after[2] != r10 || after[3] != r11;
	return result;
}
#define CALL(number, ...) CALL_(number, __VA_ARGS__, 0, 0, 0, 0, 0, 0)
#define CALL_(number, a, b, c, d, e, f, ...) \
	call6(number, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

static void touch(void)
{
	for (int i = 0; i < 64; i++)
		area[4096 + i * 8]++;
}

/* ---------------------------------------------------------------- files */

static void files(void)
{
	char *text = (char *)area;
	uint32_t *vector = area + 1024;
	long fd;

	strcpy(text, "written\n");
	fflush(stdout);
	printf("write %ld\n", CALL(I386_WRITE, 1, text, 8));
	printf("bad pointers %ld %ld\n", CALL(I386_WRITE, 1, 16, 8), CALL(I386_READ, 0, 16, 0));
	printf("bad number %ld, bad descriptor %ld\n", CALL(9999, 0), CALL(I386_WRITE, 1000, text, 8));
	strcpy(text, "/proc/self/stat");
	fd = CALL(I386_OPEN, text, O_RDONLY, 0);
	printf("open %d, read %ld\n", fd > 2, CALL(I386_READ, fd, text + 100, 3));
	CALL(I386_DUP2, fd, 70);
	printf("close %ld", CALL(I386_CLOSE, fd));
	printf(", again %ld, dup %ld\n", CALL(I386_CLOSE, fd), CALL(I386_CLOSE, 70));
	printf("pipe %ld\n", CALL(I386_PIPE, area));
	strcpy(text + 100, "one");
	strcpy(text + 200, "two");
	vector[0] = (uint32_t)(uintptr_t)text + 100;
	vector[2] = (uint32_t)(uintptr_t)text + 200;
	vector[1] = vector[3] = 3;
	printf("writev %ld\n", CALL(I386_WRITEV, area[1], vector, 2));
	printf("read %ld", CALL(I386_READ, area[0], text + 300, 100));
	printf(" %.6s\n", text + 300);
	printf("fstat64 %ld", CALL(I386_FSTAT64, area[0], area + 2048));
	printf(", mode %#x\n", area[2048 + 4]);
	printf("seek %ld\n", CALL(I386_LLSEEK, area[0], 0, 0, area + 2048, 0));
	close((int)area[0]);
	close((int)area[1]);
	printf("uname %ld", CALL(I386_UNAME, text));
	printf(" %s\n", ((struct utsname *)text)->sysname);
}

/* ---------------------------------------------------------------- mappings */

static void mappings(void)
{
	long at = CALL(I386_MMAP2, 0, 5 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			0);
	volatile uint32_t *word = (uint32_t *)at;

	printf("mapped low %d\n", at > 0 && at < 1L << 32);
	for (int i = 0; i < 5 * 1024; i += 16)
		word[i] = (uint32_t)i;
	printf("protect %ld\n", CALL(I386_MPROTECT, at, 4096, PROT_READ));
	for (int i = 0; i < 5 * 1024; i += 16)
		word[1024] += word[i];
	printf("read-only %ld\n", CALL(I386_PIPE, at));
	CALL(I386_MPROTECT, at, 4096, PROT_READ | PROT_WRITE);
	at = CALL(I386_MREMAP, at, 5 * 4096, 9 * 4096, MREMAP_MAYMOVE);
	word = (uint32_t *)at;
	word[1024 * 8] = word[1024];
	printf("moved %d, sum %u\n", at > 0, word[1024 * 8]);
	printf("unmap %ld\n", CALL(I386_MUNMAP, at, 9 * 4096));
	printf("break %d\n", CALL(I386_BRK, 0) != 0);
}

/* ---------------------------------------------------------------- processes and threads */

static int waited(long pid)
{
	area[0] = 0;
	if (CALL(I386_WAITPID, pid, area, 0) != pid)
		return -1;
	return (int)area[0];
}

static void processes(void)
{
	uint32_t result;
	long pid;

	printf("getpid %d\n", CALL(I386_GETPID, 0) == getpid());
	fflush(stdout);
	pid = CALL(I386_FORK, 0);
	if (pid == 0) {
		touch();
		CALL(I386_EXIT_GROUP, CALL(I386_GETPID, 0) == getpid() ? 23 : 24);
	}
	touch();
	printf("fork %#x\n", waited(pid));
	pid = fork();
	if (pid == 0)
		CALL(I386_EXIT, 25);
	printf("exit %#x", waited(pid));
	printf(", wait4 %d\n", CALL(I386_WAIT4, -1, area, 0, 0) == -ECHILD);
	__asm__ volatile(
			"int $0x80; testl %%eax, %%eax; jnz 1f; movl $1, %%eax; movl $26, %%ebx; int $0x80; 1:"
			: "=a"(result)
			: "a"(I386_VFORK), "b"(0)
			: "memory", "cc", "rcx");
	printf("vfork %#x\n", waited(result));
}

static void *thread(void *word)
{
	touch();
	*(int *)word = CALL(I386_GETTID, 0) == syscall(SYS_gettid);
	CALL(I386_EXIT, 0);
	return NULL;
}

static void threads(void)
{
	pthread_t id;
	int word;

	for (int i = 0; i < 5; i++) {
		word = 0;
		pthread_create(&id, NULL, thread, &word);
		pthread_join(id, NULL);
		printf("thread %d\n", word);
	}
}

/* ---------------------------------------------------------------- signals */

static volatile long handled;

static void on_signal(int number)
{
	handled += number;
	touch();
}

static void alarm_soon(int flags)
{
	struct sigaction action;
	struct itimerval soon = { .it_value = { 0, 20000 } };

	memset(&action, 0, sizeof action);
	action.sa_handler = on_signal;
	action.sa_flags = flags;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
}

static void signals(void)
{
	char *text = (char *)area;
	int ends[2];
	pid_t pid;

	alarm_soon(0);
	printf("pause %ld", CALL(I386_PAUSE, 0));
	printf(", handled %ld\n", handled);
	alarm_soon(0);
	area[0] = 30;
	area[1] = area[2] = area[3] = 0;
	printf("nanosleep %ld", CALL(I386_NANOSLEEP, area, area + 2));
	printf(", left %d, handled %ld\n", area[2] == 29, handled);
	if (pipe(ends))
		return;
	alarm_soon(SA_RESTART);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		usleep(100000);
		_exit(write(ends[1], "later", 5) != 5);
	}
	printf("read %ld", CALL(I386_READ, ends[0], text, 10));
	printf(" %.5s, handled %ld\n", text, handled);
	waitpid(pid, NULL, 0);
	signal(SIGUSR1, on_signal);
	memset(area, 0xff, 8);
	printf("block %ld\n", CALL(I386_SIGPROCMASK, SIG_BLOCK, area, area + 2, 8));
	printf("kill %ld", CALL(I386_KILL, getpid(), SIGUSR1));
	printf(", handled %ld, mask before %#x\n", handled, area[2]);
	area[0] = area[1] = 0;
	printf("unblock %ld, ", CALL(I386_SIGPROCMASK, SIG_SETMASK, area, area + 2, 8));
	printf("handled %ld, mask before %#x %#x\n", handled, area[2], area[3]);
}

/* ---------------------------------------------------------------- calls for which MadT leaves */

static void execute(void)
{
	char *text = (char *)area;

	strcpy(text, "/bin/sh");
	strcpy(text + 20, "-c");
	strcpy(text + 40,
			"echo executed; env | grep -c MADT; cat /proc/self/status | grep 'Sig[^QP]'; exit 4");
	area[100] = (uint32_t)(uintptr_t)text;
	area[101] = area[100] + 20;
	area[102] = area[100] + 40;
	area[103] = area[110] = 0;
	signal(SIGSEGV, SIG_IGN);
	puts("done: execute");
	fflush(stdout);
	CALL(I386_EXECVE, text, area + 100, area + 110);
}

/* { handler, flags, restorer, mask } of 20 bytes */
static void ignore(void)
{
	memset(area, 0, 40);
	area[0] = 1;
	printf("sigaction %ld", CALL(I386_SIGACTION, SIGSEGV, area, area + 10, 8));
	printf(", before %u; raise %d, ", area[10], raise(SIGSEGV));
	memset(area, 0, 20);
	printf("back %ld, ", CALL(I386_SIGACTION, SIGSEGV, area, area + 10, 8));
	printf("before %u\ndone: ignore\n", area[10]);
}

static void clones(void)
{
	long pid;

	fflush(stdout);
	pid = CALL(I386_CLONE, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0) {
		touch();
		_exit(31);
	}
	printf("clone %#x\ndone: clone\n", waited(pid));
}

static void none_there(int number)
{
	static const char text[] = "this kernel has no calls of i386\n";

	(void)number;
	_exit(write(1, text, sizeof text - 1) < 0);
}

/* Ends the program where a kernel was built without them: the instruction faults then. */
static void are_there(void)
{
	signal(SIGSEGV, none_there);
	CALL(I386_GETPID, 0);
	signal(SIGSEGV, SIG_DFL);
}

int main(int argc, char **argv)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	area = mmap(NULL, 1 << 17, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1,
			0);
	for (int i = 0; i < 20; i++)
		touch();
	are_there();
	if (argc > 1 && !strcmp(argv[1], "execute"))
		execute();
	if (argc > 1 && !strcmp(argv[1], "ignore"))
		ignore();
	if (argc > 1 && !strcmp(argv[1], "clone"))
		clones();
	if (argc > 1 && strcmp(argv[1], "exec"))
		return 0;
	files();
	mappings();
	processes();
	threads();
	signals();
	printf("changed registers: %d\n", changed);
	fflush(stdout);
	CALL(I386_EXIT_GROUP, 5);
}
