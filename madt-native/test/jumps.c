/*
 * Leaves interposed functions by siglongjmp and by cancellation, again and again; what comes first
 * afterwards must be recorded like everything else.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sigjmp_buf back;
static volatile int left;

static void on_fault(int number)
{
	(void)number;
	left++;
	siglongjmp(back, 1);
}

static char *block;
static int pipes[2];

static void clean(void *number)
{
	memset(block, 3, 7010 + (size_t)number);
}

/* Cancelled before it reads: read(2) unwinds from within, and no signal handler lies between. */
static void *reader(void *number)
{
	char byte;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pthread_cancel(pthread_self());
	pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	pthread_cleanup_push(clean, number);
	if (read(pipes[0], &byte, 1) < 0)
		left = 1000;
	pthread_cleanup_pop(0);
	return NULL;
}

int main(void)
{
	pthread_t thread;
	void *volatile nowhere = (void *)16;

	block = malloc(8192);
	if (pipe(pipes))
		return 1;
	signal(SIGSEGV, on_fault);
	for (volatile int i = 0; i < 9; i++) {
		if (!sigsetjmp(back, 1))
			memcpy(block, nowhere, 4000);
		if (i % 3 == 0)
			memset(block, i, 7001 + (size_t)i); /* a W of 7,001 bytes and more */
		else if (i % 3 == 1)
			free(malloc(6001 + (size_t)i)); /* an M of 6,001 and more */
		else
			block[5000 + i] = 1;
	}
	for (long i = 0; i < 3; i++) {
		pthread_create(&thread, NULL, reader, (void *)i);
		pthread_join(thread, NULL);
	}
	printf("left %d times\n", left);
	return 0;
}
