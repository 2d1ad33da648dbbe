/* Passes lines on; with an argument, takes that many microseconds for each: waiting or computing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * 1000000L + time.tv_nsec / 1000;
}

static void work(const char *how, int micros)
{
	if (strcmp(how, "waits") == 0)
		usleep((unsigned)micros);
	else
		for (long until = now() + micros; now() < until;)
			;
}

int main(int argc, char **argv)
{
	char line[256];

	while (fgets(line, sizeof line, stdin)) {
		if (argc > 2)
			work(argv[1], atoi(argv[2]));
		fputs(line, stdout);
		fflush(stdout);
	}
	return 0;
}
