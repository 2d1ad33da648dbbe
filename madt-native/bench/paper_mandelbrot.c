/*
 * A repetition: one row of 256 points of the Mandelbrot set, at most 200 steps each; a point's
 * steps are stored.
 */
#include "measured.h"

#define ROWS 192
#define COLUMNS 256
#define STEPS 200

static unsigned char *image;

void prepare(void)
{
	image = malloc(ROWS * COLUMNS);
	if (!image)
		exit(1);
}

static unsigned steps_of(double x0, double y0)
{
	double x = 0, y = 0;
	unsigned steps = 0;

	while (steps < STEPS && x * x + y * y <= 4) {
		double next = x * x - y * y + x0;

		y = 2 * x * y + y0;
		x = next;
		steps++;
	}
	return steps;
}

uint64_t work(long repetitions)
{
	uint64_t sum = 0;

	for (long n = 0; n < repetitions; n++) {
		long row = n % ROWS;

		for (long i = 0; i < COLUMNS; i++)
			image[row * COLUMNS + i] = (unsigned char)steps_of(-2.2 + 3.2 * (double)i / COLUMNS,
					-1.2 + 2.4 * (double)row / ROWS);
		sum += image[row * COLUMNS + n % COLUMNS];
	}
	return sum;
}
