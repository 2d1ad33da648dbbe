/*
 * What instruments look at: arguments, results, branches, members, pointers that lead nowhere, and
 * threads. points THREADS CALLS: writes down how often what was called.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	int value;
	unsigned char kind;
	short weight;
	struct item *next;
	long sizes[4];
	char name[16];
};

static long calls;
static int threads;
static long entered[64];
static struct item *first;

__attribute__((noinline)) long add(long a, int b, const char *text)
{
	long sum = a + b;
	if (b % 3 == 0)
		sum *= 2;
	calls += text[0] == 'a';
	return sum;
}

__attribute__((noinline)) int weigh(struct item *item, unsigned deep)
{
	int weight = -1;
	if (item)
		weight = item->weight;
	if (deep && item)
		weight += weigh(item->next, deep - 1);
	return weight;
}

__attribute__((noinline)) int step(int number)
{
	__asm__ volatile("");
	return number & 7;
}

static void *work(void *which)
{
	long *count = which;
	for (long i = 0; i < calls; i++) {
		++*count;
		step((int)i);
	}
	return NULL;
}

__attribute__((noinline)) static struct item *make(int value, struct item *next)
{
	struct item *item = calloc(1, sizeof *item);
	item->value = -value;
	item->kind = (unsigned char)(200 + value);
	item->weight = (short)(value * -100);
	item->next = next;
	item->sizes[value % 4] = 1L << (value + 30);
	snprintf(item->name, sizeof item->name, "item %d", value);
	return item;
}

int main(int count, char **arguments)
{
	pthread_t thread[64];
	long sum = 0;
	threads = count > 1 ? atoi(arguments[1]) : 1;
	for (int i = 0; i < 20; i++) {
		first = make(i, first);
		sum += add(i * 100L, i, i % 2 ? "a" : "b");
		sum += weigh(first, (unsigned)i);
	}
	calls = count > 2 ? atol(arguments[2]) : 10;
	for (int i = 0; i < threads; i++)
		pthread_create(&thread[i], NULL, work, &entered[i]);
	for (int i = 0; i < threads; i++) {
		pthread_join(thread[i], NULL);
		printf("step %ld\n", entered[i]);
	}
	printf("sum %ld\n", sum);
	return 0;
}

/* Never called: what it is given has bit-fields. */
struct flags {
	unsigned low : 3;
	int whole;
};

__attribute__((noinline)) int flagged(struct flags *flags)
{
	return flags->whole + (int)flags->low;
}
