/*
 * The target's own use of GS, whose base is 0 in a 64-bit program until it sets another
 * (arch_prctl(2)): addresses are what they are without the prefix, and lead nowhere where they lead
 * nowhere. Prints one line a case.
 */
#define _GNU_SOURCE
#include <asm/prctl.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

static volatile long *heap;
static long *block; /* what GS is to lead to */
static sigjmp_buf back;
static volatile long value, seen_address, seen_code, seen_byte, alarms;

static void on_fault(int number, siginfo_t *info, void *raw)
{
	(void)number;
	seen_address = (long)info->si_addr;
	seen_code = info->si_code;
	seen_byte = *(unsigned char *)((ucontext_t *)raw)->uc_mcontext.gregs[REG_RIP];
	heap[0]++;
	siglongjmp(back, 1);
}

static void on_alarm(int number)
{
	(void)number;
	alarms++;
	heap[1]++;
}

#define TRY(what, ...)                                                                    \
	do {                                                                                  \
		if (!sigsetjmp(back, 1)) {                                                        \
			value = 0;                                                                    \
			__VA_ARGS__;                                                                  \
			printf("%s: %ld\n", what, value);                                             \
		} else {                                                                          \
			printf("%s: fault at %#lx, code %ld, instruction %#lx\n", what, seen_address, \
					seen_code, seen_byte);                                                \
		}                                                                                 \
	} while (0)

static void nowhere(void)
{
	TRY("gs:0", __asm__ volatile("movq %%gs:0, %0" : "=r"(value)));
	TRY("gs:0x10", __asm__ volatile("movq %%gs:0x10, %0" : "=r"(value)));
	TRY("gs:-8", __asm__ volatile("movq %%gs:-8, %0" : "=r"(value)));
	TRY("gs:128", __asm__ volatile("movl $1, %%gs:128" : : : "memory"));
	TRY("gs:(reg)", __asm__ volatile("movb %%gs:(%1), %b0" : "=r"(value) : "r"(0x1234L)));
	TRY("gs:(strange)",
			__asm__ volatile("movb %%gs:(%1), %b0"
							 : "=r"(value)
							 : "r"(0x1234567812345678L)));
	TRY("call", __asm__ volatile("call *%%gs:8" : "=r"(value)));
	TRY("push", __asm__ volatile("pushq %%gs:24\n\tpopq %0" : "=r"(value)));
}

static long called(void)
{
	heap[2]++;
	return heap[2];
}

static void somewhere(void)
{
	long local = 77, *own = malloc(800), result;
	char text[16] __attribute__((aligned(16))) = "abcdefghijklmno", copy[16] = "";
	long (*function)(void) = called;

	own[3] = 5;
	TRY("heap", __asm__ volatile("movq %%gs:24(%1), %0" : "=r"(value) : "r"(own) : "memory"));
	TRY("stack", __asm__ volatile("movq %%gs:(%1), %0" : "=r"(value) : "r"(&local) : "memory"));
	TRY("static", __asm__ volatile("movq %%gs:(%1), %0" : "=r"(value) : "r"(&alarms) : "memory"));
	TRY("store",
			__asm__ volatile("movq %1, %%gs:(%2)"
							 : "+r"(value)
							 : "r"(99L), "r"(&own[4])
							 : "memory"));
	TRY("modify",
			__asm__ volatile("lock xaddq %0, %%gs:(%1)"
							 : "+r"(value)
							 : "r"(&own[4])
							 : "memory"));
	TRY("half", __asm__ volatile("movzwl %%gs:(%1), %k0" : "=r"(value) : "r"(&own[4]) : "memory"));
	TRY("vector",
			__asm__ volatile("movups %%gs:(%0), %%xmm0\n\tmovups %%xmm0, %%gs:(%1)"
							 :
							 : "r"(text), "r"(copy)
							 : "xmm0", "memory"));
	printf("copied %s, stored %ld\n", copy, own[4]);
	memset(copy, 0, sizeof copy);
	TRY("string", long count = 15; const char *from = text; char *to = copy;
			__asm__ volatile("rep movsb %%gs:(%%rsi), (%%rdi)"
							 : "+S"(from), "+D"(to), "+c"(count)
							 :
							 : "memory");
			value = count);
	printf("copied %s\n", copy);
	__asm__ volatile("subq $136, %%rsp\n\tcall *%%gs:(%1)\n\taddq $136, %%rsp"
					 : "=a"(result)
					 : "r"(&function)
					 : "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "memory", "cc");
	printf("called %ld\n", result);
	__asm__ volatile("pushq %%gs:(%1)\n\tpopq %0" : "=r"(result) : "r"(&own[3]) : "memory");
	printf("pushed %ld\n", result);
	for (volatile int i = 0; i < 1000; i++)
		__asm__ volatile("addq $1, %%gs:(%0)" : : "r"(&own[5]) : "memory");
	printf("counted %d\n", own[5] >= 1000);
}

static void base(const char *what)
{
	unsigned long now = 1;
	long result = syscall(SYS_arch_prctl, ARCH_GET_GS, &now);

	printf("%s: base %s (%ld)\n", what,
			now == 0                              ? "0"
					: now == (unsigned long)block ? "mine"
												  : "strange",
			result);
	TRY(what, __asm__ volatile("movq %%gs:16, %0" : "=r"(value)));
}

static void *thread(void *none)
{
	base("in a thread");
	syscall(SYS_arch_prctl, ARCH_SET_GS, &block[1]);
	TRY("own base", __asm__ volatile("movq %%gs:16, %0" : "=r"(value)));
	return none;
}

static void bases(void)
{
	struct itimerval often = { { 0, 500 }, { 0, 500 } }, none = { { 0, 0 }, { 0, 0 } };
	pthread_t number;
	int status;
	pid_t pid;
	long sum = 0;

	base("at first");
	printf("set %ld\n", syscall(SYS_arch_prctl, ARCH_SET_GS, block));
	base("set");
	printf("set beyond user space %ld %d\n", syscall(SYS_arch_prctl, ARCH_SET_GS, 0x800000000000),
			errno);
	base("still");
	pthread_create(&number, NULL, thread, NULL);
	pthread_join(number, NULL);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		base("in a child");
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	while (alarms < 20) {
		__asm__ volatile("movq %%gs:24, %0" : "=r"(value));
		sum |= value;
		heap[9]++;
	}
	setitimer(ITIMER_REAL, &none, NULL);
	printf("with signals %ld, status %#x\n", sum, status);
	syscall(SYS_arch_prctl, ARCH_SET_GS, 0);
	base("none");
}

int main(void)
{
	struct sigaction action;

	heap = calloc(1000, sizeof *heap);
	block = calloc(1000, sizeof *block);
	for (int i = 0; i < 1000; i++)
		block[i] = i;
	setvbuf(stdout, NULL, _IONBF, 0);
	memset(&action, 0, sizeof action);
	action.sa_sigaction = on_fault;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	nowhere();
	somewhere();
	bases();
	return 0;
}
