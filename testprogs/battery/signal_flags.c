/* What sigaction's flags and masks do: handlers used once, nested or kept back, and where signals come from. */
/* flags: -O1 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int depth, deepest, calls;

static void nested(int number)
{
	sigset_t blocked;

	sigprocmask(SIG_BLOCK, NULL, &blocked);
	if (++depth > deepest)
		deepest = depth;
	if (++calls < 5)
		raise(number);
	printf(" %d%s", depth, sigismember(&blocked, number) ? "b" : "");
	if (sigismember(&blocked, SIGHUP))
		printf("h");
	depth--;
}

static void told(int number, siginfo_t *info, void *context)
{
	(void)context;
	printf("from %d: code %d, own %d\n", number, info->si_code, info->si_pid == getpid());
}

static const char *disposition(int number)
{
	struct sigaction now;

	sigaction(number, NULL, &now);
	return now.sa_handler == SIG_DFL    ? "default"
			: now.sa_handler == SIG_IGN ? "ignored"
										: "handled";
}

static void with(int flags)
{
	struct sigaction action = { .sa_handler = nested, .sa_flags = flags }, now;

	sigemptyset(&action.sa_mask);
	sigaddset(&action.sa_mask, SIGHUP);
	sigaction(SIGUSR1, &action, NULL);
	depth = deepest = calls = 0;
	sigaction(SIGUSR1, NULL, &now);
	printf("%x, as set %d:", flags, now.sa_flags == flags);
	raise(SIGUSR1);
	printf(", deepest %d, %d calls, then %s\n", deepest, calls, disposition(SIGUSR1));
}

/* With the handler used once, the second signal ends the process. */
static void child(int flags)
{
	struct sigaction action = { .sa_handler = nested, .sa_flags = flags };
	int status;

	fflush(stdout);
	if (fork() == 0) {
		calls = 9;
		sigaction(SIGUSR2, &action, NULL);
		kill(getpid(), SIGUSR2), fflush(stdout);
		kill(getpid(), SIGUSR2), fflush(stdout);
		_exit(3);
	}
	wait(&status);
	printf(", child: %d %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0, WIFEXITED(status));
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = told, .sa_flags = SA_SIGINFO };
	siginfo_t made = { .si_code = SI_MESGQ, .si_signo = SIGTERM };

	with(0), with(SA_NODEFER), with(SA_RESTART);
	child(SA_RESETHAND), child(SA_RESETHAND | SA_NODEFER), child(0);
	sigaction(SIGTERM, &action, NULL);
	raise(SIGTERM);
	kill(getpid(), SIGTERM);
	sigqueue(getpid(), SIGTERM, (union sigval){ .sival_int = 1 });
	made.si_pid = getpid();
	syscall(SYS_rt_sigqueueinfo, getpid(), SIGTERM, &made);
	signal(SIGTERM, SIG_IGN);
	printf("%s, %d, %d %s\n", disposition(SIGTERM), raise(SIGTERM),
			sigaction(SIGKILL, &action, NULL), errno == EINVAL ? "EINVAL" : "?");
	return 0;
}
