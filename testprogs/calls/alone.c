/* Children that call what the parent calls, and one call of the parent in between. */
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILDREN = 5, CALLS = 100 };

__attribute__((noinline)) static int next(int value)
{
	__asm__ volatile("");
	return value + 1;
}

int main(void)
{
	int value = 0;
	for (int child = 0; child < CHILDREN; child++) {
		int status = 0;
		pid_t pid = fork();
		if (pid == 0) {
			int own = 0;
			for (int call = 0; call < CALLS; call++)
				own = next(own);
			_exit(own != CALLS);
		}
		waitpid(pid, &status, 0);
		if (status)
			printf("child %d: status %x\n", child, (unsigned)status);
		if (child == CHILDREN / 2)
			value = next(value);
	}
	printf("%d\n", value);
	return 0;
}
