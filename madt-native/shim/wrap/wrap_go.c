/*
 * Go's allocator, runtime.mallocgc of Go 1.18 and later: what it is asked for stands in registers
 * where it is entered, and what it gives where it is left (Go internal ABI specification):
 *
 *   entered  rax  bytes   rbx  the type's description, or 0   r14  the goroutine
 *   left     rax  the block
 *
 * In between the goroutine may go on in another thread, and its stack may have been moved. So a call
 * is known by its goroutine and by how far below the stack's upper end it begins, which stays. Where
 * the stack has to grow first, the function is entered again, and says the same once more.
 *
 * Calls at hand are in a table without locks: what stands in a slot is its goroutine's alone. Where
 * too many of them meet, a block is not told of.
 */
#include "chain/chain.h"
#include "wrap/wrap.h"

#include "base/load.h"
#include "base/state.h"

#define SLOTS (1u << 14) /* a power of two */
#define WAYS 16u
#define STACK_END 8 /* in a goroutine, runtime.g: behind the begin of its stack */

enum { NUMBER_RAX = 0, NUMBER_RBX = 3, NUMBER_RSP = 4, NUMBER_R14 = 14 };

struct go_call {
	uint64_t goroutine; /* 0: free */
	uint64_t depth, size, type;
};

static struct go_call *calls;

void go_set_up(void)
{
	if (!calls)
		STORE_RELEASE(&calls, sys_pages(SLOTS * sizeof *calls));
}

static struct go_call *slot_at(uint64_t goroutine, uint64_t depth, unsigned way)
{
	const uint64_t mixed = (goroutine ^ depth << 32) * UINT64_C(0x9e3779b97f4a7c15);

	return &calls[((mixed >> 40) + way) & (SLOTS - 1)];
}

/* The slot of a call; NULL: it has none. */
static struct go_call *slot_of(uint64_t goroutine, uint64_t depth)
{
	for (unsigned way = 0; way < WAYS; way++) {
		struct go_call *slot = slot_at(goroutine, depth, way);

		if (LOAD_ACQUIRE(&slot->goroutine) == goroutine && slot->depth == depth)
			return slot;
	}
	return NULL;
}

/* The same of a new call; NULL: there is no room. */
static struct go_call *slot_take(uint64_t goroutine, uint64_t depth)
{
	for (unsigned way = 0; way < WAYS; way++) {
		struct go_call *slot = slot_at(goroutine, depth, way);
		uint64_t none = 0;

		if (!LOAD_ACQUIRE(&slot->goroutine)
				&& __atomic_compare_exchange_n(&slot->goroutine, &none, goroutine, false,
						__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return slot;
	}
	return NULL;
}

/* False: no goroutine is there. */
static bool depth_of(const struct madt_probe_state *state, uint64_t *depth)
{
	uint64_t end;

	if (!attached || !LOAD_ACQUIRE(&calls)
			|| !load_word(state->general[NUMBER_R14] + STACK_END, &end))
		return false;
	*depth = end - state->general[NUMBER_RSP];
	return true;
}

void go_enter(const struct madt_probe_state *state)
{
	const uint64_t goroutine = state->general[NUMBER_R14];
	struct go_call *slot;
	uint64_t depth;

	if (!depth_of(state, &depth))
		return;
	slot = slot_of(goroutine, depth);
	if (!slot)
		slot = slot_take(goroutine, depth);
	if (!slot)
		return;
	slot->depth = depth;
	slot->size = state->general[NUMBER_RAX];
	slot->type = state->general[NUMBER_RBX];
}

/* A block without bytes is no memory: all of these have one address. */
void go_leave(const struct madt_probe_state *state)
{
	struct madt_event event = { .type = MADT_EVENT_GO_ALLOC, .callers = 1 };
	struct go_call *slot;
	uint64_t depth;

	if (!depth_of(state, &depth))
		return;
	slot = slot_of(state->general[NUMBER_R14], depth);
	if (!slot)
		return;
	event.address = state->general[NUMBER_RAX];
	event.size = slot->size;
	event.old = slot->type;
	STORE_RELEASE(&slot->goroutine, 0);
	if (!event.size || !load_word(state->general[NUMBER_RSP], &event.caller[0]))
		return;
	event.old_size = chain_at_return(state);
	ring_put(&event);
}
