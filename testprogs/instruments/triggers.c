/*
 * Eight threads come to triggers, and say how often, and with which values: triggers COUNT [tell].
 * With "tell", a line for each trigger of the first thread.
 */
#include <madt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 8

static const char *const words[] = { "one", "two", "three" };
static long count, steps[THREADS], sums[THREADS], halves[THREADS];
static int telling;

static __inline__ void half(long number, long i)
{
	if (i % 2)
		return;
	MADT_EVENT(half, number, words[i % 3]);
	halves[number]++;
	if (telling && number == 0)
		printf("half(0, \"%s\")\n", words[i % 3]);
}

static void *work(void *own)
{
	long number = (long)own, i;
	char text[24];

	for (i = 0; i < count; i++) {
		short low = (short)(i - 3);
		unsigned char byte = (unsigned char)(250 + i);
		double eighth = (double)i / 8;
		float negative = -0.5f - (float)i;

		snprintf(text, sizeof text, "t%ld", i);
		MADT_EVENT(step, i, low, byte, eighth, negative, text);
		steps[number]++;
		sums[number] += i;
		if (telling && number == 0)
			printf("step(%ld, %d, %d, %.3f, %.1f, \"%s\")\n", i, low, byte, eighth,
					(double)negative, text);
		half(number, i);
		half(number, i + 1);
	}
	return NULL;
}

int main(int arguments, char **argument)
{
	pthread_t threads[THREADS];
	long i, all = 0, sum = 0, even = 0;

	count = atol(argument[1]);
	telling = arguments > 2;
	for (i = 0; i < (telling ? 1 : THREADS); i++) {
		if (pthread_create(&threads[i], NULL, work, (void *)i))
			return 1;
	}
	for (i = 0; i < (telling ? 1 : THREADS); i++) {
		pthread_join(threads[i], NULL);
		all += steps[i];
		sum += sums[i];
		even += halves[i];
	}
	if (!telling)
		printf("%ld %ld %ld\n", all, sum, even);
	return 0;
}
