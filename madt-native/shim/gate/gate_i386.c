/*
 * System calls by `int $0x80`: the numbers, structures and pointers of i386, in a 64-bit program.
 * Such a call is made as it is, with everything open; for what MadT does besides, it is told as the
 * x86-64 call that means the same (Linux arch/x86/entry/syscalls, syscall_32.tbl and
 * syscall_64.tbl). A call without such a twin has no number then, and no events. Those that MadT
 * would have to translate end the recording.
 */
#include "gate/gate_parts.h"

#define MMAP2 192
#define WAITPID 7
#define WAIT4 114

struct twin {
	uint16_t number, means;
};

/* Their arguments are the same, and so is what they point to. */
static const struct twin twins[] = {
	{ 1, __NR_exit },
	{ 2, __NR_fork },
	{ 3, __NR_read },
	{ 4, __NR_write },
	{ 5, __NR_open },
	{ 6, __NR_close },
	{ WAITPID, __NR_wait4 },
	{ 8, __NR_creat },
	{ 10, __NR_unlink },
	{ 12, __NR_chdir },
	{ 33, __NR_access },
	{ 38, __NR_rename },
	{ 39, __NR_mkdir },
	{ 40, __NR_rmdir },
	{ 41, __NR_dup },
	{ 42, __NR_pipe },
	{ 45, __NR_brk },
	{ 63, __NR_dup2 },
	{ 85, __NR_readlink },
	{ 91, __NR_munmap },
	{ WAIT4, __NR_wait4 },
	{ 122, __NR_uname },
	{ 125, __NR_mprotect },
	{ 163, __NR_mremap },
	{ 175, __NR_rt_sigprocmask },
	{ 176, __NR_rt_sigpending },
	{ 183, __NR_getcwd },
	{ 190, __NR_vfork },
	{ MMAP2, __NR_mmap },
	{ 252, __NR_exit_group },
	{ 258, __NR_set_tid_address },
	{ 295, __NR_openat },
	{ 330, __NR_dup3 },
	{ 331, __NR_pipe2 },
	{ 355, __NR_getrandom },
	{ 380, __NR_pkey_mprotect },
	{ 397, __NR_shmat },
	{ 398, __NR_shmdt },
	{ 425, __NR_io_uring_setup },
};

/* Signals, new images and threads, filters, and mappings whose arguments lie in memory. */
static const uint16_t leaving[] = {
	11,  /* execve */
	26,  /* ptrace */
	48,  /* signal */
	67,  /* sigaction */
	69,  /* ssetmask */
	72,  /* sigsuspend */
	90,  /* mmap, of old */
	117, /* ipc */
	119, /* sigreturn */
	120, /* clone */
	126, /* sigprocmask */
	172, /* prctl */
	173, /* rt_sigreturn */
	174, /* rt_sigaction */
	177, /* rt_sigtimedwait */
	179, /* rt_sigsuspend */
	186, /* sigaltstack */
	257, /* remap_file_pages */
	308, /* pselect6 */
	309, /* ppoll */
	311, /* set_robust_list */
	319, /* epoll_pwait */
	321, /* signalfd */
	327, /* signalfd4 */
	354, /* seccomp */
	358, /* execveat */
	386, /* rseq */
	413, /* pselect6_time64 */
	414, /* ppoll_time64 */
	416, /* io_pgetevents_time64 */
	421, /* rt_sigtimedwait_time64 */
	435, /* clone3 */
	441, /* epoll_pwait2 */
};

static long meaning(long number)
{
	for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
		if (twins[i].number == number)
			return twins[i].means;
	return -1;
}

void gate_i386_read(struct pending *pending, const greg_t *registers)
{
	static const int place[6] = { REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP };

	pending->i386 = true;
	pending->number = meaning(pending->made);
	for (int i = 0; i < 6; i++)
		pending->argument[i] = (uint32_t)registers[place[i]];
	if (pending->made == MMAP2)
		pending->argument[5] *= MADT_PAGE;
	if (pending->made == WAITPID || pending->made == WAIT4)
		pending->argument[3] = 0; /* none, or one of another layout */
}

bool gate_i386_leaves(const struct pending *pending)
{
	for (size_t i = 0; pending->i386 && i < sizeof leaving / sizeof *leaving; i++)
		if (leaving[i] == pending->made)
			return true;
	return false;
}
