/*
 * As trampolines.c, with system calls for work: a tracer (trampoline_signals.c) sends a signal at
 * each machine instruction of their way, in trampolines and in libmadt.so. The handler returns,
 * jumps out, or changes to another context and back, by turns. Each call is made once, with the
 * target's registers, and its memory is recorded once; the handler finds the thread at the
 * program's own instructions.
 *
 * direct FIFO START      waits until the tracer has opened the FIFO; "-" instead: one round of each
 * kind. START marker: patched, but nothing is recorded; often: nothing is recorded yet, and only
 * the calls are patched, since there have been many
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <ucontext.h>
#include <unistd.h>

#include "madt.h"
#include "rounds.h"

#define OFTEN 200 /* more than splice_often.c wants */

#define WORK __attribute__((noinline, section("work_text")))
extern const char __start_work_text[], __stop_work_text[];
static volatile long spoilt;

static int ends[2], sockets[2], poll_set;
static char byte_out = 7, byte_in, message[16], address[64], gone[] = "/no/such/file";
static uint32_t address_size, word = 3;
static uint64_t mask;
static pid_t self;
static struct utsname names;
static struct epoll_event event;
static struct {
	uint64_t handler, flags, restorer, mask;
} ignore = { 1, 0, 0, 0 }, normal, before;
static stack_t stack;

/*
 * One system call; all registers but its own two are as before, the flags too, and these two are
 * what the instruction makes of them.
 */
static inline __attribute__((always_inline)) long call(long number, long a, long b, long c, long d,
		long e, long f)
{
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	register long rbx __asm__("rbx") = 0x1122334455667788;
	long result = number, behind, flags, here, bad = 0;
	unsigned char carry;

	__asm__ volatile("stc\n\tsyscall\n1:\tsetc %3\n\tleaq 1b(%%rip), %2\n\tmovq %%r11, %4"
					 : "+a"(result), "=c"(behind), "=&r"(here), "=&q"(carry), "=&r"(flags),
					 "+r"(r10), "+r"(r8), "+r"(r9), "+r"(rbx), "+D"(a), "+S"(b), "+d"(c)
					 :
					 : "r11", "memory", "cc");
	bad = behind != here || !carry || !(flags & 1) || r10 != d || r8 != e || r9 != f
			|| rbx != 0x1122334455667788;
	spoilt += bad;
	return result;
}

#define CALL(name, a, b, c, d, e, f) \
	call(SYS_##name, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

WORK static long work(void)
{
	long sum = 0;

	address_size = sizeof address;
	byte_in = 0;
	sum = sum * 3 + (CALL(getppid, 1, 2, 3, 4, 5, 6) > 0);
	sum = sum * 3 + CALL(write, ends[1], &byte_out, 1, 4, 5, 6);
	sum = sum * 3 + CALL(read, ends[0], &byte_in, 1, 4, 5, 6) + byte_in;
	sum = sum * 3 + CALL(read, ends[0], &byte_in, 1, 4, 5, 6);
	sum = sum * 3 + CALL(futex, &word, FUTEX_WAIT_PRIVATE, 4, 0, 5, 6);
	sum = sum * 3 + CALL(futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 5, 6);
	sum = sum * 3 + CALL(epoll_wait, poll_set, &event, 1, 0, 5, 6);
	sum = sum * 3 + CALL(sendto, sockets[0], "abc", 3, 0, 0, 0);
	sum = sum * 3 + CALL(recvfrom, sockets[1], message, 16, 0, address, &address_size);
	sum = sum * 3 + CALL(uname, &names, 2, 3, 4, 5, 6) + names.sysname[0];
	sum = sum * 3 + CALL(openat, AT_FDCWD, gone, O_RDONLY, 0, 5, 6);
	sum = sum * 3 + CALL(getpid, 1, 2, 3, 4, 5, 6) % 7;
	sum = sum * 3 + CALL(rt_sigaction, SIGUSR2, &ignore, NULL, sizeof mask, 5, 6);
	sum = sum * 3 + CALL(rt_sigaction, SIGUSR2, &normal, &before, sizeof mask, 5, 6);
	sum = sum * 3 + (long)before.handler; /* not what the call itself has set */
	sum = sum * 3 + CALL(sigaltstack, NULL, &stack, 3, 4, 5, 6) + stack.ss_flags;
	sum = sum * 3 + CALL(kill, self, 0, 3, 4, 5, 6); /* the gate's */
	sum = sum * 3 + CALL(rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof mask, 5, 6);
	return sum;
}

/* Takes what a round that was left has left behind. */
static void drain(void)
{
	char none[16];

	while (read(ends[0], none, sizeof none) > 0)
		;
	while (recv(sockets[1], none, sizeof none, MSG_DONTWAIT) > 0)
		;
}

static void call_other(void)
{
	getppid();
}

static void on_signal(int number, siginfo_t *info, void *raw)
{
	(void)number;
	(void)info;
	signal_count(raw);
	handler_turn();
	getpid();
}

static void set_up(void)
{
	struct sigaction action = { .sa_flags = SA_SIGINFO };

	action.sa_sigaction = on_signal;
	sigaction(SIGUSR1, &action, NULL);
	self = getpid();
	other_make(call_other);
	poll_set = epoll_create1(0);
	if (pipe2(ends, O_NONBLOCK) || socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets) || poll_set < 0)
		exit(2);
}

int main(int argc, char **argv)
{
	char none;
	long expected;

	set_up();
	expected = work();
	rounds_tell(__start_work_text, __stop_work_text);
	if (argc > 2 && !strcmp(argv[2], "marker")) {
		MadT_start();
		MadT_stop();
	}
	for (int i = 0; argc > 2 && !strcmp(argv[2], "often") && i < OFTEN; i++) {
		drain();
		wrong += work() != expected;
	}
	if (argc > 1 && strcmp(argv[1], "-") && read(open(argv[1], O_RDONLY), &none, 1) != 1)
		return 1;
	for (round_number = 0; round_number < rounds; round_number++) {
		drain();
		if (sigsetjmp(back, 1)) {
			jumped++;
			continue;
		}
		round_begin();
		wrong += work() != expected;
		round_end();
	}
	printf("%ld rounds, %ld wrong, %ld signals, %ld astray, %ld spoilt, %ld jumped\n", round_number,
			wrong, signals, astray, spoilt, jumped);
	return 0;
}
