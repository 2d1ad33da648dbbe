/*
 * Each child of vfork makes one of its own, far more of them than MadT has stubs for: every parent
 * waits until its child has ended, and gets its status.
 */
/* flags: -O1 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEEPEST 130

struct all {
	pid_t process[DEEPEST + 1];
	int begun, ended, wrong;
};

static int level_of(const volatile struct all *all, pid_t process)
{
	for (int i = all->begun; i >= 0; i--)
		if (all->process[i] == process)
			return i;
	return -1;
}

/* Once for each process, whatever its child has left of their stack. */
__attribute__((noinline, noreturn)) static void end(volatile struct all *all, pid_t child)
{
	const int level = level_of(all, getpid());
	int status = -1;

	all->wrong += all->ended != DEEPEST - level; /* it has not waited for all below */
	all->wrong += waitpid(child, &status, 0) != child || !WIFEXITED(status)
			|| WEXITSTATUS(status) != (level + 1) % 100;
	if (level) {
		all->ended++;
		_exit(level % 100);
	}
	printf("begun %d, ended %d, wrong %d\n", all->begun, all->ended, all->wrong);
	exit(all->wrong != 0);
}

int main(void)
{
	volatile struct all *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	all->process[0] = getpid();
	for (;;) {
		const pid_t child = vfork();

		if (child < 0) {
			perror("vfork");
			_exit(1);
		}
		if (child)
			end(all, child);
		all->process[++all->begun] = getpid();
		if (all->begun == DEEPEST) {
			all->ended++;
			_exit(DEEPEST % 100);
		}
	}
}
