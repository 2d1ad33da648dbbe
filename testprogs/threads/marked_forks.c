/*
 * marked_forks [CHILDREN]: forks while another thread opens and closes a window all the time. Each
 * child stores, outside of windows and in one of its own, and ends with 7; one that does not end
 * within 20 seconds is killed. Says how many did.
 */
#include <madt.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int over;
static volatile int cells[64], marked;

static void *open_and_close(void *unused)
{
	while (!over) {
		MadT_start();
		marked++;
		MadT_stop();
	}
	return unused;
}

static int child(void)
{
	alarm(20);
	for (int i = 0; i < 64; i++)
		cells[i] = i;
	MadT_start();
	marked = 3;
	MadT_stop();
	return cells[4] + marked;
}

int main(int count, char **arguments)
{
	const int children = count > 1 ? atoi(arguments[1]) : 100;
	pthread_t other;
	int good = 0;

	pthread_create(&other, NULL, open_and_close, NULL);
	for (int i = 0; i < children; i++) {
		int status = 0;
		pid_t pid = fork();

		if (pid == 0)
			_exit(child());
		good += waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 7;
	}
	over = 1;
	pthread_join(other, NULL);
	printf("%d of %d\n", good, children);
	return good != children;
}
