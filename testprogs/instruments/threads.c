/*
 * Variables that each thread has for itself. Writes what they are whenever they are about to change,
 * and then how often a condition held.
 */
#include <pthread.h>
#include <stdio.h>

struct node {
	long id;
	struct node *next;
	const char *name;
};

#ifdef LIBRARY
static
#endif
		__thread int mine = 5;
static __thread char word[16] = "ab";
static __thread struct node node = { 7, NULL, "seven" };
static __thread long rows[3] __attribute__((aligned(64)));
static __thread unsigned char few = 250;
static int large;

__attribute__((noinline)) static int count(int step)
{
	static __thread short calls;

	printf("%d %d \"%s\" %ld %ld %d %d \"%s\"\n", mine, word[0], word, node.id, rows[1], calls, few,
			node.name);
	large += mine > 10 && rows[1] < 40;
	calls++;
	few++;
	mine += step;
	word[0]++;
	node.id--;
	rows[1] += mine;
	node.next = &node;
	__asm__ volatile("" : : "r"(&node), "r"(rows) : "memory");
	return calls;
}

static void *work(void *step)
{
	for (int i = 0; i < 8; i++)
		count(*(int *)step);
	return NULL;
}

#ifdef LIBRARY
void begin(void)
#else
int main(void)
#endif
{
	static int steps[] = { 10, 1, 2 };
	pthread_t thread;

	for (int i = 0; i < 2; i++) {
		pthread_create(&thread, NULL, work, &steps[i]);
		pthread_join(thread, NULL);
	}
	work(&steps[2]);
	printf("%d\n", large);
#ifndef LIBRARY
	return 0;
#endif
}
