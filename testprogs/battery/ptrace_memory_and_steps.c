/*
 * A debugger's work on its child: breakpoints, single steps over a loop, PEEK, POKE and
 * process_vm_readv of data and text, registers read and set.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long data[4] = { 1, 2, 3, 4 };

extern const char loop_begin[], loop_end[];

static __attribute__((noinline)) long loop(long n)
{
	long sum = 0;

	__asm__ volatile(".globl loop_begin, loop_end\n"
					 "loop_begin: addq (%2), %0\n"
					 "decq %1\n"
					 "jnz loop_begin\n"
					 "loop_end: nop\n"
					 : "+r"(sum), "+r"(n)
					 : "r"(data)
					 : "memory");
	return sum;
}

static void child(void)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGSTOP);
	_exit((int)(loop(5) + data[3]));
}

static int go(int how, pid_t pid)
{
	int status;

	ptrace(how, pid, 0, 0);
	waitpid(pid, &status, 0);
	return status;
}

int main(void)
{
	struct user_regs_struct registers;
	long text, read[4], steps = 0, inside = 0;
	struct iovec to = { read, sizeof read }, from = { (void *)data, sizeof data };
	int status;
	pid_t pid = fork();

	if (pid == 0)
		child();
	waitpid(pid, &status, 0);
	printf("stopped by %d\n", WSTOPSIG(status));
	text = ptrace(PTRACE_PEEKTEXT, pid, loop_begin, 0);
	printf("text as here: %d\n", text == *(const long *)loop_begin);
	ptrace(PTRACE_POKETEXT, pid, loop_begin, (text & ~0xffl) | 0xcc);
	status = go(PTRACE_CONT, pid);
	ptrace(PTRACE_GETREGS, pid, 0, &registers);
	printf("breakpoint: %d, at %+ld\n", WSTOPSIG(status),
			(long)registers.rip - (long)(uintptr_t)loop_begin);
	ptrace(PTRACE_POKETEXT, pid, loop_begin, text);
	registers.rip--;
	ptrace(PTRACE_SETREGS, pid, 0, &registers);
	do {
		status = go(PTRACE_SINGLESTEP, pid);
		ptrace(PTRACE_GETREGS, pid, 0, &registers);
		inside += registers.rip >= (uintptr_t)loop_begin && registers.rip < (uintptr_t)loop_end;
	} while (++steps < 100 && WIFSTOPPED(status) && registers.rip != (uintptr_t)loop_end);
	printf("%ld steps, %ld in the loop, signal %d\n", steps, inside, WSTOPSIG(status));
	ptrace(PTRACE_POKEDATA, pid, &data[3], 37);
	printf("vm read: %zd", process_vm_readv(pid, &to, 1, &from, 1, 0));
	printf(", data %ld %ld %ld %ld", read[0], read[1], read[2], read[3]);
	printf(", peek %ld\n", ptrace(PTRACE_PEEKDATA, pid, &data[3], 0));
	status = go(PTRACE_CONT, pid);
	printf("status %x\n", status);
	return 0;
}
