/* What a stopped thread is made to do: system calls, and functions. */
#define _GNU_SOURCE
#include "inject.h"

#include <elf.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define FLAGS_OFF 0x500 /* direction and trap */
#define VDSO_MOST 65536

bool memory_read(pid_t pid, uintptr_t from, void *to, size_t size)
{
	struct iovec here = { to, size }, there = { (void *)from, size };

	return process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

bool memory_write(pid_t pid, uintptr_t to, const void *from, size_t size)
{
	struct iovec here = { (void *)from, size }, there = { (void *)to, size };

	return process_vm_writev(pid, &here, 1, &there, 1, 0) == (ssize_t)size;
}

/* The vDSO, whose functions make calls of their own where they cannot do without. */
static bool vdso_find(pid_t pid, uintptr_t *start, uintptr_t *end)
{
	FILE *maps = process_file(pid, "maps");
	char line[512];
	bool found = false;

	while (maps && !found && fgets(line, sizeof line, maps))
		found = strstr(line, "[vdso]") && sscanf(line, "%lx-%lx", start, end) == 2;
	if (maps)
		fclose(maps);
	return found;
}

bool remote_find(struct remote *remote, pid_t pid)
{
	static uint8_t code[VDSO_MOST];
	uintptr_t start, end;

	remote->instruction = 0;
	if (vdso_find(pid, &start, &end) && end - start <= sizeof code
			&& memory_read(pid, start, code, end - start))
		for (size_t i = 0; i + 1 < end - start && !remote->instruction; i++)
			if (code[i] == 0x0f && code[i + 1] == 0x05)
				remote->instruction = start + i;
	return remote->instruction
			? true
			: refuse("process %d has no vDSO with a system call in it", (int)pid);
}

bool remote_begin(struct remote *remote, struct target *target, struct stopped *thread)
{
	remote->target = target;
	remote->thread = thread;
	return remote->instruction || remote_find(remote, target->pid);
}

/* The kernel stops the thread in front of the call and behind it; no signal has to do with it. */
long remote_call(struct remote *remote, long number, long a, long b, long c, long d, long e, long f)
{
	struct user_regs_struct registers = remote->thread->registers;
	pid_t tid = remote->thread->tid;
	int status;

	registers.rip = remote->instruction;
	registers.rax = (unsigned long)number;
	registers.orig_rax = ~0ul;
	registers.rdi = (unsigned long)a;
	registers.rsi = (unsigned long)b;
	registers.rdx = (unsigned long)c;
	registers.r10 = (unsigned long)d;
	registers.r8 = (unsigned long)e;
	registers.r9 = (unsigned long)f;
	registers.eflags &= ~(unsigned long)FLAGS_OFF;
	if (ptrace(PTRACE_SETREGS, tid, 0, &registers) != 0
			|| !thread_proceed(tid, PTRACE_SYSCALL, &status) || WSTOPSIG(status) != (SIGTRAP | 0x80)
			|| !thread_proceed(tid, PTRACE_SYSCALL, &status) || WSTOPSIG(status) != (SIGTRAP | 0x80)
			|| ptrace(PTRACE_GETREGS, tid, 0, &registers) != 0)
		return -1;
	return (long)registers.rax;
}

bool remote_start(const struct stopped *thread, const struct errand *errand)
{
	struct user_regs_struct registers = thread->registers;
	const uintptr_t stack = (errand->stack & ~(uintptr_t)15) - sizeof errand->end;

	registers.rip = errand->function;
	registers.rdi = errand->argument;
	registers.rsp = stack;
	registers.orig_rax = ~0ul;
	registers.eflags &= ~(unsigned long)FLAGS_OFF;
	return memory_write(thread->tid, stack, &errand->end, sizeof errand->end)
			&& ptrace(PTRACE_SETREGS, thread->tid, 0, &registers) == 0
			&& ptrace(PTRACE_CONT, thread->tid, 0, 0) == 0;
}

bool remote_await(const struct stopped *thread, const struct errand *errand,
		struct user_regs_struct *after)
{
	int status;

	return thread_await(thread->tid, PTRACE_CONT, &status)
			&& ptrace(PTRACE_GETREGS, thread->tid, 0, after) == 0 && WSTOPSIG(status) == SIGTRAP
			&& after->rip == errand->end + 1;
}
