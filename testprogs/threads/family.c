/* family THREADS ROUNDS: threads fork children that have threads of their own; some execute the
 * program anew. Each process counts for itself. */
#include "known.h"

#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static long rounds;
static char **command;

static void *leaf(void *number)
{
	for (long i = 0; i < rounds; i++) {
		known_store((long)number, i);
		known_add_locked(WORDS - 2, 1);
	}
	known_end();
	return NULL;
}

static void wait_for(pid_t child)
{
	int status;

	if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status))
		abort();
}

static void execute(void)
{
	char *again[] = { command[0], "2", command[2], "leaf", NULL };

	known_add(WORDS - 3, 1);
	known_end();
	execv("/proc/self/exe", again);
	abort();
}

/* The child has one thread, which begins where the forking one is; what that one counted is not the
 * child's. */
static void child_run(long number)
{
	for (int i = 0; i < WORDS; i++)
		loads[i] = stores[i] = 0;
	known_load(number);
	threads_run(2, leaf);
	if (number % 2)
		execute();
	known_end();
	_exit(0);
}

static void spawn(void)
{
	char *again[] = { command[0], "3", command[2], "leaf", NULL };
	pid_t child;

	if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, again, environ))
		abort();
	wait_for(child);
}

static void *work(void *number)
{
	pid_t child;

	for (long i = 0; i < rounds / 2; i++)
		known_add((long)number, 1);
	child = fork();
	if (!child)
		child_run((long)number);
	for (long i = 0; i < rounds / 2; i++)
		known_add((long)number, 1);
	wait_for(child);
	if (!number)
		spawn();
	known_end();
	return NULL;
}

int main(int count, char **arguments)
{
	if (count < 3)
		return 2;
	command = arguments;
	rounds = atol(arguments[2]);
	known_begin();
	threads_run(atol(arguments[1]), count > 3 ? leaf : work);
	return 0;
}
