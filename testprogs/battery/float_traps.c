/* Floating-point exceptions that the program asked for end in its handler, which leaves the operation. */
/* flags: -O1 -lm */
#define _GNU_SOURCE
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf back;
static volatile double operand, zero, result;
static volatile long double wide;

static void on_fpe(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	siglongjmp(back, info->si_code);
}

static void divide(void)
{
	result = operand / zero;
}

static void overflow(void)
{
	result = operand * 1e300 * operand;
}

static void invalid(void)
{
	result = zero / zero;
}

/* x87 tells of it at its next instruction. */
static void divide_wide(void)
{
	wide = (long double)operand / (long double)zero;
	wide = wide + 1;
}

static void fine(void)
{
	result = operand / 2;
}

/* The handler began with all exceptions masked, and did not return. */
static int code_of(void (*operation)(void))
{
	int code = sigsetjmp(back, 1);

	feclearexcept(FE_ALL_EXCEPT);
	feenableexcept(FE_DIVBYZERO | FE_OVERFLOW | FE_INVALID);
	if (code == 0)
		operation();
	return code;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_fpe, .sa_flags = SA_SIGINFO };

	sigaction(SIGFPE, &action, NULL);
	for (int round = 0; round < 3; round++) {
		operand = 1e100 + round;
		printf("%d %d", code_of(divide), code_of(overflow));
		printf(" %d %d", code_of(invalid), code_of(divide_wide));
		printf(" %d, %d left\n", code_of(fine),
				fegetexcept() == (FE_DIVBYZERO | FE_OVERFLOW | FE_INVALID));
	}
	return 0;
}
