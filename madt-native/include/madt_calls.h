/*
 * The system calls that MadT makes by itself in the target's process, with arguments as it has them:
 * what a seccomp filter of the target's has to let pass.
 */
#ifndef MADT_CALLS_H
#define MADT_CALLS_H

#include <asm/prctl.h>
#include <asm/unistd.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif

struct madt_own_call {
	char name[20];
	uint16_t number;
	bool needed;     /* an error is no answer that MadT can live with */
	uint8_t unknown; /* arguments that may be any: pointers, descriptors, numbers of threads */
	int64_t argument[6];
};

#define MADT_OWN_CALL(call, needed, unknown, ...) \
	{                                             \
#call, __NR_##call, needed, unknown,      \
		{                                         \
			__VA_ARGS__                           \
		}                                         \
	}
#define MADT_MAP_OWN (MAP_PRIVATE | MAP_ANONYMOUS)

static const struct madt_own_call madt_own_calls[] = {
	MADT_OWN_CALL(rt_sigreturn, true, 0, 0),
	MADT_OWN_CALL(rt_sigaction, true, 7, SIGUSR1, 1, 0, 8),
	MADT_OWN_CALL(rt_sigprocmask, true, 6, SIG_SETMASK, 1, 0, 8),
	MADT_OWN_CALL(rt_tgsigqueueinfo, true, 15, 1, 1, SIGUSR1, 1),
	MADT_OWN_CALL(rt_sigqueueinfo, false, 7, 1, SIGUSR1, 1),
	MADT_OWN_CALL(rt_sigtimedwait, false, 7, 1, 0, 1, 8),
	MADT_OWN_CALL(tgkill, true, 3, 1, 1, 0),
	MADT_OWN_CALL(tkill, true, 1, 1, 0),
	MADT_OWN_CALL(sigaltstack, true, 3, 1, 0),
	MADT_OWN_CALL(futex, true, 0x3d, 1, FUTEX_WAKE, 1),
	MADT_OWN_CALL(futex, true, 0x3d, 1, FUTEX_WAIT, 1, 1),
	MADT_OWN_CALL(futex, true, 0x3d, 1, FUTEX_WAKE_PRIVATE, 1),
	MADT_OWN_CALL(futex, true, 0x3d, 1, FUTEX_WAIT_PRIVATE, 1, 1),
	MADT_OWN_CALL(sched_yield, true, 0, 0),
	MADT_OWN_CALL(nanosleep, true, 3, 1, 0),
	MADT_OWN_CALL(ppoll, false, 4, 0, 0, 1, 0, 0),
	MADT_OWN_CALL(clock_gettime, false, 2, 1, 1),
	MADT_OWN_CALL(gettid, true, 0, 0),
	MADT_OWN_CALL(getpid, true, 0, 0),
	MADT_OWN_CALL(getppid, true, 0, 0),
	MADT_OWN_CALL(getuid, true, 0, 0),
	MADT_OWN_CALL(geteuid, true, 0, 0),
	MADT_OWN_CALL(getrusage, false, 2, 1, 1),
	MADT_OWN_CALL(prlimit64, false, 12, 0, 2, 0, 1),
	MADT_OWN_CALL(arch_prctl, true, 2, ARCH_SET_GS, 1),
	MADT_OWN_CALL(arch_prctl, true, 2, ARCH_GET_GS, 1),
	MADT_OWN_CALL(arch_prctl, true, 2, ARCH_GET_FS, 1),
	MADT_OWN_CALL(prctl, true, 12, 59 /* PR_SET_SYSCALL_USER_DISPATCH */, 1, 1, 1),
	MADT_OWN_CALL(prctl, false, 2, PR_GET_NAME, 1),
	MADT_OWN_CALL(prctl, false, 2, PR_GET_TSC, 1),
	MADT_OWN_CALL(mmap, true, 0x33, 1, 4096, PROT_READ | PROT_WRITE, MADT_MAP_OWN, -1),
	MADT_OWN_CALL(mmap, true, 0x33, 1, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 3),
	MADT_OWN_CALL(mmap, true, 0x33, 1, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, 3),
	MADT_OWN_CALL(munmap, true, 3, 1, 4096),
	MADT_OWN_CALL(mprotect, true, 3, 1, 4096, PROT_NONE),
	MADT_OWN_CALL(mprotect, true, 3, 1, 4096, PROT_READ),
	MADT_OWN_CALL(mprotect, true, 3, 1, 4096, PROT_READ | PROT_EXEC),
	MADT_OWN_CALL(mprotect, true, 3, 1, 4096, PROT_READ | PROT_WRITE),
	MADT_OWN_CALL(madvise, true, 3, 1, 4096, MADV_DONTFORK),
	MADT_OWN_CALL(madvise, false, 3, 1, 4096, MADV_POPULATE_READ),
	MADT_OWN_CALL(madvise, false, 3, 1, 4096, MADV_POPULATE_WRITE),
	MADT_OWN_CALL(mremap, false, 0x13, 1, 0, 4096, 3, 1),
	MADT_OWN_CALL(remap_file_pages, false, 11, 1, 4096, 0, 1, MAP_NONBLOCK),
	MADT_OWN_CALL(process_vm_readv, false, 0x17, 1, 1, 1, 1, 1, 0),
	MADT_OWN_CALL(process_vm_writev, false, 0x17, 1, 1, 1, 1, 1, 0),
	MADT_OWN_CALL(memfd_create, false, 1, 1, 1),
	MADT_OWN_CALL(openat, false, 2, -100, 1, 2),
	MADT_OWN_CALL(open, false, 1, 1, 2),
	MADT_OWN_CALL(read, false, 7, 3, 1, 1),
	MADT_OWN_CALL(pread64, false, 15, 3, 1, 1),
	MADT_OWN_CALL(lseek, false, 1, 3, 0, 1),
	MADT_OWN_CALL(write, false, 6, 2, 1, 1),
	MADT_OWN_CALL(close, false, 1, 3),
	MADT_OWN_CALL(fstat, false, 3, 3, 1),
	MADT_OWN_CALL(fstatfs, false, 3, 3, 1),
	MADT_OWN_CALL(readlink, false, 7, 1, 1, 1),
	MADT_OWN_CALL(getsockopt, false, 0x19, 3, SOL_SOCKET, SO_TYPE, 1, 1),
	MADT_OWN_CALL(getsockopt, false, 0x19, 3, SOL_SOCKET, SO_RCVTIMEO, 1, 1),
	MADT_OWN_CALL(getsockname, false, 7, 3, 1, 1),
	MADT_OWN_CALL(getpeername, false, 7, 3, 1, 1),
	MADT_OWN_CALL(socket, false, 0, AF_UNIX, SOCK_STREAM),
	MADT_OWN_CALL(connect, false, 3, 3, 1, 110),
	MADT_OWN_CALL(sendto, false, 3, 3, 1, 4),
	MADT_OWN_CALL(timer_create, false, 6, 1 /* CLOCK_MONOTONIC */, 1, 1),
	MADT_OWN_CALL(timer_settime, false, 15, 1, 1, 1),
	MADT_OWN_CALL(timer_delete, false, 1, 1),
	MADT_OWN_CALL(get_robust_list, false, 6, 0, 1, 1),
	MADT_OWN_CALL(set_robust_list, false, 1, 1, 24),
	MADT_OWN_CALL(shmctl, false, 5, 1, 2, 1),
	MADT_OWN_CALL(brk, false, 0, 0),
};
#define MADT_OWN_CALLS (sizeof madt_own_calls / sizeof *madt_own_calls)

#endif
