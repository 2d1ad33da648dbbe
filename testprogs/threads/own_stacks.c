/*
 * Threads on stacks of all origins, and memory that is none. A function for each stores to it, and
 * nothing else does. Of a stack that the C library or the kernel has mapped, its thread says where
 * it is: "stack", its start and its end, hexadecimal; "large" where something else is mapped later,
 * "child" in the other process.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define KIB 1024ul
#define MIB (KIB * KIB)
#define WORDS 50
#define STORES(name)                                     \
	__attribute__((noinline)) static void name(long *to) \
	{                                                    \
		for (int i = 0; i < WORDS; i++)                  \
			*(volatile long *)(to + i) = i;              \
	}

STORES(on_stack)
STORES(on_kept)
STORES(in_child)
STORES(on_heap)
STORES(on_static)
STORES(on_mapped)
STORES(beside)
STORES(again)

typedef void stores(long *to);

static char memory[96 * KIB] __attribute__((aligned(4096)));

static uintptr_t say(const char *what)
{
	pthread_attr_t attributes;
	void *start;
	size_t size;

	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &start, &size);
	pthread_attr_destroy(&attributes);
	printf("%s %lx %lx\n", what, (uintptr_t)start, (uintptr_t)start + size);
	return (uintptr_t)start;
}

static void *of_library(void *argument)
{
	long local[WORDS];

	say(argument == (void *)in_child ? "child" : "stack");
	((stores *)argument)(local);
	return NULL;
}

static void *given(void *argument)
{
	long local[WORDS];

	((stores *)argument)(local);
	return NULL;
}

static void run(void *work(void *), stores *argument, const pthread_attr_t *attributes)
{
	pthread_t thread;

	if (pthread_create(&thread, attributes, work, (void *)argument))
		exit(2);
	pthread_join(thread, NULL);
}

static void on(void *stack, stores *argument)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack, sizeof memory);
	run(given, argument, &attributes);
}

static void *map(void *wish, size_t size, int flags)
{
	char *p = mmap(wish, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	if (p == MAP_FAILED)
		exit(2);
	return p;
}

/* The child has its parent's stacks: the one that it goes on with, and those that are kept. */
static void *forks(void *argument)
{
	long local[WORDS];
	pid_t child = fork();

	if (!child) {
		in_child(local);
		run(of_library, in_child, NULL);
		exit(0);
	}
	return waitpid(child, NULL, 0) == child ? argument : (exit(2), NULL);
}

static uintptr_t large_start;

static void *large(void *argument)
{
	large_start = say("large");
	return argument;
}

/* The C library keeps no more than 40 MB: such a stack is mapped for one thread. */
static void map_again(void)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 64 * MIB);
	run(large, NULL, &attributes);
	again(map((void *)large_start, MIB, MAP_FIXED_NOREPLACE));
}

int main(void)
{
	char *block = aligned_alloc(4096, sizeof memory);

	setvbuf(stdout, NULL, _IOLBF, 0);
	say("stack");
	map_again();
	run(of_library, on_stack, NULL);
	for (int i = 0; i < 3; i++)
		run(of_library, on_kept, NULL);
	run(forks, NULL, NULL);
	on(block, on_heap);
	on(memory, on_static);
	on(map(NULL, sizeof memory, MAP_STACK), on_mapped);
	beside(map(NULL, MIB, MAP_STACK | MAP_NORESERVE));
	return 0;
}
