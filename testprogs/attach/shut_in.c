/*
 * Works under a seccomp filter of its own: shut_in HOW. It says "ready" once it has one.
 *
 *   allows     all is allowed
 *   forbids    tgkill ends the process, all else is allowed
 *   container  a list of calls, as Docker has it; all others fail
 *   argument   memory that the program maps or protects may not be executable, as for systemd's
 *              MemoryDenyWriteExecute
 *   family     sockets of some kinds fail
 *   exactly    calls that MadT says it makes, and the program's own; any other ends the process
 *   place      calls from high addresses fail
 *   thread     a thread has a filter that forbids tgkill, the first one has none
 */
#define _GNU_SOURCE
#include "../../madt-native/include/madt_calls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF(value, then, other) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, other)
#define IF_SET(value, then, other) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, value, then, other)
#define ANSWER(verdict) BPF_STMT(BPF_RET | BPF_K, verdict)
#define FAILS (SECCOMP_RET_ERRNO | EPERM)
#define COUNT(array) (sizeof array / sizeof *array)

static volatile int numbers[1000];

static void install(struct sock_filter *rules, size_t count)
{
	struct sock_fprog program = { (unsigned short)count, rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
			|| prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		exit(1);
}

static void allow(void)
{
	struct sock_filter rules[] = { ANSWER(SECCOMP_RET_ALLOW) };

	install(rules, COUNT(rules));
}

static void forbid(void)
{
	struct sock_filter rules[] = { LOAD(nr), IF(SYS_tgkill, 0, 1), ANSWER(SECCOMP_RET_KILL_PROCESS),
		ANSWER(SECCOMP_RET_ALLOW) };

	install(rules, COUNT(rules));
}

/* Those that Docker's profile forbids among the first ones, and what has come since. */
static void contain(void)
{
	static const int forbidden[] = { SYS_uselib, SYS_ustat, SYS_sysfs, SYS_vhangup, SYS_modify_ldt,
		SYS_pivot_root, SYS__sysctl, SYS_acct, SYS_settimeofday, SYS_mount, SYS_umount2, SYS_swapon,
		SYS_swapoff, SYS_reboot, SYS_sethostname, SYS_setdomainname, SYS_iopl, SYS_ioperm,
		SYS_create_module, SYS_init_module, SYS_delete_module, SYS_get_kernel_syms,
		SYS_query_module, SYS_quotactl, SYS_nfsservctl, SYS_lookup_dcookie, SYS_clock_settime,
		SYS_kexec_load, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_mbind, SYS_set_mempolicy,
		SYS_get_mempolicy, SYS_unshare, SYS_move_pages, SYS_perf_event_open, SYS_open_by_handle_at,
		SYS_setns, SYS_kcmp, SYS_finit_module, SYS_bpf, SYS_userfaultfd };
	struct sock_filter rules[1024];
	size_t n = 0;

	rules[n++] = (struct sock_filter)LOAD(arch);
	rules[n++] = (struct sock_filter)IF(AUDIT_ARCH_X86_64, 1, 0);
	rules[n++] = (struct sock_filter)ANSWER(FAILS);
	rules[n++] = (struct sock_filter)LOAD(nr);
	for (int number = 0; number < 450; number++) {
		int allowed = number <= 334 || number >= 424;

		for (size_t i = 0; allowed && i < COUNT(forbidden); i++)
			allowed = forbidden[i] != number;
		if (!allowed)
			continue;
		/* a jump goes 255 instructions at most: an answer behind each */
		rules[n++] = (struct sock_filter)IF((unsigned)number, 0, 1);
		rules[n++] = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
		if (n + 4 > COUNT(rules))
			break;
	}
	rules[n++] = (struct sock_filter)ANSWER(FAILS);
	install(rules, n);
}

static void by_argument(void)
{
	struct sock_filter rules[] = { LOAD(nr), IF(SYS_mprotect, 1, 0), IF(SYS_mmap, 0, 2),
		LOAD(args[2]), IF_SET(PROT_EXEC, 1, 0), ANSWER(SECCOMP_RET_ALLOW), ANSWER(FAILS) };

	install(rules, COUNT(rules));
}

static void by_family(void)
{
	struct sock_filter rules[] = { LOAD(nr), IF(SYS_socket, 0, 3), LOAD(args[0]),
		IF(AF_VSOCK, 0, 1), ANSWER(FAILS), ANSWER(SECCOMP_RET_ALLOW) };

	install(rules, COUNT(rules));
}

static void by_place(void)
{
	struct sock_filter rules[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
		BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 0x10000, 0, 1), ANSWER(FAILS), ANSWER(SECCOMP_RET_ALLOW)
	};

	install(rules, COUNT(rules));
}

static void permit(struct sock_filter *rules, size_t *n, unsigned number)
{
	rules[(*n)++] = (struct sock_filter)IF(number, 0, 1);
	rules[(*n)++] = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
}

static void allow_exactly(void)
{
	static const unsigned own[] = { SYS_write, SYS_clock_nanosleep, SYS_restart_syscall, SYS_open,
		SYS_pwrite64, SYS_process_vm_readv };
	struct sock_filter rules[512];
	size_t n = 0;

	rules[n++] = (struct sock_filter)LOAD(nr);
	for (size_t i = 0; i < MADT_OWN_CALLS; i++)
		permit(rules, &n, madt_own_calls[i].number);
	for (size_t i = 0; i < COUNT(own); i++)
		permit(rules, &n, own[i]);
	rules[n++] = (struct sock_filter)ANSWER(SECCOMP_RET_KILL_PROCESS);
	install(rules, n);
}

static void *forbidden_thread(void *ready)
{
	forbid();
	*(volatile int *)ready = 1;
	for (;;)
		pause();
	return NULL;
}

static void by_thread(void)
{
	static volatile int ready;
	pthread_t thread;

	pthread_create(&thread, NULL, forbidden_thread, (void *)&ready);
	while (!ready)
		usleep(1000);
}

static const struct way {
	const char *name;
	void (*shut)(void);
} ways[] = { { "allows", allow }, { "forbids", forbid }, { "container", contain },
	{ "argument", by_argument }, { "family", by_family }, { "place", by_place },
	{ "exactly", allow_exactly }, { "thread", by_thread } };

__attribute__((noinline)) static void work(void)
{
	for (int i = 0; i < 1000; i++)
		numbers[i] += i;
}

int main(int count, char **arguments)
{
	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where Yama asks for that */
	for (size_t i = 0; i < COUNT(ways); i++)
		if (count > 1 && strcmp(arguments[1], ways[i].name) == 0)
			ways[i].shut();
	if (write(1, "ready\n", 6) != 6)
		return 1;
	for (;;) {
		work();
		usleep(1000);
	}
}
