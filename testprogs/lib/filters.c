/*
 * Installs a seccomp filter (seccomp(2)) and goes on under it: filters HOW. Every way ends with
 * status 21 and the line "HOW: done", unless the filter itself wills otherwise.
 *
 *   strict     mode strict: read, write, exit alone
 *   few        what this program does and nothing else, any other call kills the process; a thread
 *              and a child are made under it
 *   trap       the same, other calls raise SIGSYS: none comes but the one that is made on purpose
 *   errors     other calls fail with EPERM
 *   all        a filter that forbids one call that nobody makes
 *   log        the same, logging
 *   threads    few, installed for all threads (TSYNC) while others run
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *how;
static volatile int numbers[1000], trapped;
static int begun;

static void work(void)
{
	for (int i = 0; i < 1000; i++)
		numbers[i] += i;
}

static void put(const char *text)
{
	char line[80];
	size_t n = strlen(how), m = strlen(text);

	memcpy(line, how, n);
	memcpy(line + n, ": ", 2);
	memcpy(line + n + 2, text, m);
	line[n + 2 + m] = '\n';
	if (write(1, line, n + m + 3) < 0)
		syscall(SYS_exit_group, 3);
}

static void *thread_works(void *none)
{
	__atomic_fetch_add(&begun, 1, __ATOMIC_SEQ_CST);
	for (;;)
		work();
	return none;
}

static void trap(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	trapped += info->si_syscall == SYS_getppid ? 1 : 100;
}

static const unsigned allowed[] = { SYS_read, SYS_write, SYS_exit, SYS_exit_group, SYS_clone,
	SYS_clone3, SYS_wait4, SYS_set_robust_list, SYS_rseq, SYS_mmap, SYS_munmap, SYS_mprotect,
	SYS_brk, SYS_futex, SYS_madvise };

/* The calls above, and those of `more`; of anything else the verdict is `other`. */
static int install(unsigned other, unsigned more, unsigned flags)
{
	struct sock_filter rules[64];
	struct sock_fprog filter = { 0, rules };
	unsigned n = sizeof allowed / sizeof *allowed;

	rules[filter.len++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, arch));
	rules[filter.len++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64,
			1, 0);
	rules[filter.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	rules[filter.len++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr));
	for (unsigned i = 0; i <= n; i++)
		rules[filter.len++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
				i < n ? allowed[i] : more, (unsigned char)(n + 1 - i), 0);
	rules[filter.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, other);
	rules[filter.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &filter);
}

static int forbid_one(unsigned verdict)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_acct, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, verdict),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = { sizeof rules / sizeof *rules, rules };

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

static void *nothing(void *none)
{
	work();
	return none;
}

/* clone as such: fork of the library makes other calls too. */
static void child_and_thread(void)
{
	int status = -1;
	long pid = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid == 0) {
		work();
		syscall(SYS_exit_group, 5);
	}
	if (pid > 0)
		syscall(SYS_wait4, pid, &status, 0, 0);
	put(pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 5 ? "child is right"
																 : "child is wrong");
}

int main(int argc, char **argv)
{
	pthread_t thread[3];
	int failed = 0;

	how = argc > 1 ? argv[1] : "";
	signal(SIGUSR1, SIG_IGN);
	work();
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (!strcmp(how, "strict")) {
		failed = prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0);
		work();
		put("done");
		syscall(SYS_exit, failed ? 1 : 21);
	} else if (!strcmp(how, "few")) {
		failed = install(SECCOMP_RET_KILL_PROCESS, SYS_write, 0);
		child_and_thread();
	} else if (!strcmp(how, "trap")) {
		struct sigaction action = { .sa_sigaction = trap, .sa_flags = SA_SIGINFO };

		sigaction(SIGSYS, &action, NULL);
		failed = install(SECCOMP_RET_TRAP, SYS_rt_sigreturn, 0);
		syscall(SYS_getppid);
		child_and_thread();
		put(trapped == 1 ? "trapped once" : "trapped otherwise");
	} else if (!strcmp(how, "errors")) {
		failed = install(SECCOMP_RET_ERRNO | EPERM, SYS_write, 0);
		put(syscall(SYS_getppid) == -1 && errno == EPERM ? "refused" : "not refused");
		child_and_thread();
	} else if (!strcmp(how, "threads")) {
		for (int i = 0; i < 3; i++)
			pthread_create(&thread[i], NULL, thread_works, NULL);
		while (__atomic_load_n(&begun, __ATOMIC_SEQ_CST) < 3)
			work();
		failed = install(SECCOMP_RET_KILL_PROCESS, SYS_write, SECCOMP_FILTER_FLAG_TSYNC);
		work();
		child_and_thread();
	} else {
		failed = forbid_one(!strcmp(how, "log") ? SECCOMP_RET_LOG : SECCOMP_RET_KILL_PROCESS);
		pthread_create(&thread[0], NULL, nothing, NULL);
		pthread_join(thread[0], NULL);
		child_and_thread();
	}
	work();
	put(failed ? "not installed" : "done");
	syscall(SYS_exit_group, 21);
}
