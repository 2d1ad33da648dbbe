/*
 * Another process sends signals that are counted, without a pause, while this one changes their
 * handler, other actions and its alternate stack: each call is told what the one before it set, and
 * no signal is lost or comes twice.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIGNALS 3000

static volatile sig_atomic_t handled, wrong;
static char stack[2][32768];

static void first(int signal)
{
	(void)signal;
	handled++;
}

static void second(int signal)
{
	struct sigaction action;

	(void)signal;
	handled++;
	wrong += sigaction(SIGUSR2, NULL, &action) != 0
			|| (action.sa_handler != first && action.sa_handler != second);
}

static void sender(pid_t parent)
{
	for (int sent = 0; sent < SIGNALS;) {
		union sigval value = { .sival_int = sent };

		if (sigqueue(parent, SIGRTMIN, value) == 0)
			sent++;
		else if (errno != EAGAIN)
			_exit(1);
		if (sent % 64 == 0)
			usleep(100);
	}
	_exit(0);
}

/* Changes an action; the one before it must be that of the other handler. */
static void change(int number, int step)
{
	struct sigaction action = { .sa_handler = step % 2 ? first : second,
		.sa_flags = SA_ONSTACK | SA_RESTART };
	struct sigaction before;

	sigaddset(&action.sa_mask, SIGRTMIN + 1 + step % 2);
	wrong += sigaction(number, &action, &before) != 0;
	wrong += step && before.sa_handler != (step % 2 ? second : first);
	wrong += step && sigismember(&before.sa_mask, SIGRTMIN + 1 + step % 2);
	wrong += sigaction(number, NULL, &before) != 0 || before.sa_handler != action.sa_handler;
}

static void change_stack(int step)
{
	stack_t wanted = { .ss_sp = stack[step % 2], .ss_size = sizeof stack[0] };
	stack_t before;

	wrong += sigaltstack(&wanted, &before) != 0;
	wrong += step && before.ss_sp != stack[(step + 1) % 2];
}

int main(void)
{
	const pid_t parent = getpid();
	int step = 0, status = -1;
	pid_t pid;

	change(SIGRTMIN, 0);
	change(SIGUSR2, 0);
	change(SIGSEGV, 0);
	change_stack(0);
	pid = fork();
	if (pid == 0)
		sender(parent);
	while (waitpid(pid, &status, WNOHANG) == 0) {
		step++;
		change(SIGRTMIN, step);
		change(SIGUSR2, step);
		change(SIGSEGV, step);
		change_stack(step);
	}
	printf("%d signals, %d wrong, status %d\n", (int)handled, (int)wrong, status);
	return 0;
}
