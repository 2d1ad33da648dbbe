/* Hangs in a call, until its child kills it. */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>

#define OWN __attribute__((noinline, noclone))

static volatile int turns;

/* The loop does not begin at the first instruction: each turn would be a call. */
OWN void hang(void)
{
	turns *= 3;
	for (;;)
		turns++;
}

OWN void work(int rounds)
{
	for (int i = 0; i < rounds; i++)
		turns += i;
	hang();
	turns = 0;
}

int main(void)
{
	pid_t self = getpid();
	if (fork() == 0) {
		usleep(300000);
		kill(self, SIGKILL);
		_exit(0);
	}
	work(7);
	return 0;
}
