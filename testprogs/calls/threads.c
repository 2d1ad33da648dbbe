/* Threads that call, as many as its argument says; "thread=TID calls-of-leaf" for each, and all
 * counts. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "counted.h"

enum { WORKS, BRANCH, LEAF, NUMBER };

static struct counted counts[NUMBER] = { COUNT(works), COUNT(branch), COUNT(leaf) };
static volatile int sink;

OWN int leaf(int i)
{
	ENTER(LEAF);
	int result = sink ^ i;
	LEAVE(LEAF);
	return result;
}

OWN int branch(int depth)
{
	ENTER(BRANCH);
	int result = depth ? branch(depth - 1) + branch(depth - 1) : leaf(depth);
	LEAVE(BRANCH);
	return result;
}

OWN void *works(void *number)
{
	long rounds = (long)number;
	ENTER(WORKS);
	for (long i = 0; i < rounds; i++)
		branch(4);
	dprintf(1, "thread=%d %ld\n", gettid(), 16 * rounds);
	LEAVE(WORKS);
	return NULL;
}

int main(int argc, char **argv)
{
	long number = argc > 1 ? atol(argv[1]) : 2;
	pthread_t threads[64];
	for (long i = 0; i < number; i++)
		pthread_create(&threads[i], NULL, works, (void *)(7 + i));
	for (long i = 0; i < number; i++)
		pthread_join(threads[i], NULL);
	counts_print(counts, NUMBER);
	return 0;
}
