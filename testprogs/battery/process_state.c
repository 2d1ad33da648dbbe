/* flags: -O1 -pthread */
/* What the kernel keeps for a process: personality, name, affinity, usage, barriers, dumpability. */
#define _GNU_SOURCE
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

static void *named(void *unused)
{
	char name[16];

	prctl(PR_SET_NAME, "a thread's");
	pthread_getname_np(pthread_self(), name, sizeof name);
	printf("thread %s\n", name);
	return unused;
}

static void usage(void)
{
	struct rusage before, after, children;
	volatile long sum = 0;

	getrusage(RUSAGE_SELF, &before);
	for (long i = 0; i < 3000000; i++)
		sum += i;
	if (fork() == 0)
		_exit(4);
	wait3(NULL, 0, &children);
	getrusage(RUSAGE_SELF, &after);
	printf("usage: more %d, memory %d, child %d, times %d\n",
			after.ru_utime.tv_sec * 1000000 + after.ru_utime.tv_usec
					>= before.ru_utime.tv_sec * 1000000 + before.ru_utime.tv_usec,
			after.ru_maxrss > 0, children.ru_maxrss > 0, times(&(struct tms){ 0 }) != -1);
}

int main(void)
{
	char name[16], text[64] = "";
	struct utsname system;
	cpu_set_t all, one;
	pthread_t other;
	unsigned cpu = 99;
	int persona, registered, fenced;

	setvbuf(stdout, NULL, _IOLBF, 0);
	persona = personality(0xffffffff) & ~ADDR_NO_RANDOMIZE; /* with which recording starts */
	printf("personality %x", persona);
	personality((unsigned long)persona | READ_IMPLIES_EXEC | ADDR_NO_RANDOMIZE);
	printf(" %x\n", personality(0xffffffff));
	personality((unsigned long)persona);
	registered = (int)syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
	fenced = (int)syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
	printf("membarrier %d %d\n", registered, fenced);
	pthread_create(&other, NULL, named, NULL), pthread_join(other, NULL);
	prctl(PR_GET_NAME, name);
	printf("name %s, dumpable %d, subreaper %d\n", name, prctl(PR_GET_DUMPABLE),
			prctl(PR_SET_CHILD_SUBREAPER, 1));
	sched_getaffinity(0, sizeof all, &all);
	getcpu(&cpu, NULL);
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	printf("affinity %d %d", CPU_ISSET(cpu, &all) != 0, sched_setaffinity(0, sizeof one, &one));
	printf(" %d\n", sched_setaffinity(0, sizeof all, &all));
	usage();
	uname(&system), setpriority(PRIO_PROCESS, 0, 5);
	printf("system %s, nice %d, secure %ld\n", system.sysname, getpriority(PRIO_PROCESS, 0),
			getauxval(AT_SECURE));
	prctl(PR_SET_PDEATHSIG, SIGHUP), prctl(PR_GET_PDEATHSIG, &persona);
	printf("death signal %d, slack %d\n", persona, prctl(PR_GET_TIMERSLACK) > 0);
	gethostname(text, sizeof text);
	printf("host %d, group %d, session %d\n", strcmp(text, system.nodename),
			getpgid(0) == getpgrp(), getsid(0) > 0);
	return 0;
}
