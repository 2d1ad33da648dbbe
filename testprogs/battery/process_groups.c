/* Subreapers, process groups, job control and the forms of wait: orphans, stops, groups, WNOWAIT. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what, idtype_t type, id_t id, int options)
{
	siginfo_t info;
	int result;

	memset(&info, 0, sizeof info);
	result = waitid(type, id, &info, options);
	printf("%s: %d, code %d, status %d\n", what, result, info.si_code, info.si_status);
}

static pid_t sleeper(pid_t group)
{
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, group);
		for (;;)
			pause();
	}
	setpgid(pid, group);
	return pid;
}

static void orphan(void)
{
	int status, ends[2];
	char byte;
	pid_t pid;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (pipe(ends))
		return;
	pid = fork();
	if (pid == 0) {
		if (fork() == 0) {
			close(ends[1]);
			_exit(read(ends[0], &byte, 1) == 0 ? 17 : 1);
		}
		_exit(3);
	}
	waitpid(pid, &status, 0);
	printf("child %x\n", status);
	close(ends[0]);
	close(ends[1]);
	printf("orphan is mine: %d", wait(&status) > 0);
	printf(", %x\n", status);
}

int main(void)
{
	struct rusage usage;
	int status;
	pid_t leader = sleeper(0), second = sleeper(leader);

	printf("group: %d\n", getpgid(second) == leader);
	kill(-leader, SIGSTOP);
	say("stopped, left", P_PID, (id_t)leader, WSTOPPED | WNOWAIT);
	say("stopped", P_PID, (id_t)leader, WSTOPPED);
	say("stopped, of the group", P_PGID, (id_t)leader, WSTOPPED);
	say("nothing", P_PGID, (id_t)leader, WSTOPPED | WEXITED | WNOHANG);
	kill(-leader, SIGCONT);
	say("continued", P_PID, (id_t)second, WCONTINUED);
	say("continued", P_PID, (id_t)leader, WCONTINUED);
	kill(leader, SIGKILL);
	say("killed", P_ALL, 0, WEXITED);
	printf("second: %d", kill(-leader, SIGTERM));
	printf(", %d", wait4(-leader, &status, 0, &usage) == second);
	printf(", status %x\n", status);
	printf("none: %d", waitpid(-leader, &status, 0));
	printf(", %s\n", strerror(errno));
	orphan();
	return 0;
}
