/* Programs that are executed without an environment: a list that is empty, and none at all. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int main(int count, char **arguments)
{
	char *next[] = { arguments[0], count == 1 ? "cleared" : "null", NULL };

	printf("%s: %d variables\n", count == 1 ? "begin" : arguments[1],
			count == 1 ? -1 : (int)(environ && *environ));
	fflush(stdout);
	if (count == 1) {
		clearenv();
		execv("/proc/self/exe", next);
	} else if (!strcmp(arguments[1], "cleared")) {
		execve("/proc/self/exe", next, NULL);
	}
	return 7;
}
