/*
 * What system calls read and write through their pointers (Linux man pages, section 2; asm-x86_64/unistd.h). A call that does not stand
 * here gets everything opened, which is right and only slow; calls with nested pointers (iovec, msghdr, execve's lists) are left to that.
 */
#include "shim.h"

#include <linux/futex.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>

struct call {
	bool known;
	uint8_t count;
	struct touch touch[TOUCHES_MAX];
};

#define TEXT(a) {a, TOUCH_READ, LENGTH_TEXT, 0, 0}
#define IN(a, bytes) {a, TOUCH_READ, LENGTH_FIXED, 0, bytes}
#define OUT(a, bytes) {a, TOUCH_WRITE, LENGTH_FIXED, 0, bytes}
#define IN_OUT_N(a, n, unit) {a, TOUCH_READ | TOUCH_WRITE, LENGTH_ARGUMENT, n, unit}
#define OUT_N(a, n, unit) {a, TOUCH_WRITE, LENGTH_RESULT, n, unit}
#define IN_RESULT(a, n) {a, TOUCH_READ, LENGTH_RESULT, n, 1}
#define OUT_RESULT(a, n) {a, TOUCH_WRITE, LENGTH_RESULT, n, 1}
#define C0(nr) [__NR_##nr] = {true, 0, {{0}}}
#define C1(nr, a) [__NR_##nr] = {true, 1, {a}}
#define C2(nr, a, b) [__NR_##nr] = {true, 2, {a, b}}

/* The kernel's own structures where libc's differ. */
#define KERNEL_STAT 144
#define KERNEL_STATX 256

static const struct call calls[] = {
	C1(read, OUT_RESULT(1, 2)),
	C1(write, IN_RESULT(1, 2)),
	C1(pread64, OUT_RESULT(1, 2)),
	C1(pwrite64, IN_RESULT(1, 2)),
	C1(open, TEXT(0)),
	C1(openat, TEXT(1)),
	C1(creat, TEXT(0)),
	C0(close),
	C2(stat, TEXT(0), OUT(1, KERNEL_STAT)),
	C2(lstat, TEXT(0), OUT(1, KERNEL_STAT)),
	C1(fstat, OUT(1, KERNEL_STAT)),
	C2(newfstatat, TEXT(1), OUT(2, KERNEL_STAT)),
	C2(statx, TEXT(1), OUT(4, KERNEL_STATX)),
	C2(statfs, TEXT(0), OUT(1, sizeof(struct statfs))),
	C1(fstatfs, OUT(1, sizeof(struct statfs))),
	C0(lseek),
	C0(mmap),
	C0(munmap),
	C0(mremap),
	C0(mprotect),
	C0(brk),
	C0(madvise),
	C0(msync),
	C1(access, TEXT(0)),
	C1(faccessat, TEXT(1)),
	C0(dup),
	C0(dup2),
	C0(dup3),
	C0(ftruncate),
	C1(truncate, TEXT(0)),
	C0(fsync),
	C0(fdatasync),
	C0(fallocate),
	C0(fadvise64),
	C0(flock),
	C1(pipe, OUT(0, 8)),
	C1(pipe2, OUT(0, 8)),
	C1(getcwd, OUT_RESULT(0, 1)), /* the call itself returns the length */
	C1(chdir, TEXT(0)),
	C0(fchdir),
	C1(mkdir, TEXT(0)),
	C1(mkdirat, TEXT(1)),
	C1(rmdir, TEXT(0)),
	C1(unlink, TEXT(0)),
	C1(unlinkat, TEXT(1)),
	C2(rename, TEXT(0), TEXT(1)),
	C2(renameat, TEXT(1), TEXT(3)),
	C2(renameat2, TEXT(1), TEXT(3)),
	C2(link, TEXT(0), TEXT(1)),
	C2(linkat, TEXT(1), TEXT(3)),
	C2(symlink, TEXT(0), TEXT(1)),
	C2(symlinkat, TEXT(0), TEXT(2)),
	C2(readlink, TEXT(0), OUT_RESULT(1, 2)),
	C2(readlinkat, TEXT(1), OUT_RESULT(2, 3)),
	C1(chmod, TEXT(0)),
	C0(fchmod),
	C1(fchmodat, TEXT(1)),
	C1(chown, TEXT(0)),
	C0(fchown),
	C1(lchown, TEXT(0)),
	C1(fchownat, TEXT(1)),
	C0(umask),
	C2(utimensat, TEXT(1), IN(2, 2 * sizeof(struct timespec))),
	C1(getdents64, OUT_RESULT(1, 2)),
	C0(getpid),
	C0(getppid),
	C0(gettid),
	C0(getuid),
	C0(geteuid),
	C0(getgid),
	C0(getegid),
	C0(getpgrp),
	C0(getpgid),
	C0(setpgid),
	C0(getsid),
	C0(setsid),
	C0(kill),
	C0(tkill),
	C0(tgkill),
	C0(alarm),
	C0(pause),
	C0(sched_yield),
	C0(exit),
	C0(exit_group),
	C1(uname, OUT(0, sizeof(struct utsname))),
	C1(sysinfo, OUT(0, sizeof(struct sysinfo))),
	C1(times, OUT(0, sizeof(struct tms))),
	C1(time, OUT(0, 8)),
	C2(gettimeofday, OUT(0, sizeof(struct timeval)), OUT(1, 8)),
	C1(clock_gettime, OUT(1, sizeof(struct timespec))),
	C1(clock_getres, OUT(1, sizeof(struct timespec))),
	C2(nanosleep, IN(0, sizeof(struct timespec)), OUT(1, sizeof(struct timespec))),
	C2(clock_nanosleep, IN(2, sizeof(struct timespec)), OUT(3, sizeof(struct timespec))),
	C2(setitimer, IN(1, sizeof(struct itimerval)), OUT(2, sizeof(struct itimerval))),
	C1(getitimer, OUT(1, sizeof(struct itimerval))),
	C1(getrlimit, OUT(1, sizeof(struct rlimit))),
	C1(setrlimit, IN(1, sizeof(struct rlimit))),
	C2(prlimit64, IN(2, sizeof(struct rlimit)), OUT(3, sizeof(struct rlimit))),
	C1(getrusage, OUT(1, sizeof(struct rusage))),
	C2(wait4, OUT(1, 4), OUT(3, sizeof(struct rusage))),
	C1(getrandom, OUT_RESULT(0, 1)),
	C1(poll, IN_OUT_N(0, 1, 8)),
	C0(set_tid_address),
	C0(set_robust_list),
	C0(rseq),
	C0(arch_prctl),
	C0(epoll_create),
	C0(epoll_create1),
	C1(epoll_wait, OUT_N(1, 2, sizeof(struct epoll_event))),
	C1(epoll_ctl, IN(3, sizeof(struct epoll_event))),
	C0(eventfd2),
	C0(timerfd_create),
	C0(socket),
	C0(listen),
	C0(shutdown),
};

/* futex(2): which of its pointers count depends on the operation. */
static const struct call *futex_call(long operation)
{
	static const struct call wake = {true, 0, {{0}}};
	static const struct call wait = {true, 2, {IN(0, 4), IN(3, sizeof(struct timespec))}};
	static const struct call two = {true, 2, {IN(0, 4), IN(4, 4)}};

	switch (operation & FUTEX_CMD_MASK) {
	case FUTEX_WAKE:
	case FUTEX_WAKE_BITSET:
		return &wake;
	case FUTEX_WAIT:
	case FUTEX_WAIT_BITSET:
		return &wait;
	case FUTEX_REQUEUE:
	case FUTEX_CMP_REQUEUE:
	case FUTEX_WAKE_OP:
		return &two;
	default:
		return NULL;
	}
}

bool call_touches(long number, const long *arguments, const struct touch **touches, unsigned *count)
{
	if (number == __NR_futex) {
		const struct call *call = futex_call(arguments[1]);

		if (call) {
			*touches = call->touch;
			*count = call->count;
		}
		return call != NULL;
	}
	if (number < 0 || (size_t)number >= sizeof calls / sizeof *calls || !calls[number].known)
		return false;
	*touches = calls[number].touch;
	*count = calls[number].count;
	return true;
}
