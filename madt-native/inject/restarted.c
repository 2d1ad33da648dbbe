/*
 * A call with a time limit that a stop has broken off (SIGSTOP, a debugger, another recording) goes on
 * as restart_syscall(2), and has lost its number. Code and arguments tell which one it is: only these
 * four go on in that way.
 */
#include "inject.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#define RESTARTED (-516l) /* linux/errno.h, ERESTART_RESTARTBLOCK */
#define LOAD_EAX 0xb8
#define POINTERS_FROM 0x10000        /* vm.mmap_min_addr */
#define DESCRIPTORS_MOST (1ul << 22) /* of poll(2) */

static bool has_number(long number)
{
	return number == SYS_nanosleep || number == SYS_clock_nanosleep || number == SYS_poll
			|| number == SYS_futex;
}

bool is_restarted(long number)
{
	return has_number(number) || number == SYS_restart_syscall;
}

/* The number that is put into EAX in front of the instruction, if it is. */
static long number_by_code(const struct target *target, uintptr_t next)
{
	struct {
		uint8_t load, number[4], call[2];
	} code;
	int number;

	if (!memory_read(target->pid, next - sizeof code, &code, sizeof code) || code.load != LOAD_EAX)
		return -1;
	memcpy(&number, code.number, sizeof number);
	return number;
}

/* Returns whether there is a time there, of less than 68 years: pairs of numbers may look like one. */
static bool is_limit(const struct target *target, uintptr_t address)
{
	struct timespec time;

	return address >= POINTERS_FROM && memory_read(target->pid, address, &time, sizeof time)
			&& time.tv_sec >= 0 && time.tv_sec <= INT32_MAX && time.tv_nsec >= 0
			&& time.tv_nsec < 1000000000 && (time.tv_sec || time.tv_nsec);
}

static bool is_futex(const struct target *target, const struct user_regs_struct *registers)
{
	const int operation = (int)registers->rsi & FUTEX_CMD_MASK;
	uint32_t word;

	return registers->rsi < FUTEX_CLOCK_REALTIME * 2
			&& (operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET)
			&& memory_read(target->pid, registers->rdi, &word, sizeof word)
			&& word == (uint32_t)registers->rdx && is_limit(target, registers->r10);
}

static long number_by_arguments(const struct target *target,
		const struct user_regs_struct *registers)
{
	const uint64_t high = registers->rdi >> 32;
	const bool is_clock = (high == 0 || high == UINT32_MAX) && (int)registers->rdi < POINTERS_FROM,
			   is_relative = (int)registers->rsi == 0;

	if (is_clock && is_relative && is_limit(target, registers->rdx))
		return SYS_clock_nanosleep;
	if (is_futex(target, registers))
		return SYS_futex;
	if (registers->rsi && registers->rsi < DESCRIPTORS_MOST)
		return (int)registers->rdx > 0 ? SYS_poll : -1;
	return is_limit(target, registers->rdi) ? SYS_nanosleep : -1;
}

void thread_call_known(const struct target *target, struct stopped *thread)
{
	struct user_regs_struct *registers = &thread->registers;
	long number;

	if (registers->orig_rax != SYS_restart_syscall || (long)registers->rax != RESTARTED)
		return;
	number = number_by_code(target, registers->rip);
	if (!has_number(number))
		number = number_by_arguments(target, registers);
	if (has_number(number))
		registers->orig_rax = (unsigned long)number;
}
