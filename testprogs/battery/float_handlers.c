/* Handlers that calculate, and that leave by longjmp and setcontext, in code whose floating point
 * is not as usual. */
/* flags: -O1 -lm -frounding-math */
#define _GNU_SOURCE
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static volatile double three = 3;
static volatile long double two = 2;
static double third;
static long double six;
static int rounding, excepts;
static sigjmp_buf back;
static ucontext_t resumed;
static volatile sig_atomic_t traps, resumes;

static void calculate(int signal)
{
	(void)signal;
	rounding = fegetround(), excepts = fegetexcept();
	third = 1 / three;
	six = two * 3;
}

static void show(const char *what)
{
	printf("%s: %a %La, rounding %x, traps %x; outside rounding %x, traps %x\n", what, third, six,
			rounding, excepts, fegetround(), fegetexcept());
	third = 0, six = 0, rounding = excepts = -1;
}

static void full(void)
{
	unsigned short status;

	__asm__ volatile("fld1; fld1; fld1; fld1; fld1; fld1; fld1; fld1");
	raise(SIGUSR1);
	__asm__ volatile("fld1; fnstsw %0; fninit" : "=a"(status)); /* the ninth finds no place */
	printf("stack fault %x\n", status & 0x241);
	show("x87 stack full");
}

static void leave(int signal, siginfo_t *info, void *raw)
{
	calculate(signal);
	traps++;
	if (signal == SIGUSR2)
		memcpy(&resumed.uc_mcontext.gregs, &((ucontext_t *)raw)->uc_mcontext.gregs, 0);
	if (signal == SIGFPE)
		printf("code %d\n", info->si_code), siglongjmp(back, 1);
	if (signal == SIGUSR2)
		setcontext(&resumed);
}

static void unmask(ucontext_t *context, int signal)
{
	context->uc_mcontext.fpregs->mxcsr |= 0x1f80;
	context->uc_mcontext.fpregs->mxcsr &= ~0x3fu;
	context->uc_mcontext.fpregs->cwd |= 0x3f;
	context->uc_mcontext.fpregs->swd &= 0x3800;
	traps += signal == SIGFPE;
}

static void goes_on(int signal, siginfo_t *info, void *raw)
{
	printf("code %d\n", info->si_code);
	calculate(signal);
	unmask(raw, signal);
}

static void catch (int signal, void (*handler)(int, siginfo_t *, void *))
{
	sigaction(signal,
			&(struct sigaction){ .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER },
			NULL);
}

static volatile double zero, result;
static volatile long double wide;

static void divide(int x87)
{
	if (x87)
		wide = two / zero;
	else
		result = three / zero;
	__asm__ volatile("fwait");
}

int main(void)
{
	signal(SIGUSR1, calculate);
	feenableexcept(FE_INEXACT), raise(SIGUSR1), show("inexact"), fedisableexcept(FE_ALL_EXCEPT);
	for (int mode = 0; mode <= FE_TOWARDZERO; mode += FE_DOWNWARD)
		fesetround(mode), raise(SIGUSR1), show("rounds"), printf("%a\n", 1 / three);
	fesetround(FE_TONEAREST);
	full();
	for (int i = 0; i < 2; i++) {
		catch (SIGFPE, leave), feenableexcept(FE_DIVBYZERO), fesetround(FE_UPWARD);
		if (!sigsetjmp(back, 1))
			divide(i);
		show("left by siglongjmp"), fesetenv(FE_DFL_ENV);
		catch (SIGFPE, goes_on), feenableexcept(FE_DIVBYZERO);
		divide(i);
		show("went on"), fesetenv(FE_DFL_ENV);
	}
	printf("%g %Lg %d\n", result, wide, traps);
	catch (SIGUSR2, leave), fesetround(FE_DOWNWARD);
	getcontext(&resumed);
	fesetround(FE_UPWARD);
	if (resumes++ < 3)
		raise(SIGUSR2);
	show("left by setcontext");
	signal(SIGALRM, calculate), feenableexcept(FE_INEXACT | FE_INVALID);
	setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 20000 }, NULL);
	while (third == 0)
		__asm__ volatile("" ::: "memory");
	show("timer"), fesetenv(FE_DFL_ENV);
	return 0;
}
