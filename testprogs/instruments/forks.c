/*
 * Makes 96 children by fork, vfork or posix_spawn, as its argument says, and prints how many
 * nanoseconds each took, by its own clock.
 */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "fork";
	char *command[] = { "true", NULL };
	char *memory = malloc(8 << 20);
	long took[96];

	memset(memory, 1, 8 << 20);
	for (int i = 0; i < 96; i++) {
		long before = now();
		pid_t child;

		if (strcmp(how, "fork") == 0)
			child = fork();
		else if (strcmp(how, "vfork") == 0)
			child = vfork();
		else if (posix_spawn(&child, "/bin/true", NULL, NULL, command, environ))
			return 1;
		if (child == 0)
			_exit(0);
		took[i] = now() - before;
		waitpid(child, NULL, 0);
	}
	for (int i = 0; i < 96; i++)
		printf("%ld\n", took[i]);
	return 0;
}
