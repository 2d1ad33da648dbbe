/*
 * Compute-bound: bodies that attract each other, in the first-level cache. A repetition: 64 bodies,
 * one step.
 */
#include <math.h>

#include "measured.h"

#define BODIES 64

struct body {
	double place[3];
	double speed[3];
	double mass;
};

static struct body bodies[BODIES];

void prepare(void)
{
	uint64_t state = 88172645463325252;

	for (int i = 0; i < BODIES; i++) {
		for (int k = 0; k < 3; k++)
			bodies[i].place[k] = (double)(random_next(&state) % 1000);
		bodies[i].mass = 1 + (double)(random_next(&state) % 10);
	}
}

static void attract(struct body *one, struct body *other)
{
	double distance[3], square = 0.01;

	for (int k = 0; k < 3; k++) {
		distance[k] = other->place[k] - one->place[k];
		square += distance[k] * distance[k];
	}
	square = 1 / (square * sqrt(square));
	for (int k = 0; k < 3; k++) {
		one->speed[k] += distance[k] * other->mass * square;
		other->speed[k] -= distance[k] * one->mass * square;
	}
}

uint64_t work(long repetitions)
{
	for (long n = 0; n < repetitions; n++) {
		for (int i = 0; i < BODIES; i++)
			for (int j = i + 1; j < BODIES; j++)
				attract(&bodies[i], &bodies[j]);
		for (int i = 0; i < BODIES; i++)
			for (int k = 0; k < 3; k++)
				bodies[i].place[k] += 0.001 * bodies[i].speed[k];
	}
	return (uint64_t)(bodies[0].place[0] * 1e6);
}
