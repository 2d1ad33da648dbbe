/*
 * A program that does nothing, to see what its start costs:
 *
 *   engine_start         prints the time at which main begins (nanoseconds, CLOCK_MONOTONIC)
 *   engine_start again   executes itself first, and prints the time from there to main
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct timespec now;
	long long time;
	char text[32];

	clock_gettime(CLOCK_MONOTONIC, &now);
	time = (long long)now.tv_sec * 1000000000 + now.tv_nsec;
	if (argc < 2) {
		printf("%lld\n", time);
		return 0;
	}
	if (argc > 2) {
		printf("%lld\n", time - atoll(argv[2]));
		return 0;
	}
	snprintf(text, sizeof text, "%lld", time);
	execl(argv[0], argv[0], argv[1], text, (char *)NULL);
	return 1;
}
