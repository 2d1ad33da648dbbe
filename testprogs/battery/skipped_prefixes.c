/* A lock prefix that is jumped over while there is one thread, by several threads and by signals. */
/* flags: -O1 -pthread */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/time.h>

#define TIMES 2000

static long counter, single;
static atomic_int alarms; /* handlers run on several threads at once */

/* (long *, int locks): lock is skipped without */
void count(long *at, int locks);
__asm__(".text\n"
		".globl count\n"
		".type count, @function\n"
		"count:\n"
		".cfi_startproc\n"
		"	test %esi, %esi\n"
		"	je 1f\n"
		"	lock\n"
		"1:	addq $1, (%rdi)\n"
		"	mov (%rdi), %rax\n"
		"	test %rax, %rax\n"
		"	js 2f\n"
		"	.byte 0x66\n" /* of the next, 16 bits of it */
		"2:	testl $0x90909090, (%rdi)\n"
		"	nop\n"
		"	nop\n"
		"	ret\n"
		".cfi_endproc\n"
		".size count, . - count\n");

static void on_alarm(int signal)
{
	(void)signal;
	alarms++;
	count(&counter, 1);
}

static void *work(void *unused)
{
	for (int i = 0; i < TIMES; i++)
		count(&counter, 1);
	return unused;
}

int main(void)
{
	struct itimerval often = { { 0, 3000 }, { 0, 3000 } }, never = { { 0, 0 }, { 0, 0 } };
	pthread_t threads[3];

	for (int i = 0; i < TIMES; i++)
		count(&single, 0);
	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	printf("%ld, %ld\n", single, counter - alarms);
	return 0;
}
