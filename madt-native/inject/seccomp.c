/*
 * The seccomp filters of a process that has set itself some, or was started under some: a container,
 * a service of systemd, a browser's sandbox. They are read by ptrace(2) (PTRACE_SECCOMP_GET_FILTER,
 * for root on the host alone), and asked about each system call that MadT makes in the target:
 * classic BPF (Linux Documentation/networking/filter.rst). Arguments that are not known take both
 * ways of a branch.
 */
#define _GNU_SOURCE
#include "inject.h"

#include "madt_calls.h"
#include "madt_filter.h"

#include <dirent.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <unistd.h>

#ifndef PTRACE_SECCOMP_GET_FILTER
#define PTRACE_SECCOMP_GET_FILTER 0x420c
#endif

#define STRICT 1          /* SECCOMP_MODE_STRICT */
#define STEPS_MOST 200000 /* of a filter, for one call */
#define FILTERS_MOST 512  /* of a thread; the kernel has fewer */

/* Calls without which nobody attaches, beside those that are needed all the time. */
static const struct madt_own_call attach_calls[] = {
	/* by which the kernel makes a wait again that was stopped */
	MADT_OWN_CALL(restart_syscall, true, 0, 0),
	MADT_OWN_CALL(open, true, 1, 1, 2),
	MADT_OWN_CALL(pwrite64, true, 15, 3, 1, 1, 1),
	MADT_OWN_CALL(process_vm_readv, true, 0x17, 1, 1, 1, 1, 1, 0),
};
#define ATTACH_CALLS (sizeof attach_calls / sizeof *attach_calls)

/* proc(5), status: the mode of seccomp(2), which is 0 without it, and how many filters there are. */
static int seccomp_mode(pid_t pid, int *filters)
{
	char line[256];
	int mode = 0;
	FILE *file = process_file(pid, "status");

	*filters = 0;
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "Seccomp_filters: %d", filters) != 1)
			sscanf(line, "Seccomp: %d", &mode);
	if (file)
		fclose(file);
	return mode;
}

/*
 * Counts filters: those of a container stand over this process too, and let MadT pass; more of them
 * are the process's own.
 */
static bool is_shut_in(pid_t tid, bool *strict)
{
	int filters, own_filters, mode = seccomp_mode(tid, &filters),
							  own_mode = seccomp_mode(getpid(), &own_filters);

	*strict = mode == STRICT;
	return mode == STRICT || filters > own_filters || (mode && !own_mode);
}

/* ---------------------------------------------------------------- a filter and a call */

struct value {
	uint32_t is;
	bool known;
};

struct machine {
	struct value a, x, memory[BPF_MEMWORDS];
};

struct question {
	const struct sock_filter *program;
	size_t length;
	const struct madt_own_call *call;
	size_t steps;
};

static struct value data_load(const struct madt_own_call *call, uint32_t at)
{
	const size_t first = offsetof(struct seccomp_data, args);
	uint32_t word = 0;

	if (at == offsetof(struct seccomp_data, nr))
		return (struct value){ call->number, true };
	if (at == offsetof(struct seccomp_data, arch))
		return (struct value){ AUDIT_ARCH_X86_64, true };
	if (at < first || at >= sizeof(struct seccomp_data) || at % sizeof word)
		return (struct value){ 0, false }; /* from where it is made */
	if (call->unknown >> (at - first) / 8 & 1)
		return (struct value){ 0, false };
	memcpy(&word, (const char *)call->argument + (at - first), sizeof word);
	return (struct value){ word, true };
}

static struct value loaded(const struct machine *m, const struct question *q,
		const struct sock_filter *i)
{
	switch (BPF_MODE(i->code)) {
	case BPF_ABS:
		return data_load(q->call, i->k);
	case BPF_MEM:
		return i->k < BPF_MEMWORDS ? m->memory[i->k] : (struct value){ 0, false };
	case BPF_LEN:
		return (struct value){ sizeof(struct seccomp_data), true };
	default:
		return (struct value){ i->k, true }; /* BPF_IMM */
	}
}

static void step(struct machine *m, const struct question *q, const struct sock_filter *i)
{
	const struct value operand = BPF_SRC(i->code) == BPF_X ? m->x : (struct value){ i->k, true };

	switch (BPF_CLASS(i->code)) {
	case BPF_LD:
		m->a = loaded(m, q, i);
		break;
	case BPF_LDX:
		m->x = loaded(m, q, i);
		break;
	case BPF_ST:
	case BPF_STX:
		if (i->k < BPF_MEMWORDS)
			m->memory[i->k] = BPF_CLASS(i->code) == BPF_ST ? m->a : m->x;
		break;
	case BPF_ALU:
		m->a = (struct value){ madt_filter_arithmetic(BPF_OP(i->code), m->a.is, operand.is),
			m->a.known && (operand.known || BPF_OP(i->code) == BPF_NEG) };
		break;
	default:
		if (BPF_MISCOP(i->code) == BPF_TXA)
			m->a = m->x;
		else
			m->x = m->a;
	}
}

static bool passes(const struct question *q, struct value verdict)
{
	switch (verdict.is & SECCOMP_RET_ACTION_FULL) {
	case SECCOMP_RET_ALLOW:
	case SECCOMP_RET_LOG:
		return verdict.known;
	case SECCOMP_RET_ERRNO:
		return verdict.known && !q->call->needed;
	default:
		return false;
	}
}

/* Returns whether the call passes on all ways from there on. Jumps go forwards only. */
static bool all_pass(struct question *q, struct machine m, size_t at)
{
	while (at < q->length && ++q->steps < STEPS_MOST) {
		const struct sock_filter *i = &q->program[at++];
		const struct value operand = BPF_SRC(i->code) == BPF_X ? m.x : (struct value){ i->k, true };

		if (BPF_CLASS(i->code) == BPF_RET)
			return passes(q, BPF_RVAL(i->code) == BPF_A ? m.a : (struct value){ i->k, true });
		if (BPF_CLASS(i->code) != BPF_JMP) {
			step(&m, q, i);
		} else if (BPF_OP(i->code) == BPF_JA) {
			at += i->k;
		} else if (m.a.known && operand.known) {
			at += madt_filter_jumps(BPF_OP(i->code), m.a.is, operand.is) ? i->jt : i->jf;
		} else {
			if (i->jt != i->jf && !all_pass(q, m, at + i->jt))
				return false;
			at += i->jf;
		}
	}
	return false;
}

static bool lets_pass(const struct sock_filter *program, size_t length,
		const struct madt_own_call *call)
{
	struct question question = { program, length, call, 0 };

	return all_pass(&question, (struct machine){ .a.known = true, .x.known = true }, 0);
}

/* Returns the first call that the filter forbids; NULL: none. */
static const struct madt_own_call *forbidden(const struct sock_filter *program, size_t length)
{
	for (size_t i = 0; i < ATTACH_CALLS; i++)
		if (!lets_pass(program, length, &attach_calls[i]))
			return &attach_calls[i];
	for (size_t i = 0; i < MADT_OWN_CALLS; i++)
		if (!lets_pass(program, length, &madt_own_calls[i]))
			return &madt_own_calls[i];
	return NULL;
}

/*
 * Returns whether it asks from where a call is made: MadT makes those of the program from other
 * places.
 */
static bool looks_at_place(const struct sock_filter *program, size_t length)
{
	const size_t place = offsetof(struct seccomp_data, instruction_pointer);

	for (size_t i = 0; i < length; i++)
		if (BPF_CLASS(program[i].code) == BPF_LD && BPF_MODE(program[i].code) == BPF_ABS
				&& program[i].k - place < sizeof(uint64_t))
			return true;
	return false;
}

/* ---------------------------------------------------------------- the filters of all threads */

/* The one that was looked at last in this place: threads have the same ones, as a rule. */
struct seen {
	struct sock_filter *program;
	size_t length;
};
static struct seen seen[FILTERS_MOST];

static bool refuse_unread(pid_t pid)
{
	return refuse("process %d is under a seccomp filter of its own, which may end it for a system"
				  " call of madt's. What it lets pass, madt finds out only as root of the host, and"
				  " under no filter itself",
			(int)pid);
}

static bool filter_suits(pid_t pid, const struct sock_filter *program, size_t length)
{
	const struct madt_own_call *call;

	if (looks_at_place(program, length))
		return refuse("the seccomp filter of process %d looks at where system calls are made, and"
					  " madt makes them elsewhere",
				(int)pid);
	call = forbidden(program, length);
	return call ? refuse("the seccomp filter of process %d forbids madt's %s", (int)pid, call->name)
				: true;
}

/* Reads one of a thread's filters. Returns its length; 0: there are no more; -1: it cannot be read. */
static long filter_read(pid_t tid, size_t number, struct sock_filter *program)
{
	const long length = ptrace(PTRACE_SECCOMP_GET_FILTER, tid, number, program);

	return length >= 0 ? length : errno == ENOENT ? 0 : -1;
}

static bool filters_look(pid_t pid, pid_t tid)
{
	static struct sock_filter program[BPF_MAXINSNS];

	for (size_t i = 0; i < FILTERS_MOST; i++) {
		const long length = filter_read(tid, i, program);
		const size_t size = (size_t)length * sizeof *program;

		if (length <= 0)
			return length == 0 ? true : refuse_unread(pid);
		if (seen[i].length == (size_t)length && memcmp(seen[i].program, program, size) == 0)
			continue;
		if (!filter_suits(pid, program, (size_t)length))
			return false;
		seen[i] = (struct seen){ realloc(seen[i].program, size), (size_t)length };
		if (!seen[i].program)
			abort();
		memcpy(seen[i].program, program, size);
	}
	return refuse_unread(pid);
}

/* Returns whether any thread is under filters of its own; each has its own ones. */
static bool any_shut_in(pid_t pid)
{
	bool strict, any = false;
	struct dirent *entry;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	folder = opendir(path);
	while (!any && folder && (entry = readdir(folder)))
		any = atoi(entry->d_name) > 0 && is_shut_in(atoi(entry->d_name), &strict);
	if (folder)
		closedir(folder);
	return any;
}

static bool shut_in; /* a thread was, before all were stopped */

bool filters_suit(const struct target *target)
{
	bool strict;

	if (!shut_in && !is_shut_in(target->pid, &strict))
		return true;
	for (size_t i = 0; i < target->count; i++) {
		const pid_t tid = target->threads[i].tid;

		if (!is_shut_in(tid, &strict))
			continue;
		if (strict)
			return refuse("process %d is in seccomp's strict mode, which ends it for any system"
						  " call of madt's",
					(int)target->pid);
		if (!filters_look(target->pid, tid))
			return false;
	}
	return true;
}

bool process_suits(pid_t pid)
{
	struct target target = { .pid = pid };
	bool suits;

	shut_in = any_shut_in(pid);
	if (!shut_in)
		return true;
	if (!threads_stop(&target))
		return false;
	suits = filters_suit(&target);
	threads_go(&target);
	return suits;
}
