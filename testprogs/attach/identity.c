/* Says what a program can see of itself: it is linked statically. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void descriptors_tell(void)
{
	DIR *folder = opendir("/proc/self/fd");
	struct dirent *entry;
	int count = 0;

	while ((entry = readdir(folder)))
		count += *entry->d_name != '.';
	closedir(folder);
	printf("descriptors %d\n", count - 1);
}

static void signals_tell(void)
{
	sigset_t blocked;
	stack_t stack;

	sigprocmask(SIG_SETMASK, NULL, &blocked);
	for (int i = 1; i < NSIG; i++) {
		struct sigaction action;

		if (sigaction(i, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
			printf("signal %d %s\n", i, action.sa_handler == SIG_IGN ? "ignored" : "handled");
		if (sigismember(&blocked, i) == 1)
			printf("signal %d blocked\n", i);
	}
	sigaltstack(NULL, &stack);
	printf("alternate stack %d %zu\n", stack.ss_flags, stack.ss_size);
}

static volatile sig_atomic_t taken;
static void on_signal(int number)
{
	taken = number;
}

int main(int count, char **arguments)
{
	static const unsigned long told[] = { AT_PHDR, AT_PHNUM, AT_ENTRY, AT_SECURE };
	char exe[1024], name[16];
	ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
	long variables = 0;

	exe[length > 0 ? length : 0] = 0;
	prctl(PR_GET_NAME, name);
	printf("%s %s %s\n", exe, name, (char *)getauxval(AT_EXECFN));
	for (int i = 0; i < count; i++)
		printf("argument %s\n", arguments[i]);
	for (size_t i = 0; i < sizeof told / sizeof *told; i++)
		printf("%lu %lx\n", told[i], getauxval(told[i]));
	for (char **variable = environ; *variable; variable++)
		variables += strncmp(*variable, "MADT_", 5) == 0 || strncmp(*variable, "LD_", 3) == 0;
	printf("variables %ld\n", variables);
	descriptors_tell();
	signals_tell();
	printf("children %d %s\n", (int)waitpid(-1, NULL, 0), strerror(errno));
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	printf("taken %d\n", taken);
	fflush(stdout);
	return count > 1 ? raise(SIGTERM) : 7;
}
