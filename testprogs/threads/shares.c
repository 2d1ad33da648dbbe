/*
 * Two threads whose one instruction loads words of four arrays at random, of some more often than
 * of others: half of all, a quarter, and so on. Prints how often each array was loaded.
 *
 * shares ROUNDS
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS 512
#define ARRAYS 4
#define THREADS 2

static long hot[WORDS], warm[WORDS], cool[WORDS], cold[WORDS];
static long rounds;
static long loads[THREADS][ARRAYS];

__attribute__((noinline)) static long load(const long *word)
{
	long value;

	__asm__ volatile("movq %1, %0" : "=r"(value) : "m"(*word));
	return value;
}

static void *draw(void *of)
{
	uint64_t random = 88172645463325252u + (uintptr_t)of;
	long counts[ARRAYS] = { 0 }, count = rounds, sum = 0;

	for (long i = 0; i < count; i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		unsigned part = random >> 60;
		unsigned which = part < 8 ? 0 : part < 12 ? 1 : part < 14 ? 2 : 3;
		const long *array = which == 0 ? hot : which == 1 ? warm : which == 2 ? cool : cold;
		counts[which]++;
		sum += load(array + random % WORDS);
	}
	for (int which = 0; which < ARRAYS; which++)
		loads[(uintptr_t)of][which] = counts[which];
	return (void *)sum;
}

int main(int argc, char **argv)
{
	static const char *const names[ARRAYS] = { "hot", "warm", "cool", "cold" };
	pthread_t threads[THREADS];

	rounds = argc > 1 ? atol(argv[1]) : 1000;
	for (uintptr_t i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, draw, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int which = 0; which < ARRAYS; which++)
		printf("%s %ld\n", names[which], loads[0][which] + loads[1][which]);
	return 0;
}
