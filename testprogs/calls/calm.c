/*
 * Calls `busy` as often as it can, in two threads, and `seldom` once for every 200 µs or more of
 * that; in the end a child does the same for a while. It prints how often each process called them,
 * and the first byte of both functions, which is that of a jump while they are recorded.
 *
 *   BUSY SELDOM BYTE BYTE
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
#define ROUND_NANOS 200000
#define BURST 1000

static unsigned long busy_count[2], seldom_count[2];
static int rounds;

static long nanos(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000 + now.tv_nsec;
}

ALONE void busy(unsigned long *count)
{
	*count += 1;
	__asm__ volatile("nopl 8(%rax)"); /* room for a jump */
}

ALONE void seldom(unsigned long *count)
{
	*count += 1;
	__asm__ volatile("nopl 8(%rax)"); /* room for a jump */
}

static void (*volatile const functions[])(unsigned long *) = { busy, seldom };

static unsigned first_byte(int function)
{
	return *(const unsigned char *)functions[function];
}

static void *work(void *number)
{
	unsigned long *busy_calls = &busy_count[(long)number];
	unsigned long *seldom_calls = &seldom_count[(long)number];

	for (int i = 0; i < rounds; i++) {
		long begin = nanos();

		do {
			for (int k = 0; k < BURST; k++)
				busy(busy_calls);
		} while (nanos() - begin < ROUND_NANOS);
		seldom(seldom_calls);
	}
	return NULL;
}

static void work_and_tell(void)
{
	pthread_t other;

	for (int i = 0; i < 2; i++)
		busy_count[i] = seldom_count[i] = 0;
	pthread_create(&other, NULL, work, (void *)1);
	work((void *)0);
	pthread_join(other, NULL);
	printf("%lu %lu %02x %02x\n", busy_count[0] + busy_count[1], seldom_count[0] + seldom_count[1],
			first_byte(0), first_byte(1));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	pid_t child;

	rounds = argc > 1 ? atoi(argv[1]) : 5000;
	work_and_tell();
	child = fork();
	if (child == 0) {
		rounds /= 4;
		work_and_tell();
		return 0;
	}
	waitpid(child, NULL, 0);
	return 0;
}
