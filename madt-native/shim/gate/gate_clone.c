/*
 * fork, vfork, clone, clone3: calls that return twice, the second time in a thread that has no
 * state of its own yet.
 */
#include "gate/clone_slots.h"
#include "gate/gate_parts.h"

#include "region/region.h"
#include "session/session.h"
#include "signal/signal.h"
#include "thread/thread.h"
#include "trap/trap.h"

#include <linux/sched.h>

/* The arguments of all four calls in the form of clone3 (clone(2)). */
static void clone_arguments(const struct pending *pending, struct clone_args *arguments)
{
	const long *a = pending->argument;
	size_t size = (size_t)a[1] < sizeof *arguments ? (size_t)a[1] : sizeof *arguments;

	bytes_set(arguments, 0, sizeof *arguments);
	switch (pending->number) {
	case __NR_vfork:
		arguments->flags = CLONE_VFORK | (pending->parts ? 0 : CLONE_VM);
		break;
	case __NR_clone:
		arguments->flags = (uint64_t)a[0];
		arguments->stack = (uint64_t)a[1];
		arguments->parent_tid = arguments->pidfd = (uint64_t)a[2];
		arguments->child_tid = (uint64_t)a[3];
		break;
	case __NR_clone3:
		region_read(arguments, (uintptr_t)a[0], size);
		arguments->stack += arguments->stack ? arguments->stack_size : 0;
		break;
	}
}

bool gate_clones(long number)
{
	return number == __NR_fork || number == __NR_vfork || number == __NR_clone
			|| number == __NR_clone3;
}

/*
 * Opens what the kernel reads and writes for the parent; and for the child, which may begin long
 * after the parent has gone on.
 */
static void clone_open(struct pending *pending, const struct clone_args *arguments)
{
	uint64_t flags = arguments->flags;

	if (pending->number == __NR_clone3)
		gate_open_range(pending, (uintptr_t)pending->argument[0], (size_t)pending->argument[1]);
	if (flags & CLONE_PARENT_SETTID)
		gate_open_range(pending, (uintptr_t)arguments->parent_tid, 4);
	if (flags & CLONE_PIDFD)
		gate_open_range(pending, (uintptr_t)arguments->pidfd, 4);
}

#define FIRST_FRAME 16384 /* bytes: more than a signal frame with all that AVX-512 saves */

/*
 * CLONE_CLEAR_SIGHAND would take MadT's own handlers from the child, which begins with a trap: it
 * does without, and resets those of the target then. Together with CLONE_SIGHAND it is an error
 * that the kernel shall find.
 */
static void clear_withhold(struct pending *pending, const struct clone_args *arguments,
		greg_t *registers)
{
	size_t size = (size_t)pending->argument[1];
	uint64_t flags = arguments->flags & ~CLONE_CLEAR_SIGHAND;

	if (pending->number != __NR_clone3 || !(arguments->flags & CLONE_CLEAR_SIGHAND)
			|| (arguments->flags & CLONE_SIGHAND) || size > sizeof self.gate.scratch
			|| region_read(self.gate.scratch, (uintptr_t)pending->argument[0], size) < size)
		return;
	bytes_copy(self.gate.scratch, &flags, sizeof flags);
	pending->clears = true;
	registers[REG_RDI] = (greg_t)self.gate.scratch;
}

/*
 * A vfork child may call vfork, and its child too: their parents all wait in a stub. Where none is
 * left the child gets memory of its own, as POSIX permits and vfork(2) says of other systems, and
 * stubs with it. Its parent waits for it all the same.
 */
static void vfork_part(struct pending *pending, greg_t *registers)
{
	pending->slot = (uint8_t)clone_slot_of_vfork();
	if (pending->slot)
		return;
	pending->parts = true;
	registers[REG_RAX] = __NR_clone;
	registers[REG_RDI] = CLONE_VFORK | SIGCHLD;
	for (int i = 1; i < 5; i++)
		registers[gate_argument[i]] = 0;
}

/*
 * Signals wait until parent and child have left the stub: the child has no state of its own there.
 * Its int3 puts a signal frame on the target's stack, for it has no handler stack yet.
 */
void gate_clone_prepare(struct pending *pending, ucontext_t *context)
{
	struct clone_args arguments;
	struct pending *child;

	if (pending->number == __NR_vfork && !pending->i386)
		vfork_part(pending, context_registers(context));
	clone_arguments(pending, &arguments);
	pending->makes_thread = (arguments.flags & CLONE_VM) && !(arguments.flags & CLONE_VFORK);
	pending->lends = (arguments.flags & CLONE_VM) && (arguments.flags & CLONE_VFORK);
	clear_withhold(pending, &arguments, context_registers(context));
	pending->mask = *context_mask(context);
	*context_mask(context) = ~SIGNALS_FAULT;
	if (!(arguments.flags & CLONE_VM))
		pending->fork_ticket = ring_put(&(struct madt_event){ .type = MADT_EVENT_FORK_BEGIN });
	if (arguments.flags & CLONE_CHILD_CLEARTID)
		pending->clear_tid = arguments.child_tid;
	if (!pending->slot)
		pending->slot = (uint8_t)clone_slot_take(arguments.flags & CLONE_VM ? 2 : 1);
	clone_slots[pending->slot].inherited = signal_bequeath(arguments.flags);
	child = &clone_slots[pending->slot].pending;
	*child = *pending;
	if (gate_opens() && !self.unseen) {
		pending->begun = child->begun = tsc_now();
		/* a parent that waits for the child would keep open what the child may touch */
		clone_open(pending->lends ? child : pending, &arguments);
		/* a child with memory of its own, or a vfork child, has the handler stack */
		if (arguments.stack && pending->makes_thread)
			gate_open_range(child, arguments.stack - FIRST_FRAME, FIRST_FRAME);
		if (arguments.flags & CLONE_CHILD_SETTID)
			gate_open_range(pending->makes_thread ? child : pending, (uintptr_t)arguments.child_tid,
					4);
		if ((arguments.flags & CLONE_CHILD_CLEARTID) && pending->lends)
			gate_open_range(pending, (uintptr_t)arguments.child_tid, 4);
	}
}

/*
 * The first thing that a new thread or process does: it has no dispatch yet, and a thread no state
 * either.
 */
static struct pending *child_begin(unsigned slot, ucontext_t *context)
{
	struct pending *pending = &clone_slots[slot].pending;

	if (pending->makes_thread || pending->lends) {
		thread_begin(&clone_slots[slot].inherited);
		signal_begin(&clone_slots[slot].inherited, pending->clears);
		/* rt_sigreturn puts back the alternate stack that the frame names: none, or the parent's */
		context->uc_stack = (stack_t){ .ss_sp = self.handler_stack,
			.ss_size = HANDLER_STACK_BYTES };
		self.gate.pending = *pending;
		self.gate.clear_tid = pending->clear_tid;
		if (pending->lends) {
			clone_slots[slot].child = thread_self();
			pending->opened = 0; /* the child closes it */
			pending->everything = false;
			self.gate.pending.silent = true;
			if (!self.unseen)
				ring_put(&(struct madt_event){ .type = MADT_EVENT_THREAD_START });
		} else {
			clone_slot_release(slot);
			gate_map_stack();
		}
		gate_arm();
		thread_name_tell();
		signal_send_pending(); /* what was sent to the process, and all the others block */
	} else {
		signal_begin(NULL, pending->clears);
		self.gate.pending = *pending;
		self.gate.clear_tid = pending->clear_tid;
		gate_clone_cancel(slot);
		process_after_fork(context);
	}
	return &self.gate.pending;
}

/* A new process, traced or not, stands in the trace of the one that made it. */
static void child_note(const struct pending *pending, uint64_t pid)
{
	struct madt_event event = { .type = MADT_EVENT_FORK, .address = pid };
	struct clone_args arguments;

	clone_arguments(pending, &arguments);
	event.size = (arguments.flags & CLONE_VM) != 0;
	if (!(arguments.flags & CLONE_THREAD))
		ring_put(&event);
}

/*
 * Ends what a vfork child has left behind that went in the midst of something: an exec does not
 * return, and a signal may end it anywhere.
 */
static void child_end(struct madt_thread *child)
{
	gate_close(&child->gate.pending);
	gate_map_end(&child->gate.pending);
	trap_abandon(child);
	kept_close_of(child);
	record_flush_of(child);
	if (!child->unseen)
		ring_put_of(child->number, &(struct madt_event){ .type = MADT_EVENT_THREAD_END });
	thread_forget(child);
}

/* The vfork child has left this memory, or never was. */
static void lent_back(unsigned slot)
{
	if (clone_slots[slot].child)
		child_end(clone_slots[slot].child);
	clone_slots[slot].child = NULL;
	gate_clone_cancel(slot);
}

/* No signal comes here; but madt-inject stops a thread anywhere. */
void gate_clone_interrupt(unsigned slot, ucontext_t *context)
{
	if (slot)
		*context_mask(context) = clone_slots[slot].pending.mask;
	gate_clone_cancel(slot);
}

struct pending *gate_clone_end(unsigned slot, long result, ucontext_t *context)
{
	struct pending *pending = &self.gate.pending;

	*context_mask(context) =
			clone_slots[slot].pending.mask; /* first: a child that leaves MadT adds to it */
	if (result == 0)
		return child_begin(slot, context);
	child_note(pending, sys_failed(result) ? 0 : (uint64_t)result);
	if (pending->lends)
		lent_back(slot);
	else if (sys_failed(result))
		gate_clone_cancel(slot);
	else
		clone_slot_release(slot);
	return pending;
}
