/*
 * How a thread finds back by itself. Where madt-inject is killed, the kernel lets all threads go on
 * with the registers that they have just then. So whatever a thread is made to do returns to
 * rt_sigreturn(2), which gives it back its own registers, signals and floating-point state: they lie
 * on the stack that it has meanwhile, as a signal's frame. As long as madt-inject lives, no thread
 * comes there: it is stopped in front of that, and is given its registers by ptrace(2).
 *
 *        stack pointer ──▶ address of code that makes the call
 *                          struct ucontext, as the kernel reads it
 *                          what XSAVE has written (Intel's manual, volume 1, chapter 13)
 *                  top ──▶
 */
#define _GNU_SOURCE
#include "inject.h"

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <ucontext.h>

#define FLOATS_MOST (BACK_BYTES - 2048)
#define LEFT_ALONE 0x100 /* ss_flags that sigaltstack(2) refuses: the alternate stack stays */
#define RESTART_BLOCK (-516l)

/* asm/ucontext.h and asm/sigcontext.h, which glibc's headers exclude */
#define FP_XSTATE 1
#define SIGCONTEXT_SS 2
#define STRICT_RESTORE_SS 4
#define MAGIC1 0x46505853u
#define MAGIC2 0x46505845u
#define SOFTWARE_BYTES 464 /* within what XSAVE writes: for the kernel's own */

struct software {
	uint32_t magic1, extended_size;
	uint64_t features;
	uint32_t size, padding[7];
};

struct back {
	uint64_t next;
	ucontext_t context;
};

/* As the kernel writes it into a frame. Returns its size with the mark behind it; 0: there is none. */
static size_t floats_read(pid_t tid, uint8_t *floats)
{
	struct iovec all = { floats, FLOATS_MOST };
	struct software software = { .magic1 = MAGIC1 };
	const uint32_t magic2 = MAGIC2;

	if (ptrace(PTRACE_GETREGSET, tid, NT_X86_XSTATE, &all) != 0
			|| all.iov_len > FLOATS_MOST - sizeof magic2)
		return 0;
	memcpy(&software.features, floats + SOFTWARE_BYTES, sizeof software.features);
	software.size = (uint32_t)all.iov_len;
	software.extended_size = software.size + (uint32_t)sizeof magic2;
	memcpy(floats + SOFTWARE_BYTES, &software, sizeof software);
	memcpy(floats + all.iov_len, &magic2, sizeof magic2);
	return software.extended_size;
}

/* A call that the stop has broken off is made again: nothing else knows how long it was to wait. */
static void call_repeat(greg_t *to, const struct user_regs_struct *from)
{
	const long number = (long)from->orig_rax, result = (long)from->rax;

	if (number < 0 || result > -512 || result < RESTART_BLOCK)
		return;
	if (number == SYS_restart_syscall) {
		to[REG_RAX] = -EINTR;
		return;
	}
	to[REG_RAX] = number;
	to[REG_RIP] -= 2;
}

static void registers_put(greg_t *to, const struct user_regs_struct *from)
{
	to[REG_R8] = (greg_t)from->r8;
	to[REG_R9] = (greg_t)from->r9;
	to[REG_R10] = (greg_t)from->r10;
	to[REG_R11] = (greg_t)from->r11;
	to[REG_R12] = (greg_t)from->r12;
	to[REG_R13] = (greg_t)from->r13;
	to[REG_R14] = (greg_t)from->r14;
	to[REG_R15] = (greg_t)from->r15;
	to[REG_RDI] = (greg_t)from->rdi;
	to[REG_RSI] = (greg_t)from->rsi;
	to[REG_RBP] = (greg_t)from->rbp;
	to[REG_RBX] = (greg_t)from->rbx;
	to[REG_RDX] = (greg_t)from->rdx;
	to[REG_RAX] = (greg_t)from->rax;
	to[REG_RCX] = (greg_t)from->rcx;
	to[REG_RSP] = (greg_t)from->rsp;
	to[REG_RIP] = (greg_t)from->rip;
	to[REG_EFL] = (greg_t)from->eflags;
	to[REG_CSGSFS] = (greg_t)(from->cs | from->ss << 48);
	call_repeat(to, from);
}

uintptr_t back_write(const struct stopped *thread, uintptr_t top, uintptr_t next)
{
	static uint8_t floats[FLOATS_MOST], bytes[BACK_BYTES];
	const size_t size = floats_read(thread->tid, floats);
	const uintptr_t state = (top - size) & ~(uintptr_t)63,
					at = ((state - sizeof(struct back)) & ~(uintptr_t)15) - sizeof(uint64_t);
	struct back back = { .next = next };

	back.context.uc_flags = (size ? FP_XSTATE : 0) | SIGCONTEXT_SS | STRICT_RESTORE_SS;
	back.context.uc_stack.ss_flags = LEFT_ALONE;
	back.context.uc_mcontext.fpregs = size ? (fpregset_t)state : NULL;
	registers_put(back.context.uc_mcontext.gregs, &thread->registers);
	memcpy(&back.context.uc_sigmask, &thread->mask, sizeof thread->mask);
	memcpy(bytes, &back, sizeof back);
	memcpy(bytes + (state - at), floats, size);
	return memory_write(thread->tid, at, bytes, state - at + size) ? at : 0;
}

uintptr_t back_context(uintptr_t at)
{
	return at + offsetof(struct back, context);
}

bool back_read(struct stopped *thread)
{
	struct user_regs_struct *to = &thread->registers;
	struct back back;
	const greg_t *from = back.context.uc_mcontext.gregs;

	if (!memory_read(thread->tid, thread->stack, &back, sizeof back))
		return false;
	to->r11 = (unsigned long)from[REG_R11];
	to->rcx = (unsigned long)from[REG_RCX];
	to->rdi = (unsigned long)from[REG_RDI];
	to->rsi = (unsigned long)from[REG_RSI];
	to->rdx = (unsigned long)from[REG_RDX];
	to->r10 = (unsigned long)from[REG_R10];
	to->r8 = (unsigned long)from[REG_R8];
	to->r9 = (unsigned long)from[REG_R9];
	to->rax = (unsigned long)from[REG_RAX];
	to->rsp = (unsigned long)from[REG_RSP];
	to->rip = (unsigned long)from[REG_RIP];
	to->eflags = (unsigned long)from[REG_EFL];
	to->orig_rax = ~0ul;
	memcpy(&thread->mask, &back.context.uc_sigmask, sizeof thread->mask);
	return true;
}

uintptr_t back_mask(uintptr_t at)
{
	return at + offsetof(struct back, context.uc_sigmask);
}

/* ---------------------------------------------------------------- before the library is there */

#define PART 65536
#define OVERLAP 16

/* Returns where such bytes are in a part of memory; 0: nowhere. */
static uintptr_t code_find(const uint8_t *part, size_t size, uintptr_t at, const char *code,
		size_t length)
{
	const uint8_t *found = memmem(part, size, code, length);

	return found ? at + (uintptr_t)(found - part) : 0;
}

/* A system call in front of a return, and the call that returns from a signal: any program has both. */
static void ways_find(struct remote *remote, pid_t pid, uintptr_t start, uintptr_t end)
{
	static const char call[] = "\x0f\x05\xc3", by_long[] = "\x48\xc7\xc0\x0f\0\0\0\x0f\x05",
					  by_int[] = "\xb8\x0f\0\0\0\x0f\x05";
	static uint8_t part[PART];

	for (uintptr_t at = start; at + OVERLAP < end; at += PART - OVERLAP) {
		const size_t size = end - at < PART ? end - at : PART;

		if (!memory_read(pid, at, part, size))
			return;
		if (!remote->returning)
			remote->returning = code_find(part, size, at, call, sizeof call - 1);
		if (!remote->back)
			remote->back = code_find(part, size, at, by_long, sizeof by_long - 1);
		if (!remote->back)
			remote->back = code_find(part, size, at, by_int, sizeof by_int - 1);
	}
}

/* Returns whether the processor itself remembers where functions return to. */
static bool has_shadow_stack(pid_t pid)
{
	char line[256];
	FILE *file = process_file(pid, "status");
	bool has = false;

	while (file && !has && fgets(line, sizeof line, file))
		has = strncmp(line, "x86_Thread_features:", 20) == 0 && strstr(line, "shstk");
	if (file)
		fclose(file);
	return has;
}

void back_find(struct remote *remote, pid_t pid)
{
	FILE *maps = process_file(pid, "maps");
	char line[4096], protection[8];
	unsigned long start, end, inode;

	remote->returning = remote->back = remote->scratch = 0;
	while (maps && fgets(line, sizeof line, maps)) {
		if (sscanf(line, "%lx-%lx %7s %*x %*s %lu", &start, &end, protection, &inode) != 4)
			continue;
		if (strstr(line, "[stack]"))
			remote->scratch = start;
		else if (inode && strcmp(protection, "r-xp") == 0 && !(remote->returning && remote->back))
			ways_find(remote, pid, start, end);
	}
	if (maps)
		fclose(maps);
	if (has_shadow_stack(pid))
		remote->back = 0;
}

/* The same, where the first thread is not stopped, by what the kernel tells of one that sleeps. */
static bool first_sleeps_above(const struct remote *remote)
{
	char line[512] = "", *at = line;
	FILE *file = process_file(remote->target->pid, "syscall");

	if (file && fgets(line, sizeof line, file))
		at = strrchr(line, ' '); /* in front of it the stack pointer, behind it the next code */
	if (file)
		fclose(file);
	if (!at || at == line)
		return false;
	*at = 0;
	at = strrchr(line, ' ');
	return at && remote->scratch
			&& strtoul(at, NULL, 16) - remote->scratch - 4 * BACK_BYTES < 1ul << 40;
}

/* Returns whether the first thread's stack has so much room that its far end is nobody's. */
static bool scratch_is_free(const struct remote *remote)
{
	for (size_t i = 0; remote->scratch && i < remote->target->count; i++)
		if (remote->target->threads[i].tid == remote->target->pid)
			return remote->target->threads[i].registers.rsp - remote->scratch - 4 * BACK_BYTES < 1ul
					<< 40; /* it lies above all else */
	return first_sleeps_above(remote);
}

void back_begin(struct remote *remote)
{
	remote->stack = 0;
	if (remote->returning && remote->back && scratch_is_free(remote))
		remote->stack = back_write(remote->thread, remote->scratch + BACK_BYTES, remote->back);
}
