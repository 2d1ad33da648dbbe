/* fork, vfork, posix_spawn, system, popen, exec: statuses and outputs as ever. */
#define _GNU_SOURCE
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int status_of(pid_t pid)
{
	int status = -1;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

int main(void)
{
	int *heap = calloc(100, sizeof *heap), pipes[2];
	char *const arguments[] = { "sh", "-c", "exit 7", NULL };
	char text[100] = "", *variables[] = { "A=1", NULL };
	pid_t pid;
	FILE *stream;

	setvbuf(stdout, NULL, _IONBF, 0);
	heap[1] = 5;
	if (pipe(pipes))
		return 1;
	pid = fork();
	if (pid == 0) {
		heap[1] += 10;
		if (write(pipes[1], &heap[1], sizeof *heap) != sizeof *heap)
			_exit(1);
		_exit(heap[1]);
	}
	printf("fork: %d", status_of(pid));
	if (read(pipes[0], &heap[2], sizeof *heap) != sizeof *heap)
		return 1;
	printf(", through the pipe %d, mine %d\n", heap[2], heap[1]);
	pid = vfork();
	if (pid == 0) {
		execve("/bin/sh", arguments, variables);
		_exit(99);
	}
	printf("vfork and exec: %d\n", status_of(pid));
	if (posix_spawn(&pid, "/bin/sh", NULL, NULL, arguments, environ))
		return 1;
	printf("posix_spawn: %d\n", status_of(pid));
	printf("posix_spawn of nothing: %d\n",
			posix_spawn(&pid, "/nonexistent", NULL, NULL, arguments, environ));
	printf("system: %d\n", WEXITSTATUS(system("exit 3")));
	stream = popen("env | grep -c -E 'MADT|LD_PRELOAD'; echo popen", "r");
	while (fgets(text, sizeof text, stream))
		printf("popen: %s", text);
	printf("pclose: %d\n", WEXITSTATUS(pclose(stream)));
	for (volatile int i = 0; i < 150; i++) {
		pid = i % 2 ? fork() : vfork();
		if (pid == 0)
			_exit(i % 2 + 1);
		heap[4] += status_of(pid);
	}
	printf("150 children: %d\n", heap[4]);
	heap[3]++;
	printf("exec of nothing: %d\n", execve("/nonexistent", arguments, variables));
	execve("/usr/bin/env", (char *const[]){ "env", NULL }, variables);
	return 1;
}
