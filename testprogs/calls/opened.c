/*
 * Functions that are open when a recording begins.
 *
 *   opened window    main, rounds and work, until a window opens at the third work
 *   opened reads     the same, with a window that opens as `take` reads a z
 *   opened markers   the same, with a window that the program opens in `work`
 *   opened signals   the same, with a signal that comes in the third work
 *   opened sleeps    the same, with a work that sleeps
 *   opened threads   five threads that stand still, each below another chain of functions, one in a
 *                    handler; a line of standard input lets them return, and call `behind` where
 *                    they get to
 *   opened loses     a thread whose unwind table leads to memory that is not there; `behind` is
 *                    called there, too
 */
#include "madt.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
#define STAYS __asm__ volatile("" ::: "memory") /* no tail call */

static volatile int go, count, waiting;
static jmp_buf top;

static ALONE void behind(int n)
{
	count += n;
	STAYS;
}

static ALONE void inner(int n)
{
	behind(n);
	STAYS;
}

static void on_signal(int number)
{
	behind(number);
	STAYS;
}

static ALONE void take(void)
{
	char byte;

	if (read(0, &byte, 1) != 1)
		count++;
	STAYS;
}

static ALONE void work(const char *mode, int n)
{
	if (strcmp(mode, "reads") == 0)
		take();
	if (strcmp(mode, "markers") == 0 && n == 3)
		MadT_start();
	if (strcmp(mode, "signals") == 0 && n == 3)
		raise(SIGUSR1);
	if (strcmp(mode, "sleeps") == 0)
		usleep(100000);
	inner(n);
	STAYS;
}

static ALONE void rounds(const char *mode)
{
	for (int n = 1; n <= 4; n++)
		work(mode, n);
	behind(0);
	STAYS;
}

/* ---------------------------------------------------------------- threads */

static ALONE void sleeps(void)
{
	const struct timespec time = { 0, 2000000 };

	while (!go)
		nanosleep(&time, NULL);
	behind(1);
	STAYS;
}

static ALONE void spins(int depth)
{
	if (depth > 0) {
		spins(depth - 1);
	} else {
		while (!go)
			;
	}
	behind(2);
	STAYS;
}

static ALONE void jumps(void)
{
	while (!go)
		usleep(1000);
	longjmp(top, 1);
}

static ALONE void turns(void)
{
	while (!go)
		usleep(1000);
	inner(3); /* a tail call where the compiler makes one */
}

static ALONE void rests(void)
{
	while (!go)
		usleep(1000);
	behind(5);
	STAYS;
}

static void on_other(int number)
{
	(void)number;
	rests();
	STAYS;
}

static ALONE void waits(void)
{
	waiting = 1;
	while (!go)
		usleep(1000);
	behind(6);
	STAYS;
}

static void *catcher(void *none)
{
	waits();
	behind(7);
	return none;
}

static void *sleeper(void *none)
{
	char room[256];

	memset(room, count, sizeof room);
	__asm__ volatile("" ::"r"(room) : "memory");
	sleeps();
	behind(10);
	return none;
}

static void *spinner(void *none)
{
	spins(3);
	behind(20);
	return none;
}

static ALONE void around_jumps(void)
{
	if (setjmp(top) == 0)
		jumps();
	behind(30);
	STAYS;
}

static void *jumper(void *none)
{
	around_jumps();
	behind(31);
	return none;
}

static void *turner(void *none)
{
	turns();
	behind(40);
	return none;
}

static ALONE void threads(void)
{
	void *(*const start[])(void *) = { sleeper, spinner, jumper, turner, catcher };
	pthread_t thread[5];

	for (int i = 0; i < 5; i++)
		pthread_create(&thread[i], NULL, start[i], NULL);
	while (!waiting)
		usleep(1000);
	pthread_kill(thread[4], SIGUSR2);
	usleep(100000);
	puts("ready");
	fflush(stdout);
	getchar();
	go = 1;
	for (int i = 0; i < 5; i++)
		pthread_join(thread[i], NULL);
	behind(50);
	STAYS;
}

/* ---------------------------------------------------------------- a table that leads nowhere */

void lost(void);
__asm__(".text\n"
		".type lost, @function\n"
		"lost: .cfi_startproc\n"
		"push %rbp\n"
		".cfi_adjust_cfa_offset 8\n"
		"mov $0xdead0000, %ebp\n"
		".cfi_def_cfa rbp, 16\n"
		"mov $10, %edi\n"
		"call behind\n"
		"1: pause\n"
		"cmpl $0, go(%rip)\n"
		"je 1b\n"
		".cfi_def_cfa rsp, 16\n"
		"pop %rbp\n"
		".cfi_adjust_cfa_offset -8\n"
		"ret\n"
		".cfi_endproc\n"
		".size lost, . - lost\n");

static void *loser(void *none)
{
	lost();
	behind(8);
	return none;
}

static ALONE void loses(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, loser, NULL);
	usleep(100000);
	puts("ready");
	fflush(stdout);
	getchar();
	go = 1;
	pthread_join(thread, NULL);
	behind(9);
	STAYS;
}

int main(int arguments, char **argument)
{
	const char *mode = arguments > 1 ? argument[1] : "window";

	signal(SIGUSR1, on_signal);
	signal(SIGUSR2, on_other);
	if (strcmp(mode, "threads") == 0)
		threads();
	else if (strcmp(mode, "loses") == 0)
		loses();
	else
		rounds(mode);
	behind(60);
	return 0;
}
