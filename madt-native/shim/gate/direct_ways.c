/*
 * Which system calls need no gate (engine splice).
 *
 * A call goes to the gate if MadT has to answer it, to change it, or to know of it: signal masks,
 * mappings, threads, processes and programs, what installs filters. What is done with signals and
 * the alternate stack is answered without it. All other calls change nothing that MadT knows of.
 * Calls that may begin or end something that has to be followed (a descriptor that shows MadT's
 * signals) are looked at by their arguments; once there is such a thing, all calls that could meet
 * it go to the gate.
 */
#include "gate/direct.h"

#include "gate/calls.h"
#include "gate/gate_parts.h"
#include "session/session.h"

#define NUMBERS 1024 /* more than the kernel has */

uint8_t direct_way[DIRECT_WAYS];

/* Calls that calls.c knows and the gate must see: see gate_answer, gate_prepare, gate_return. */
static const uint16_t seen[] = {
	__NR_rt_sigprocmask,
	__NR_rt_sigreturn,
	__NR_rt_sigpending,
	__NR_rt_sigsuspend,
	__NR_rt_sigtimedwait,
	__NR_rt_sigqueueinfo,
	__NR_rt_tgsigqueueinfo,
	__NR_signalfd,
	__NR_signalfd4,
	__NR_pidfd_send_signal,
	__NR_kill,
	__NR_tkill,
	__NR_tgkill,
	__NR_mmap,
	__NR_munmap,
	__NR_mremap,
	__NR_mprotect,
	__NR_pkey_mprotect,
	__NR_pkey_alloc,
	__NR_pkey_free,
	__NR_brk,
	__NR_shmat,
	__NR_shmdt,
	__NR_clone,
	__NR_clone3,
	__NR_fork,
	__NR_vfork,
	__NR_execve,
	__NR_execveat,
	__NR_exit,
	__NR_exit_group,
	__NR_wait4,
	__NR_waitid,
	__NR_unshare,
	__NR_setns,
	__NR_personality,
	__NR_ptrace,
	__NR_seccomp,
	__NR_prctl,
	__NR_arch_prctl,
	__NR_set_tid_address,
	__NR_set_robust_list,
	__NR_get_robust_list,
	__NR_rseq,
	__NR_io_setup,
	__NR_io_destroy,
	__NR_io_getevents,
	__NR_io_pgetevents,
	__NR_vmsplice,
};

/* Calls whose arguments decide: see needs_gate; and those that direct_look answers. */
static const uint16_t asked[] = {
	__NR_rt_sigaction,
	__NR_sigaltstack,
	__NR_open,
	__NR_openat,
	__NR_openat2,
	__NR_creat,
	__NR_ppoll,
	__NR_pselect6,
	__NR_epoll_pwait,
	__NR_epoll_pwait2,
	__NR_setsockopt,
};

/* Calls that may wait with a time limit, of those that no other table has: see wait_limit.c. */
static const uint16_t limited[] = { __NR_nanosleep, __NR_clock_nanosleep, __NR_poll, __NR_select,
	__NR_epoll_wait, __NR_futex, __NR_semtimedop };
/* Of these, those that are made most, and most often without a limit; it is the fourth argument. */
static const uint16_t by_fourth[] = { __NR_epoll_wait, __NR_futex };
/* Calls that a socket's own limit may end: see socket_wait.c. */
static const uint16_t of_sockets[] = { __NR_read, __NR_readv, __NR_write, __NR_writev,
	__NR_recvfrom, __NR_recvmsg, __NR_recvmmsg, __NR_sendto, __NR_sendmsg, __NR_sendmmsg,
	__NR_accept, __NR_accept4, __NR_connect };
static uint8_t besides[NUMBERS]; /* which way they would have, of the calls of either list */

/* What may meet a descriptor of /proc/PID/status: see gate_status. */
static const uint16_t of_status[] = { __NR_read, __NR_pread64, __NR_dup, __NR_dup2, __NR_dup3,
	__NR_fcntl, __NR_close };

/* What may meet a descriptor of a file that names a thread: see thread_name.c. */
static const uint16_t of_names[] = { __NR_write, __NR_pwrite64, __NR_writev, __NR_close };

/* What may look at a descriptor of signalfd: see gate_masked. */
static const uint16_t of_signals[] = { __NR_read, __NR_readv, __NR_poll, __NR_ppoll, __NR_select,
	__NR_pselect6, __NR_epoll_wait, __NR_epoll_pwait, __NR_epoll_pwait2 };

/* What may bring the bytes that open or close a window: see gate_reads.c. */
static const uint16_t of_reads[] = { __NR_read, __NR_readv, __NR_pread64, __NR_preadv, __NR_preadv2,
	__NR_recvfrom, __NR_recvmsg };

#define SET(numbers, way) ways_set(numbers, sizeof numbers / sizeof *numbers, way)

static void ways_set(const uint16_t *numbers, size_t count, enum direct_way way)
{
	for (size_t i = 0; i < count; i++)
		direct_way[numbers[i]] = (uint8_t)way;
}

static enum direct_way way_of(const struct call *call)
{
	return !call->count ? DIRECT_PLAIN : call_has_limit(call) ? DIRECT_LENGTHS : DIRECT_POINTERS;
}

/* Returns the way of a call while nothing else is followed. */
static enum direct_way way_at(long number)
{
	static const long none[6];
	const struct call *call;
	enum direct_way way = DIRECT_NOT;

	if (call_by_operation(number, none, &call))
		way = call && call_has_limit(call) ? DIRECT_LENGTHS : DIRECT_POINTERS;
	else if ((call = call_find(number, none)))
		way = way_of(call);
	else if (number == __NR_restart_syscall)
		way = DIRECT_PLAIN;
	return way != DIRECT_NOT && (call_time_told() || handed_is_told(number)) ? DIRECT_TIMED : way;
}

enum direct_way direct_way_besides(long number)
{
	return number < NUMBERS ? (enum direct_way)besides[number] : DIRECT_NOT;
}

void direct_ways_set(void)
{
	if (engine.closes)
		return;
	for (long number = 0; number < NUMBERS; number++)
		direct_way[number] = (uint8_t)way_at(number);
	SET(seen, DIRECT_NOT);
	SET(asked, DIRECT_ASK);
	for (size_t i = 0; i < sizeof limited / sizeof *limited; i++)
		besides[limited[i]] = direct_way[limited[i]];
	for (size_t i = 0; i < sizeof of_sockets / sizeof *of_sockets; i++)
		besides[of_sockets[i]] = direct_way[of_sockets[i]];
	SET(limited, DIRECT_LIMITED);
	for (size_t i = 0; i < sizeof by_fourth / sizeof *by_fourth; i++)
		if (direct_way_besides(by_fourth[i]) == DIRECT_POINTERS)
			direct_way[by_fourth[i]] = DIRECT_LIMITED_4;
	if (gate_reads_watched())
		SET(of_reads, DIRECT_NOT);
}

/* What goes to the gate for as long as the process lives. */
static bool left_all, left_status;
static bool sockets; /* are followed */

void direct_follow_sockets(void)
{
	sockets = true;
	for (size_t i = 0; i < sizeof of_sockets / sizeof *of_sockets; i++)
		if (direct_way[of_sockets[i]] != DIRECT_NOT)
			direct_way[of_sockets[i]] = DIRECT_LIMITED;
}

void direct_leave_status(void)
{
	left_status = true;
	SET(of_status, DIRECT_NOT);
}

void direct_leave_all(void)
{
	left_all = true;
	bytes_set(direct_way, DIRECT_NOT, sizeof direct_way);
}

void direct_leave_signals(void)
{
	SET(of_signals, DIRECT_NOT);
}

void direct_follow_names(bool follow)
{
	if (engine.closes)
		return;
	if (follow)
		SET(of_names, DIRECT_NOT);
	for (size_t i = 0; !follow && !left_all && i < sizeof of_names / sizeof *of_names; i++)
		if (!left_status || of_names[i] != __NR_close)
			direct_way[of_names[i]] = (uint8_t)way_at(of_names[i]);
	if (sockets && !follow)
		direct_follow_sockets();
}
