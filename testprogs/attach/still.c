/*
 * Eight threads that wait, and a first one that reads a word from its standard input: for each, it
 * makes a page of the C library's text its own, which stays what it is. It ends where the input does.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define THREADS 8
#define PAGE 4096ul

static void *rest(void *unused)
{
	(void)unused;
	while (1)
		pause();
	return NULL;
}

int main(void)
{
	volatile uint8_t *text = (volatile uint8_t *)((uintptr_t)&qsort & ~(PAGE - 1));
	pthread_t thread;

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, rest, NULL) != 0)
			return 1;
	while (1) {
		puts("ready");
		fflush(stdout);
		if (getchar() == EOF)
			return 0;
		if (mprotect((void *)text, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
			return 1;
		*text = *text;
		mprotect((void *)text, PAGE, PROT_READ | PROT_EXEC);
	}
}
