/*
 * Allocators by other names: functions that the user has named (--alloc), entered through
 * named.S. A block is told of behind the call that gave it, its end in front of the call.
 *
 * What such an allocator allocates within a call is recorded as well, since blocks are cut from it.
 * But where it only passes on what another one gave, there is one block: the outermost call's. So
 * the last allocations within the call are held back until the call ends, or one of these blocks
 * does. The one with the address that the call gives is dropped, unless it has room for more: then
 * the first of several blocks has been cut from it.
 *
 *   my_alloc(32):                     my_alloc(32):
 *     malloc(32)  -> 0x1000   held      malloc(32) -> 0x3000   held
 *     malloc(640) -> 0x2000   held      -> 0x3000              this one alone is put
 *     -> 0x2010 or 0x2000     all are put
 *
 * Likewise the end of a block within a call that ends the same one is not told again. Whether
 * malloc's block has been passed on, and what is cut from it, is known where all events come
 * together: FREE_AMONG.
 */
#include "chain/chain.h"
#include "wrap/wrap.h"

/* What named.S has on the stack, below the caller's rbp. */
struct named_call {
	uint64_t r11, r10, r9, r8, rdi, rsi, rdx, rcx, rax;
	uint64_t old, size, pool; /* by the arguments, as they were */
	uint32_t record;          /* it is recorded */
	uint32_t function;        /* of struct madt_plan_hook */
	uint64_t code;            /* where the function goes on */
	uint64_t number;          /* of the stub */
};

void named_enter(struct named_call *call);
void named_leave(struct named_call *call);

#define ALIGNMENT 16 /* of malloc's blocks */

/* ---------------------------------------------------------------- what is held */

/* A signal's handler does not come between. */
static void held_put(uint32_t count)
{
	struct madt_thread *thread = thread_self();

	critical_enter();
	for (uint32_t i = 0; i < count; i++)
		ring_put(&thread->thread.held_event[i]);
	thread->thread.held -= count;
	for (uint32_t i = 0; i < thread->thread.held; i++)
		thread->thread.held_event[i] = thread->thread.held_event[i + count];
	critical_leave();
}

/* The index of what is held of a block; how many are held, if there is none. */
static uint32_t held_at(uintptr_t address)
{
	struct madt_thread *thread = thread_self();
	uint32_t i = 0;

	while (i < thread->thread.held && thread->thread.held_event[i].address != address)
		i++;
	return i;
}

/*
 * Returns whether a call that was asked for so many bytes has passed on what is held. Of malloc's
 * blocks it may ask for more, up to where the next one could begin.
 */
static bool is_passed_on(const struct madt_event *held, uint64_t size)
{
	return (held->type != MADT_EVENT_MALLOC && held->type != MADT_EVENT_CALLOC)
			|| held->size <= size || held->size - size < ALIGNMENT;
}

/* A call has given a block: what is held is put, but for the same one. */
static void held_end(uintptr_t address, uint64_t size)
{
	struct madt_thread *thread = thread_self();

	held_put(held_at(address));
	if (thread->thread.held && is_passed_on(thread->thread.held_event, size)) {
		critical_enter();
		thread->thread.held--;
		for (uint32_t i = 0; i < thread->thread.held; i++)
			thread->thread.held_event[i] = thread->thread.held_event[i + 1];
		critical_leave();
	}
	held_put(thread->thread.held);
}

static bool hold(const struct madt_event *event)
{
	struct madt_thread *thread = thread_self();
	struct madt_event *held;

	if (thread->thread.held == HELD_BLOCKS)
		held_put(1);
	critical_enter();
	held = &thread->thread.held_event[thread->thread.held++];
	*held = *event;
	if (event->type == MADT_EVENT_REALLOC_END) {
		held->type = MADT_EVENT_MALLOC; /* its begin was FREE_AMONG */
		held->old = 0;
	}
	critical_leave();
	return true;
}

/* Returns whether the call that an event lies in tells of it: it ends the same block. */
static bool is_told(const struct madt_event *event)
{
	switch (event->type) {
	case MADT_EVENT_NAMED_FREE:
	case MADT_EVENT_NAMED_REALLOC_BEGIN:
		return frame_has_ended(event->old);
	case MADT_EVENT_REALLOC_END:
	case MADT_EVENT_NAMED_REALLOC_END:
		return !event->address && frame_has_ended(event->old);
	default:
		return false;
	}
}

/* Returns whether the call may give the block that the event tells of. */
static bool is_given(const struct madt_event *event)
{
	switch (event->type) {
	case MADT_EVENT_MALLOC:
	case MADT_EVENT_CALLOC:
	case MADT_EVENT_NAMED_ALLOC:
		return event->address;
	case MADT_EVENT_REALLOC_END:
	case MADT_EVENT_NAMED_REALLOC_END:
		return frame_has_ended(event->old);
	default:
		return false;
	}
}

/* Returns whether the call that an event lies in tells of it, unless it is of another block. */
static bool is_within(const struct madt_event *event)
{
	return (event->type == MADT_EVENT_FREE || event->type == MADT_EVENT_REALLOC_BEGIN)
			&& frame_has_ended(event->old);
}

bool named_takes(struct madt_event *event)
{
	if (!named_any() || !attached)
		return false;
	if (!frame_is_named())
		held_put(self.thread.held);
	else if (is_told(event))
		return true;
	else if (is_given(event))
		return hold(event);
	if (event->old && held_at(event->old) < self.thread.held)
		held_put(held_at(event->old) + 1);
	if (event->type == MADT_EVENT_FREE || is_within(event)) {
		event->size = is_within(event);
		event->type = MADT_EVENT_FREE_AMONG;
	}
	return false;
}

/* ---------------------------------------------------------------- the call */

static uintptr_t frame_of(const struct named_call *call)
{
	return (uintptr_t)(call + 1);
}

static uintptr_t caller_of(const struct named_call *call)
{
	return ((const uintptr_t *)frame_of(call))[1];
}

/* An argument, by its number; 0 where there is none. */
static uint64_t numbered(const struct named_call *call, unsigned number)
{
	const uint64_t first[] = { call->rdi, call->rsi, call->rdx, call->rcx, call->r8, call->r9 };
	const uint64_t *others = (const uint64_t *)frame_of(call) + 2;
	const unsigned registers = 6;

	if (number < registers)
		return first[number];
	return number < MADT_NAMED_ARGUMENTS ? others[number - registers] : 0;
}

/* The same by its shift in the hook's `function`. */
static uint64_t argument(const struct named_call *call, uint32_t function, unsigned shift)
{
	return numbered(call, madt_named_argument(function, shift));
}

static uint64_t size_of(const struct named_call *call)
{
	const uint32_t function = call->function;
	const uint64_t unit = UINT64_C(1) << (function >> MADT_NAMED_ROUND & 7u);
	uint64_t size;

	if (madt_is_constant(function))
		return madt_named_constant(function);
	size = argument(call, function, MADT_NAMED_SIZE);
	if (madt_is_argument(function, MADT_NAMED_FACTOR))
		size *= argument(call, function, MADT_NAMED_FACTOR);
	if (madt_named_addend(function))
		size += numbered(call, madt_named_addend(function) - 1);
	return (size + unit - 1) & ~(unit - 1);
}

/* Tells of the call, unless another one that it lies in does. */
static void put(const struct named_call *call, struct madt_event event, bool chain)
{
	event.callers = 1;
	event.caller[0] = caller_of(call);
	if (chain)
		event.old_size = chain_of(caller_of(call), frame_of(call));
	if (!named_takes(&event))
		ring_put(&event);
}

static void end_put(const struct named_call *call, uint64_t old, bool frees)
{
	put(call,
			(struct madt_event){
					.type = frees ? MADT_EVENT_NAMED_FREE : MADT_EVENT_NAMED_REALLOC_BEGIN,
					.old = old,
			},
			frees);
}

/*
 * The blocks of a list end, in its order. To read where the next one is may want pages to be open,
 * as the call's own reading will.
 */
static void list_end_put(const struct named_call *call)
{
	const uint64_t offset = argument(call, call->function, MADT_NAMED_SIZE);
	uint64_t block = call->old;

	while (block) {
		end_put(call, block, true);
		frame_enter(frame_of(call), FRAME_BLOCK);
		block = *(const uint64_t *)(block + offset);
		frame_leave(frame_of(call));
	}
}

/*
 * Keeps what the arguments say, since the function may change their registers and places. The end
 * of a block is put in the frames of the calls outside of this one. A pool's end has no frame: it
 * may run functions of the program's that clean up.
 */
void named_enter(struct named_call *call)
{
	const uint32_t function = named_at(call->number)->function, role = function & 15;

	call->code = named_at(call->number)->code;
	call->function = function;
	call->record = 0;
	if (!attached)
		return;
	frame_prune(frame_of(call));
	if (role == MADT_NAMED_CPYTHON) {
		frame_enter(frame_of(call), FRAME_BLOCK);
		cpython_begin();
		frame_leave(frame_of(call));
		return;
	}
	call->old = argument(call, function, MADT_NAMED_OLD);
	call->size = size_of(call);
	call->pool = argument(call, function, MADT_NAMED_POOL);
	call->record = frame_may_name();
	if (call->record && madt_frees_list(function))
		list_end_put(call);
	else if (call->record && call->old
			&& (role == MADT_NAMED_FREES || role == MADT_NAMED_REALLOCATES))
		end_put(call, call->old, role == MADT_NAMED_FREES);
	if (role != MADT_NAMED_ENDS)
		frame_enter_named(frame_of(call), madt_frees_list(function) ? FRAME_ENDS_ALL : call->old);
}

static void block_put(const struct named_call *call, uintptr_t result)
{
	const bool again = (call->function & 15) == MADT_NAMED_REALLOCATES && call->old;

	held_end(result, call->size);
	if (result || again)
		put(call,
				(struct madt_event){
						.type = again ? MADT_EVENT_NAMED_REALLOC_END : MADT_EVENT_NAMED_ALLOC,
						.address = result,
						.size = call->size,
						.old = again ? call->old : call->pool,
				},
				true);
}

void named_leave(struct named_call *call)
{
	const uint32_t role = call->function & 15;

	if (role == MADT_NAMED_CPYTHON)
		return;
	if (role != MADT_NAMED_ENDS)
		frame_leave(frame_of(call));
	if (!attached || !call->record)
		return;
	if (role == MADT_NAMED_ENDS)
		put(call, (struct madt_event){ .type = MADT_EVENT_POOL_END, .address = call->old }, false);
	else if (role != MADT_NAMED_FREES)
		block_put(call, call->rax);
	else if (!frame_is_named())
		held_put(self.thread.held);
}
