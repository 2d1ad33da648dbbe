/*
 * A seccomp filter that the target is about to install (seccomp(2)). MadT makes system calls of its
 * own in the target's process: from then on they are the filter's to judge. Only a filter that lets
 * all of them pass, or answers some with an error that MadT can live with, leaves the recording as
 * it is; before any other the process leaves MadT (leave.c), for what comes after would be killed,
 * or reported, for calls that are not the program's. To know, the filter's program is run here
 * (Linux Documentation/networking/filter.rst, classic BPF).
 */
#include "gate/gate_parts.h"

#include "madt_calls.h"
#include "madt_filter.h"
#include "region/region.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#define FAILS SECCOMP_RET_KILL_PROCESS /* a program that the kernel would refuse as well */

struct machine {
	uint32_t a, x, memory[BPF_MEMWORDS];
	const struct seccomp_data *data;
};

static uint32_t loaded(const struct machine *m, const struct sock_filter *i)
{
	uint32_t word = 0;

	switch (BPF_MODE(i->code)) {
	case BPF_ABS:
		if (i->k <= sizeof *m->data - sizeof word)
			bytes_copy(&word, (const char *)m->data + i->k, sizeof word);
		return word;
	case BPF_MEM:
		return i->k < BPF_MEMWORDS ? m->memory[i->k] : 0;
	case BPF_LEN:
		return sizeof *m->data;
	default:
		return i->k; /* BPF_IMM */
	}
}

static void store(struct machine *m, uint32_t place, uint32_t value)
{
	if (place < BPF_MEMWORDS)
		m->memory[place] = value;
}

/* Returns what the filter says of a call. Jumps go forwards only. */
static uint32_t filter_execute(const struct sock_filter *program, uint32_t length,
		const struct seccomp_data *data)
{
	struct machine m = { .data = data };

	for (uint32_t pc = 0; pc < length; pc++) {
		const struct sock_filter *i = &program[pc];
		uint32_t operand = BPF_SRC(i->code) == BPF_X ? m.x : i->k;

		switch (BPF_CLASS(i->code)) {
		case BPF_LD:
			m.a = loaded(&m, i);
			break;
		case BPF_LDX:
			m.x = loaded(&m, i);
			break;
		case BPF_ST:
			store(&m, i->k, m.a);
			break;
		case BPF_STX:
			store(&m, i->k, m.x);
			break;
		case BPF_ALU:
			m.a = madt_filter_arithmetic(BPF_OP(i->code), m.a, operand);
			break;
		case BPF_JMP:
			pc += BPF_OP(i->code) == BPF_JA                            ? i->k
					: madt_filter_jumps(BPF_OP(i->code), m.a, operand) ? i->jt
																	   : i->jf;
			break;
		case BPF_RET:
			return BPF_RVAL(i->code) == BPF_A ? m.a : i->k;
		default:
			if (BPF_MISCOP(i->code) == BPF_TXA)
				m.a = m.x;
			else
				m.x = m.a;
		}
	}
	return FAILS;
}

static bool passes(uint32_t verdict, bool needed)
{
	switch (verdict & SECCOMP_RET_ACTION_FULL) {
	case SECCOMP_RET_ALLOW:
	case SECCOMP_RET_LOG:
		return true;
	case SECCOMP_RET_ERRNO:
		return !needed;
	default:
		return false;
	}
}

static bool all_pass(const struct sock_filter *program, uint32_t length)
{
	for (size_t i = 0; i < MADT_OWN_CALLS; i++) {
		const struct madt_own_call *call = &madt_own_calls[i];
		struct seccomp_data data = { .nr = call->number,
			.arch = AUDIT_ARCH_X86_64,
			.instruction_pointer = (uintptr_t)madt_sys_begin };

		for (int k = 0; k < 6; k++)
			data.args[k] = (uint64_t)call->argument[k];
		if (!passes(filter_execute(program, length, &data), call->needed))
			return false;
	}
	return true;
}

static bool filter_harms(uintptr_t at)
{
	struct sock_fprog wanted;
	struct sock_filter *program;
	size_t size;
	bool harms;

	if (region_read(&wanted, at, sizeof wanted) < sizeof wanted || wanted.len == 0
			|| wanted.len > BPF_MAXINSNS)
		return false; /* the kernel will refuse it */
	size = wanted.len * sizeof *program;
	program = sys_pages(size);
	if (!program)
		return true;
	harms = region_read(program, (uintptr_t)wanted.filter, size) == size
			&& !all_pass(program, wanted.len);
	SYS2(__NR_munmap, program, size);
	return harms;
}

bool filter_shuts_out(const struct pending *pending)
{
	const long *a = pending->argument;

	if (pending->number == __NR_prctl && a[0] == PR_SET_SECCOMP)
		return a[1] == SECCOMP_MODE_STRICT
				|| (a[1] == SECCOMP_MODE_FILTER && filter_harms((uintptr_t)a[2]));
	if (pending->number == __NR_seccomp)
		return (a[0] == SECCOMP_SET_MODE_STRICT && !a[1] && !a[2])
				|| (a[0] == SECCOMP_SET_MODE_FILTER && filter_harms((uintptr_t)a[2]));
	return false;
}
