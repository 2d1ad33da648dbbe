/* Children of vfork that write into their parent's memory, make children of their own, and end in every way. */
/* flags: -O1 -Wno-infinite-recursion */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int cells[5000], handled, depth;
static char *volatile block, *volatile mapped;

static void show(const char *what, pid_t child)
{
	long sum = 0;
	int status = -1;

	waitpid(child, &status, 0);
	for (int i = 0; i < 5000; i++)
		sum += cells[i];
	printf("%s: %s %d, sum %ld, handled %d\n", what, WIFEXITED(status) ? "exit" : "signal",
			WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), sum, handled);
}

static void fill(int with)
{
	for (int i = 0; i < 5000; i++)
		cells[i] = i % 7 + with;
}

static void handler(int signal)
{
	handled += signal;
	cells[handled % 5000]++;
}

static void ways(int way)
{
	char *const none[] = { "none", NULL }, *const yes[] = { "true", NULL };

	fill(way);
	switch (way) {
	case 0:
		_exit(40);
	case 1:
		execv("/nonexistent", none);
		cells[1] = errno;
		_exit(127);
	case 2:
		execvp("true", yes);
		_exit(1);
	case 3:
		kill(getpid(), SIGKILL);
		break;
	case 4:
		signal(SIGUSR1, handler); /* the parent's handler stays */
		raise(SIGUSR1);
		execlp("sh", "sh", "-c", "exit 9", NULL);
		break;
	case 5:
		signal(SIGSEGV, SIG_DFL);
		*(volatile int *)8 = 1;
		break;
	case 6:
		block = malloc(100);
		mapped = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		strcpy(block, "a block"), strcpy(mapped, "a mapping");
		_exit(6);
	case 7:
		abort();
	case 8:
		raise(SIGTERM);
	}
	_exit(99);
}

static void chain(int left)
{
	int status;
	pid_t child;

	cells[left] = ++depth;
	if (!left)
		_exit(depth);
	child = vfork();
	if (!child && left)
		chain(left - 1);
	waitpid(child, &status, 0);
	_exit(WEXITSTATUS(status) + 10);
}

int main(void)
{
	struct sigaction now;
	pid_t child;

	signal(SIGSEGV, handler);
	for (volatile int way = 0; way < 9; way++) {
		child = vfork();
		if (!child)
			ways(way);
		show("way", child);
	}
	sigaction(SIGUSR1, NULL, &now);
	printf("%s, %s, USR1 %d\n", block, mapped, now.sa_handler == SIG_DFL);
	free(block), munmap(mapped, 8192);
	child = vfork();
	if (!child)
		chain(4);
	show("chain", child);
	for (volatile int i = 0; i < 100; i++) {
		child = vfork();
		if (!child)
			cells[i]++, _exit(0);
		waitpid(child, NULL, 0);
	}
	child = vfork();
	if (!child) {
		child = fork(); /* of the memory of both */
		if (!child)
			fill(100), _exit(0);
		waitpid(child, NULL, 0);
		_exit(3);
	}
	show("fork in it", child);
	return 0;
}
