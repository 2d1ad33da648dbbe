/* Programs started by posix_spawn, system, popen, and by clone with a stack that the program chose. */
/* flags: -O1 -pthread */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile int seen[4];

static int ended(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return status;
}

static void spawn(const char *what, char *file, char *command, posix_spawn_file_actions_t *actions,
		posix_spawnattr_t *attributes)
{
	char *arguments[] = { file, "-c", command, NULL };
	pid_t child = -1;
	int error = posix_spawnp(&child, file, actions, attributes, arguments, environ);

	fflush(stdout);
	printf("%s: %s, %#x\n", what, strerrorname_np(error) ? strerrorname_np(error) : "0",
			error ? 0 : ended(child));
}

static int in_clone(void *raw)
{
	seen[*(int *)raw] = 1 + *(int *)raw;
	for (volatile int i = 0; i < 500; i++)
		((volatile int *)raw)[1] += i;
	return 17;
}

static void *spawner(void *raw)
{
	for (int i = 0; i < 2; i++)
		spawn(raw, "sh", "exit 5", NULL, NULL);
	return NULL;
}

static void clones(void)
{
	char *stack = malloc(65536);
	int *given = calloc(2, sizeof(int)), number = 0;
	pid_t child;
	long result;

	for (; number < 2; number++) {
		given[0] = number;
		child = clone(in_clone, stack + 65536 - (number ? 64 : 0), CLONE_VM | CLONE_VFORK | SIGCHLD,
				given);
		printf("clone: %#x, %d %d\n", ended(child), seen[number], given[1]);
	}
	struct clone_args arguments = { .flags = CLONE_VM | CLONE_VFORK | CLONE_CLEAR_SIGHAND,
		.exit_signal = SIGCHLD };
	__asm__ volatile("syscall"
					 : "=a"(result)
					 : "a"(__NR_clone3), "D"(&arguments), "S"(sizeof arguments)
					 : "rcx", "r11", "memory");
	child = (pid_t)result;
	if (!child)
		seen[3] = 4, _exit(seen[3]);
	printf("clone3: %#x %d\n", ended(child), seen[3]);
	free(stack), free(given);
}

int main(void)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t set;
	char line[100] = "";
	pthread_t thread;

	setvbuf(stdout, NULL, _IOLBF, 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 5, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, 5, 0);
	spawn("plain", "sh", "exit 3", NULL, NULL);
	spawn("actions", "sh", "read x; exit $((7 + $?))", &actions, NULL);
	posix_spawn_file_actions_addclose(&actions, 77777);
	spawn("bad action", "sh", "exit 1", &actions, NULL);
	spawn("not there", "no-such-program", "", NULL, NULL);
	posix_spawnattr_init(&attributes);
	sigfillset(&set), sigdelset(&set, SIGTERM);
	posix_spawnattr_setsigmask(&attributes, &set);
	sigemptyset(&set), sigaddset(&set, SIGTERM), sigaddset(&set, SIGTRAP);
	posix_spawnattr_setsigdefault(&attributes, &set);
	posix_spawnattr_setflags(&attributes,
			POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
	signal(SIGTERM, SIG_IGN), signal(SIGTRAP, SIG_IGN);
	spawn("signals", "sh", "kill -INT $$; kill -SEGV $$; kill -TERM $$; exit 1", NULL, &attributes);
	spawn("ignored", "sh", "kill -TERM $$; kill -TRAP $$; exit 8", NULL, NULL);
	spawn("mask", "sh", "grep -E 'Sig(Blk|Ign)' /proc/self/status; exit 2", NULL, &attributes);
	printf("system %#x\n", system("exit 11"));
	printf("system %#x\n", system("kill -KILL $$"));
	FILE *pipe = popen("echo from; exit 4", "r");
	printf("%s", fgets(line, sizeof line, pipe));
	printf("popen %#x\n", pclose(pipe));
	clones();
	pthread_create(&thread, NULL, spawner, "beside");
	spawner("beside"), pthread_join(thread, NULL);
	return 0;
}
