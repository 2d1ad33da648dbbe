/* System calls whose pointers depend on an operation among their arguments. */
#include "gate/calls.h"

#include <asm/prctl.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <time.h>

#define KERNEL_TERMIOS 36
#define KERNEL_TERMIOS2 44
#define KERNEL_FLOCK 32
#define TIME sizeof(struct timespec)

static const struct call nothing = { true, 0, { { 0 } } };
static const struct call in_4 = { true, 1, { IN(2, 4) } };
static const struct call out_4 = { true, 1, { OUT(2, 4) } };
static const struct call in_8 = { true, 1, { IN(2, 8) } };
static const struct call out_8 = { true, 1, { OUT(2, 8) } };

static const struct call *futex_call(long operation)
{
	static const struct call wait = { true, 2, { IN(0, 4), IN(3, TIME) } };
	static const struct call two = { true, 2, { IN(0, 4), IN_OUT(4, 4) } };
	static const struct call requeue = { true, 3, { IN(0, 4), IN(3, TIME), IN_OUT(4, 4) } };
	static const struct call inherit = { true, 2, { IN_OUT(0, 4), IN(3, TIME) } };

	static const struct call wake = { true, 1, { AT(0, 4) } };

	switch (operation & FUTEX_CMD_MASK) {
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		/* that of processes is found by its page, which is looked up as if it were to be written */
		return operation & FUTEX_PRIVATE_FLAG ? &nothing : &wake;
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return &wait;
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
	case FUTEX_CMP_REQUEUE_PI:
	case FUTEX_WAKE_OP:
		return &two;
	case FUTEX_WAIT_REQUEUE_PI:
		return &requeue;
	case FUTEX_LOCK_PI:
	case 13: /* FUTEX_LOCK_PI2 */
	case FUTEX_TRYLOCK_PI:
	case FUTEX_UNLOCK_PI:
		return &inherit;
	default:
		return NULL;
	}
}

static const struct call *fcntl_call(long operation)
{
	static const struct call get_lock = { true, 1, { IN_OUT(2, KERNEL_FLOCK) } };
	static const struct call set_lock = { true, 1, { IN(2, KERNEL_FLOCK) } };

	switch (operation) {
	case F_GETLK:
	case F_OFD_GETLK:
		return &get_lock;
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		return &set_lock;
	case F_GETOWN_EX:
	case F_GET_RW_HINT:
	case F_GET_FILE_RW_HINT:
		return &out_8;
	case F_SETOWN_EX:
	case F_SET_RW_HINT:
	case F_SET_FILE_RW_HINT:
		return &in_8;
	default:
		return &nothing;
	}
}

/*
 * Returns the call's entry, if it is one of terminals and descriptors; drivers' own requests may
 * hold pointers that only they know.
 */
static const struct call *ioctl_call(unsigned long request)
{
	static const struct call get = { true, 1, { OUT(2, KERNEL_TERMIOS) } };
	static const struct call set = { true, 1, { IN(2, KERNEL_TERMIOS) } };
	static const struct call get2 = { true, 1, { OUT(2, KERNEL_TERMIOS2) } };
	static const struct call set2 = { true, 1, { IN(2, KERNEL_TERMIOS2) } };

	switch (request) {
	case TCGETS:
		return &get;
	case TCSETS:
	case TCSETSW:
	case TCSETSF:
		return &set;
	case 0x802c542a: /* TCGETS2 */
		return &get2;
	case 0x402c542b: /* TCSETS2, TCSETSW2, TCSETSF2 */
	case 0x402c542c:
	case 0x402c542d:
		return &set2;
	case TIOCGWINSZ:
		return &out_8;
	case TIOCSWINSZ:
		return &in_8;
	case TIOCGPGRP:
	case TIOCGSID:
	case TIOCOUTQ:
	case TIOCMGET:
	case FIONREAD:
	case TIOCGPTN:
		return &out_4;
	case TIOCSPGRP:
	case TIOCMBIS:
	case TIOCMBIC:
	case TIOCMSET:
	case TIOCSPTLCK:
	case FIONBIO:
	case FIOASYNC:
		return &in_4;
	case TCSBRK:
	case TCXONC:
	case TCFLSH:
	case TIOCSCTTY:
	case TIOCNOTTY:
	case FIOCLEX:
	case FIONCLEX:
		return &nothing;
	default:
		return NULL;
	}
}

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_SOFT_OFFLINE
#define MADV_SOFT_OFFLINE 101
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

/* Most say what is to become of the mapping and its pages; these use them. */
static const struct call *madvise_call(long advice)
{
	static const struct call used = { true, 1, { AT_N(0, 1, 1) } };

	switch (advice) {
	case MADV_REMOVE:
	case MADV_HWPOISON:
	case MADV_SOFT_OFFLINE:
	case MADV_POPULATE_READ:
	case MADV_POPULATE_WRITE:
	case MADV_COLLAPSE:
		return &used;
	default:
		return &nothing;
	}
}

static const struct call *prctl_call(long operation)
{
	static const struct call name = { true, 1, { TEXT(1) } };
	static const struct call get_name = { true, 1, { OUT(1, 16) } };
	static const struct call get_number = { true, 1, { OUT(1, 4) } };

	switch (operation) {
	case PR_SET_NAME:
		return &name;
	case PR_GET_NAME:
		return &get_name;
	case PR_GET_PDEATHSIG:
	case PR_GET_CHILD_SUBREAPER:
	case PR_GET_TSC:
		return &get_number;
	case PR_SET_PDEATHSIG:
	case PR_GET_DUMPABLE:
	case PR_SET_DUMPABLE:
	case PR_GET_KEEPCAPS:
	case PR_SET_KEEPCAPS:
	case PR_GET_SECCOMP:
	case PR_CAPBSET_READ:
	case PR_CAPBSET_DROP:
	case PR_SET_TIMERSLACK:
	case PR_GET_TIMERSLACK:
	case PR_SET_CHILD_SUBREAPER:
	case PR_SET_NO_NEW_PRIVS:
	case PR_GET_NO_NEW_PRIVS:
	case PR_SET_THP_DISABLE:
	case PR_GET_THP_DISABLE:
	case PR_CAP_AMBIENT:
		return &nothing;
	default:
		return NULL;
	}
}

static const struct call *arch_prctl_call(long operation)
{
	static const struct call get = { true, 1, { OUT(1, 8) } };

	switch (operation) {
	case ARCH_GET_FS:
	case ARCH_GET_GS:
	case 0x1021: /* ARCH_GET_XCOMP_SUPP */
	case 0x1022: /* ARCH_GET_XCOMP_PERM */
	case 0x1024: /* ARCH_GET_XCOMP_GUEST_PERM */
	case 0x4001: /* ARCH_GET_UNTAG_MASK */
	case 0x4003: /* ARCH_GET_MAX_TAG_BITS */
	case 0x5005: /* ARCH_SHSTK_STATUS */
		return &get;
	case ARCH_SET_FS:
	case ARCH_SET_GS:
	case ARCH_GET_CPUID:
	case ARCH_SET_CPUID:
	case 0x1023: /* ARCH_REQ_XCOMP_PERM */
	case 0x1025: /* ARCH_REQ_XCOMP_GUEST_PERM */
		return &nothing;
	default:
		return NULL;
	}
}

/* The argument of semctl is a union: by value for most operations. */
static const struct call *semctl_call(long operation)
{
	static const struct call get = { true, 1, { OUT(3, sizeof(struct semid_ds)) } };
	static const struct call set = { true, 1, { IN(3, sizeof(struct semid_ds)) } };

	switch (operation & ~0x100) {
	case IPC_STAT:
		return &get;
	case IPC_SET:
		return &set;
	case IPC_RMID:
	case GETVAL:
	case SETVAL:
	case GETPID:
	case GETNCNT:
	case GETZCNT:
		return &nothing;
	default:
		return NULL;
	}
}

static const struct call *ipc_call(long operation, bool segment)
{
	static const struct call get_segment = { true, 1, { OUT(2, sizeof(struct shmid_ds)) } };
	static const struct call set_segment = { true, 1, { IN(2, sizeof(struct shmid_ds)) } };
	static const struct call get_queue = { true, 1, { OUT(2, sizeof(struct msqid_ds)) } };
	static const struct call set_queue = { true, 1, { IN(2, sizeof(struct msqid_ds)) } };
	switch (operation & ~0x100) {
	case IPC_STAT:
		return segment ? &get_segment : &get_queue;
	case IPC_SET:
		return segment ? &set_segment : &set_queue;
	case IPC_RMID:
	case SHM_LOCK:
	case SHM_UNLOCK:
		return &nothing;
	default:
		return NULL;
	}
}

/*
 * Options whose values hold pointers, or whose lengths do not count bytes: filters, the tables of
 * netfilter, and memory that a connection's bytes are mapped to.
 */
static const struct call *option_call(long level, long option, bool set)
{
	static const struct call in = { true, 1, { IN_N(3, 4, 1) } };
	static const struct call out = { true, 1, { SOCKET(3, 4) } };
	enum { TABLES = 64, TABLES_END = 132 }; /* IPT_BASE_CTL to EBT_BASE_CTL and behind */

	if ((level == SOL_SOCKET && (option == SO_ATTACH_FILTER || option == SO_ATTACH_REUSEPORT_CBPF))
			|| ((level == SOL_IP || level == SOL_IPV6) && option >= TABLES && option < TABLES_END)
			|| (level == SOL_TCP && option == TCP_ZEROCOPY_RECEIVE))
		return NULL;
	return set ? &in : &out;
}

bool call_by_operation(long number, const long *a, const struct call **call)
{
	switch (number) {
	case __NR_futex:
		*call = futex_call(a[1]);
		return true;
	case __NR_fcntl:
		*call = fcntl_call(a[1]);
		return true;
	case __NR_ioctl:
		*call = ioctl_call((unsigned long)a[1]);
		return true;
	case __NR_madvise:
		*call = madvise_call(a[2]);
		return true;
	case __NR_prctl:
		*call = prctl_call(a[0]);
		return true;
	case __NR_arch_prctl:
		*call = arch_prctl_call(a[0]);
		return true;
	case __NR_setsockopt:
	case __NR_getsockopt:
		*call = option_call(a[1], a[2], number == __NR_setsockopt);
		return true;
	case __NR_semctl:
		*call = semctl_call(a[2]);
		return true;
	case __NR_shmctl:
	case __NR_msgctl:
		*call = ipc_call(a[1], number == __NR_shmctl);
		return true;
	default:
		return false;
	}
}
