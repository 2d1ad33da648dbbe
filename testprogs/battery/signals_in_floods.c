/*
 * Another process sends signals that stand for faults as fast as it can, hundreds in the time of a
 * handler, and now and then one of all others: code that keeps all it has in registers is
 * interrupted everywhere, and its list and sums stay right.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NODES 8

struct node {
	struct node *next, *before;
	long value, double_value;
};

static const int number[] = { SIGSEGV, SIGTRAP, SIGILL, SIGSYS, SIGBUS, SIGFPE };
static volatile sig_atomic_t handled[65], wrong;
static struct node head, node[NODES];

static void on_signal(int signal, siginfo_t *info, void *context)
{
	(void)context;
	handled[signal]++;
	wrong += info->si_code != SI_USER;
}

static void sender(pid_t parent)
{
	for (int burst = 0; burst < 60; burst++) {
		kill(parent, SIGUSR1);
		for (int i = 0; i < 300; i++)
			kill(parent, number[i % 6]);
		usleep(200);
	}
	_exit(0);
}

static void append(struct node *one)
{
	one->next = &head;
	one->before = head.before;
	head.before->next = one;
	head.before = one;
}

static void take(struct node *one)
{
	one->next->before = one->before;
	one->before->next = one->next;
	memset(one, 0, sizeof *one);
}

/* Returns the sum of all values, -1 where something is not as it was written. */
static long sum(void)
{
	long all = 0;

	for (struct node *one = head.next; one != &head; one = one->next) {
		if (!one || one->before->next != one || one->double_value != 2 * one->value)
			return -1;
		all += one->value;
	}
	return all;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART };
	pid_t parent = getpid(), pid;
	long bad = 0;
	int all = 1;

	for (int i = 0; i < 6; i++)
		sigaction(number[i], &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	head.next = head.before = &head;
	pid = fork();
	if (pid == 0)
		sender(parent);
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		for (int i = 0; i < NODES; i++) {
			append(&node[i]);
			node[i].value = i;
			node[i].double_value = 2 * i;
		}
		bad += sum() != NODES * (NODES - 1) / 2;
		for (int i = 0; i < NODES; i++)
			take(&node[(i * 3) % NODES]);
		bad += sum() != 0;
	}
	for (int i = 0; i < 6; i++)
		all &= handled[number[i]] > 0;
	printf("all handled: %d, not from kill: %d, wrong sums: %ld\n", all && handled[SIGUSR1], wrong,
			bad);
	return 0;
}
