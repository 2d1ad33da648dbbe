/* Counts in steps, says so, and counts interrupts; ends after the number of steps that it is given.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile int interrupts;

static void on_interrupt(int number)
{
	(void)number;
	interrupts++;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 10;
	long *counter = calloc(64, sizeof *counter);
	const struct timespec pause = { 0, 2000000 };

	signal(SIGINT, on_interrupt);
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 0; i < steps; i++) {
		for (int k = 0; k < 10; k++)
			counter[k] += k;
		if (i % 100 == 0)
			printf("step %d\n", i);
		nanosleep(&pause, NULL);
	}
	printf("counted %ld, interrupts %d\n", counter[9], interrupts);
	return 0;
}
