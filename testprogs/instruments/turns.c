/*
 * One thread opens windows and closes them, while another one calls f: 1000 and 10 times in windows,
 * and 100,000 times between them, which no signal or system call interrupts. With markers, or by
 * functions for those that name them: turns [functions].
 */
#include <madt.h>
#include <pthread.h>

static int phase, functions;

__attribute__((noinline)) static void f(int number)
{
	__asm__ volatile("" : : "r"(number));
}

__attribute__((noinline)) static void opens(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) static void closes(void)
{
	__asm__ volatile("");
}

static void await(int wanted)
{
	while (__atomic_load_n(&phase, __ATOMIC_ACQUIRE) != wanted)
		;
}

static void go_on(int next)
{
	__atomic_store_n(&phase, next, __ATOMIC_RELEASE);
}

static void call(int times, int first)
{
	await(first);
	for (int i = 0; i < times; i++)
		f(i);
	go_on(first + 1);
}

static void *work(void *none)
{
	call(1, 0);
	call(1000, 2);
	call(100000, 4);
	call(10, 6);
	call(100000, 8);
	return none;
}

static void turn(int at, int open)
{
	await(at);
	if (functions)
		(open ? opens : closes)();
	else if (open)
		MadT_start();
	else
		MadT_stop();
	go_on(at + 1);
}

int main(int count, char **words)
{
	pthread_t thread;

	(void)words;
	functions = count > 1;
	pthread_create(&thread, NULL, work, NULL);
	turn(1, 1);
	turn(3, 0);
	turn(5, 1);
	turn(7, 0);
	pthread_join(thread, NULL);
	return 0;
}
