/*
 * Signals that the target ignores, sent while one of its threads makes system calls: they end no
 * other thread's wait (epoll_wait(2) is not made again after a signal). Then handlers that come and
 * go meanwhile: each signal is handled or dropped, on the target's own stack.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK (1 << 20) /* more than it uses */

static atomic_int done, ended_early, elsewhere;
static atomic_long handled;
static volatile long *heap; /* traced: in the handler too */
static uintptr_t stack_end;

static void *wait_long(void *argument)
{
	int to_read = *(int *)argument, epoll = epoll_create1(0);
	struct epoll_event event = { .events = EPOLLIN };

	epoll_ctl(epoll, EPOLL_CTL_ADD, to_read, &event);
	while (epoll_wait(epoll, &event, 1, -1) < 0 && errno == EINTR)
		ended_early++;
	return NULL;
}

/* A call that MadT's handler makes: many, so that most signals find the thread there. */
static void calls(int count)
{
	sigset_t mask;

	for (int i = 0; i < count; i++) {
		sigprocmask(SIG_BLOCK, NULL, &mask);
		heap[i % 8]++;
	}
}

/* The children end while their parent makes calls. */
static void end_children(int count)
{
	for (int i = 0; i < count; i++) {
		int to_child[2];
		pid_t child;

		if (pipe(to_child))
			exit(1);
		child = fork();
		if (child == 0) {
			char byte;

			_exit(read(to_child[0], &byte, 1) == 1 ? 3 : 4);
		}
		if (write(to_child[1], "", 1) != 1)
			exit(1);
		calls(40);
		close(to_child[0]);
		close(to_child[1]);
		waitpid(child, NULL, 0);
	}
}

static void on_signal(int number)
{
	char here;

	(void)number;
	handled++;
	heap[9]++;
	if (stack_end - (uintptr_t)&here > STACK)
		elsewhere++;
}

static void *send_many(void *argument)
{
	pid_t me = getpid();
	const int number[] = { SIGURG, SIGWINCH, SIGUSR1 };

	(void)argument;
	for (long i = 0; !done; i++)
		syscall(SYS_tgkill, me, me, number[i % 3]);
	return NULL;
}

static void *change_handlers(void *argument)
{
	struct sigaction handled_now = { .sa_handler = on_signal };

	(void)argument;
	while (!done) {
		sigaction(SIGURG, &handled_now, NULL);
		sigaction(SIGUSR1, &handled_now, NULL);
		sigaction(SIGWINCH, &handled_now, NULL);
		signal(SIGURG, SIG_DFL);
		signal(SIGUSR1, SIG_IGN);
		signal(SIGWINCH, SIG_IGN);
	}
	return NULL;
}

static void come_and_go(int rounds, long least)
{
	pthread_t sender, changer;

	signal(SIGUSR1, SIG_IGN);
	pthread_create(&sender, NULL, send_many, NULL);
	pthread_create(&changer, NULL, change_handlers, NULL);
	for (int i = 0; i < rounds || handled < least; i++)
		calls(5);
	done = 1;
	pthread_join(sender, NULL);
	pthread_join(changer, NULL);
}

int main(void)
{
	pthread_t waiter;
	int to_read[2];

	setvbuf(stdout, NULL, _IONBF, 0);
	stack_end = (uintptr_t)&waiter;
	heap = calloc(1000, sizeof *heap);
	if (!heap || pipe(to_read))
		return 1;
	pthread_create(&waiter, NULL, wait_long, &to_read[0]);
	end_children(300);
	if (write(to_read[1], "", 1) != 1)
		return 1;
	pthread_join(waiter, NULL);
	printf("waits that ended early: %d\n", ended_early);
	come_and_go(300, 50);
	printf("handlers on another stack: %d\n", elsewhere);
	return 0;
}
