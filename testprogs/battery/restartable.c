/* Restartable sequences: done, and aborted by a signal, with descriptors of the module, the stack and the heap. */
/* flags: -O1 */
#define _GNU_SOURCE
#include <linux/rseq.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

static volatile int alarms;
static long counter;

/* (struct rseq *, struct rseq_cs *, long *, int waits): 0 if it is done, else 1 */
int bare(void *area, const void *descriptor, long *at, int waits);
int described(void *area, const void *descriptor, long *at, int waits);
extern const char bare_start[], bare_end[], bare_abort[];
extern struct rseq_cs described_cs;

#define SEQUENCE(name)                           \
	".globl " #name "\n"                         \
	".type " #name ", @function\n" #name ":\n"   \
	".cfi_startproc\n"                           \
	"	mov %rsi, 8(%rdi)\n"                       \
	".globl " #name "_start\n" #name "_start:\n" \
	"	incq (%rdx)\n"                             \
	"1:	test %ecx, %ecx\n"                       \
	"	jne 1b\n"                                  \
	".globl " #name "_end\n" #name "_end:\n"     \
	"	movq $0, 8(%rdi)\n"                        \
	"	xor %eax, %eax\n"                          \
	"	ret\n"                                     \
	"	.long 0x53053053\n"                        \
	".globl " #name "_abort\n" #name "_abort:\n" \
	"	addq $0, (%rdx)\n"                         \
	"	mov $1, %eax\n"                            \
	"	ret\n"                                     \
	".cfi_endproc\n"                             \
	".size " #name ", . - " #name "\n"

__asm__(".text\n" SEQUENCE(bare) SEQUENCE(
		described) ".pushsection __rseq_cs, \"aw\"\n"
				   ".p2align 5\n"
				   ".globl described_cs\n"
				   "described_cs:\n"
				   "	.long 0, 0\n"
				   "	.quad described_start, described_end - described_start, described_abort\n"
				   ".popsection\n");

static void on_alarm(int signal)
{
	(void)signal;
	alarms++;
}

/* Repeats a sequence until it is done: what it accesses may abort it, and a preemption. */
static int repeat(int (*sequence)(void *, const void *, long *, int), void *area,
		const void *descriptor)
{
	for (int i = 0; i < 1000; i++)
		if (!sequence(area, descriptor, &counter, 0))
			return i < 900;
	return 0;
}

static int interrupt(int (*sequence)(void *, const void *, long *, int), void *area,
		const void *descriptor)
{
	struct itimerval soon = { .it_value = { .tv_usec = 20000 } };
	int aborted;

	alarms = 0;
	setitimer(ITIMER_REAL, &soon, NULL);
	do
		aborted = sequence(area, descriptor, &counter, 1);
	while (!alarms);
	return aborted;
}

static void all(const char *where, int (*sequence)(void *, const void *, long *, int), void *area,
		const void *descriptor)
{
	int done = repeat(sequence, area, descriptor);
	int aborted = interrupt(sequence, area, descriptor);

	printf("%s: done %d, aborted %d, alarms %d, done %d\n", where, done, aborted, alarms,
			repeat(sequence, area, descriptor));
}

int main(void)
{
	struct rseq_cs stack = { 0 }, *heap = aligned_alloc(4096, 4096);
	void *area = NULL;

	if (&__rseq_size && __rseq_size)
		area = (char *)__builtin_thread_pointer() + __rseq_offset;
	if (!area) {
		printf("no rseq\n");
		return 0;
	}
	signal(SIGALRM, on_alarm);
	stack.start_ip = (unsigned long)bare_start;
	stack.post_commit_offset = (unsigned long)(bare_end - bare_start);
	stack.abort_ip = (unsigned long)bare_abort;
	memset(heap, 0, sizeof *heap);
	*(volatile unsigned long *)&heap->start_ip = stack.start_ip;
	*(volatile unsigned long *)&heap->post_commit_offset = stack.post_commit_offset;
	*(volatile unsigned long *)&heap->abort_ip = stack.abort_ip;
	all("section", described, area, &described_cs);
	all("stack", bare, area, &stack);
	all("heap", bare, area, heap);
	printf("counted: %d\n", counter > 4);
	return 0;
}
