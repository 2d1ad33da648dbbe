/*
 * Threads on stacks of all origins: of the C library, which it keeps for the next thread; in the
 * midst of memory that the program has mapped; and a coroutine's in a block beside large ones. Each
 * function stores a known share of all, for as long as the program runs.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define MIB (1l << 20)
#define WORDS 100
#define STORES(name)                                     \
	__attribute__((noinline)) static void name(long *to) \
	{                                                    \
		for (int i = 0; i < WORDS; i++)                  \
			*(volatile long *)(to + i) = i;              \
	}

STORES(below)
STORES(between)
STORES(above)
STORES(first_block)
STORES(second_block)
STORES(common)
STORES(own_stack)
STORES(own_storage)

static char *mapped;
static long *blocks[2], words[WORDS];
static __thread long storage[WORDS];

static void *provided(void *unused)
{
	for (;;) {
		below((long *)(mapped + MIB));
		between((long *)(mapped + 6 * MIB));
		above((long *)(mapped + 12 * MIB));
		usleep(1000);
	}
	return unused;
}

static void *brief(void *unused)
{
	long local[WORDS];

	common(words);
	own_stack(local);
	own_storage(storage);
	return unused;
}

static void coroutine(void)
{
	pthread_t thread;

	puts("ready");
	fflush(stdout);
	for (;;) {
		first_block(blocks[0]);
		second_block(blocks[1]);
		pthread_create(&thread, NULL, brief, NULL);
		pthread_join(thread, NULL);
		usleep(500);
	}
}

int main(void)
{
	static ucontext_t here, there;
	pthread_attr_t attributes;
	pthread_t thread;

	mapped = mmap(NULL, 16 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_init(&attributes);
	for (int i = 2; i <= 8; i += 6) {
		pthread_attr_setstack(&attributes, mapped + i * MIB, MIB);
		if (pthread_create(&thread, &attributes, provided, NULL))
			return 1;
	}
	blocks[0] = malloc(8 * MIB);
	blocks[1] = malloc(8 * MIB);
	getcontext(&there);
	there.uc_stack.ss_size = 256 << 10;
	there.uc_stack.ss_sp = malloc(there.uc_stack.ss_size);
	makecontext(&there, coroutine, 0);
	return swapcontext(&here, &there);
}
