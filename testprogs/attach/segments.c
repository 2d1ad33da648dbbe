/*
 * Has three executable segments with holes in between: three functions in sections far apart. With
 * an argument it calls them so often and ends. Else it goes on until its input ends: one thread calls
 * them, another forks children, which call them too, and all check what they compute.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define VALUES 64
#define APART(name) __attribute__((noinline, section(name), aligned(1 << 14)))

struct values {
	long value[VALUES];
};

__attribute__((noinline)) static void fill(struct values *values)
{
	for (long i = 0; i < VALUES; i++)
		values->value[i] = i;
}

APART("second") static void double_all(struct values *values)
{
	for (long i = 0; i < VALUES; i++)
		values->value[i] += values->value[i];
}

APART("third") static long sum_of(const struct values *values)
{
	long sum = 0;

	for (long i = 0; i < VALUES; i++)
		sum += values->value[i];
	return sum;
}

static bool compute(int times)
{
	struct values *values = malloc(sizeof *values);
	bool good = values;

	for (int i = 0; good && i < times; i++) {
		fill(values);
		double_all(values);
		good = sum_of(values) == VALUES * (VALUES - 1);
	}
	free(values);
	return good;
}

static atomic_int wrong, over, forks;

static void *compute_always(void *unused)
{
	while (!over)
		wrong += !compute(100);
	return unused;
}

static void *fork_always(void *unused)
{
	while (!over) {
		int status;
		pid_t child = fork();

		if (!child)
			_exit(!compute(10));
		wrong += child < 0 || waitpid(child, &status, 0) != child || status;
		forks++;
	}
	return unused;
}

int main(int count, char **words)
{
	struct pollfd input = { 0, POLLIN, 0 };
	pthread_t threads[2];

	if (count > 1)
		return !compute(atoi(words[1]));
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where Yama asks for that */
	setvbuf(stdout, NULL, _IOLBF, 0);
	pthread_create(&threads[0], NULL, compute_always, NULL);
	pthread_create(&threads[1], NULL, fork_always, NULL);
	for (long round = 0; poll(&input, 1, 50) == 0; round++)
		printf("round %ld, %d forks, %d wrong\n", round, forks, wrong);
	over = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("end, %d wrong\n", wrong);
	return wrong != 0;
}
