/*
 * Signals that debuggers and faults use, sent to a process by another one while it makes threads and
 * children all the time: each is handled, whichever thread the kernel chooses.
 */
/* flags: -pthread */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static const int number[] = { SIGILL, SIGTRAP, SIGSEGV, SIGSYS, SIGUSR1 };
static volatile sig_atomic_t handled[65], wrong;

static void on_signal(int signal, siginfo_t *info, void *context)
{
	(void)context;
	handled[signal]++;
	wrong += info->si_code != SI_USER;
}

static void *nothing(void *none)
{
	return none;
}

static void sender(pid_t parent)
{
	for (int i = 0; i < 1000; i++) {
		kill(parent, number[i % 5]);
		if (i % 100 == 0)
			usleep(1000);
	}
	_exit(0);
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART };
	pid_t parent = getpid(), pid, child;
	int all = 1;

	for (int i = 0; i < 5; i++)
		sigaction(number[i], &action, NULL);
	pid = fork();
	if (pid == 0)
		sender(parent);
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		pthread_t thread[8];

		for (int i = 0; i < 8; i++)
			pthread_create(&thread[i], NULL, nothing, NULL);
		child = fork();
		if (child == 0)
			_exit(0);
		for (int i = 0; i < 8; i++)
			pthread_join(thread[i], NULL);
		waitpid(child, NULL, 0);
	}
	for (int i = 0; i < 5; i++)
		all &= handled[number[i]] > 0;
	printf("all handled: %d, not from kill: %d\n", all, wrong);
	return 0;
}
