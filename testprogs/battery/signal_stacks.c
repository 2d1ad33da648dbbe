/* Handlers on an alternate stack: nested, reset, not deferred, disarmed, left by siglongjmp. */
/* flags: -O1 */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char stack[65536] __attribute__((aligned(16)));
static volatile int depth, most, raised;
static sigjmp_buf back;

static int on_stack(void)
{
	char here;

	return (uintptr_t)&here - (uintptr_t)stack < sizeof stack;
}

static void look(const char *what, int number)
{
	stack_t now;
	sigset_t mask;

	sigaltstack(NULL, &now), sigprocmask(SIG_SETMASK, NULL, &mask);
	printf("%s %d: on it %d, flags %x, size %zu, blocked %d %d %d\n", what, number, on_stack(),
			(unsigned)now.ss_flags, now.ss_size, sigismember(&mask, SIGUSR1),
			sigismember(&mask, SIGUSR2), sigismember(&mask, SIGSEGV));
}

static void handler(int number)
{
	look("handler", number);
	printf("  change: %d\n", sigaltstack(&(stack_t){ .ss_flags = SS_DISABLE }, NULL) ? errno : 0);
	if (++depth < 3 && raised++ < 5)
		raise(number == SIGUSR1 ? SIGUSR2 : SIGUSR1);
	most = depth > most ? depth : most;
	depth--;
}

static void jump(int number)
{
	look("jump", number);
	siglongjmp(back, number);
}

static void set(int number, void (*function)(int), int flags)
{
	struct sigaction action = { .sa_handler = function, .sa_flags = flags };

	sigaction(number, &action, NULL);
}

int main(void)
{
	static const int flags[] = { 0, SA_ONSTACK, SA_ONSTACK | SA_NODEFER,
		SA_ONSTACK | SA_RESETHAND };
	struct sigaction now;

	for (volatile unsigned i = 0; i < 8; i++) {
		stack_t own = {
			.ss_sp = stack, .ss_size = sizeof stack, .ss_flags = i < 4 ? 0 : (int)(1u << 31)
		};

		printf("round %u: %d\n", i, sigaltstack(&own, NULL));
		set(SIGUSR1, handler, flags[i % 4]), set(SIGUSR2, handler, flags[i % 4]);
		depth = i % 4 == 3 ? 2 : 0, raised = 0;
		raise(SIGUSR1);
		sigaction(SIGUSR1, NULL, &now);
		printf("most %d, default %d\n", most, now.sa_handler == SIG_DFL);
		sigaltstack(&own, NULL);
		set(SIGSEGV, jump, SA_ONSTACK), set(SIGBUS, jump, SA_ONSTACK);
		for (volatile int k = 0; k < 3; k++)
			if (!sigsetjmp(back, 1))
				k == 1 ? (void)raise(SIGBUS) : (void)(*(volatile int *)16 = 1);
		look("behind", 0);
	}
	printf("small %d\n",
			sigaltstack(&(stack_t){ .ss_sp = stack, .ss_size = 1024 }, NULL) ? errno : 0);
	return 0;
}
