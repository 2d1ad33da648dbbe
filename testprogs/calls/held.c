/*
 * Calls a function over and over while a child stops madt, the parent of both, for a second: all
 * buffers become full, and the call at hand has to wait. Run with --no-follow.
 */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long *calls;

__attribute__((noinline)) static void work(void)
{
	++*calls;
}

/* Goes on when the program has stood still for a second. */
static void hold(pid_t madt)
{
	long before;

	while (*calls < 1000)
		usleep(1000);
	kill(madt, SIGSTOP);
	do {
		before = *calls;
		sleep(1);
	} while (*calls != before);
	kill(madt, SIGCONT);
}

int main(void)
{
	pid_t madt = getppid(), child;

	calls = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	child = fork();
	if (child == 0) {
		hold(madt);
		_exit(0);
	}
	while (waitpid(child, 0, WNOHANG) == 0)
		for (int i = 0; i < 10000; i++)
			work();
	return 0;
}
