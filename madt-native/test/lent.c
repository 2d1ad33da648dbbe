/*
 * Children that the caller's memory is lent to, or copied for, on stacks in the caller's heap: what
 * the caller does there afterwards is recorded as before. Prints how the children ended.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK 65536
#define ROUNDS 1000

static int end(void *argument)
{
	_exit(*(int *)argument);
}

int main(void)
{
	static const int flags[] = { CLONE_VM | CLONE_VFORK | SIGCHLD, CLONE_VFORK | SIGCHLD, SIGCHLD };
	static int codes[] = { 3, 4, 5 };

	for (int i = 0; i < 3; i++) {
		char *stack = malloc(STACK);
		volatile int *word = (volatile int *)(stack + STACK - 512);
		int status = 0;
		pid_t child = clone(end, stack + STACK, flags[i], &codes[i]);

		if (child < 0 || waitpid(child, &status, 0) != child)
			return 2;
		for (int n = 0; n < ROUNDS; n++)
			*word = n;
		printf("%#x: exit %d, word %d\n", (unsigned)flags[i], WEXITSTATUS(status), *word);
		free(stack);
	}
	return 0;
}
