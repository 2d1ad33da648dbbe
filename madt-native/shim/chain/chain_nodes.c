/*
 * A table that is read without locks. Who adds a node holds one, and tells of it first, so that
 * nobody names a node that is not told. A table that has become too small is left as it is for
 * those who read it, and given up: all of them together are as large as the last.
 */
#include "chain/chain_nodes.h"

#include "base/spin.h"
#include "session/session.h"

#define FIRST_SLOTS 4096u
#define MOST_SLOTS (1u << 22)
/* In the place of `outer`, where there is none: and why. */
#define ROOT UINT32_C(0xfffffff0)

struct node_slot {
	uint64_t code;
	uint32_t outer;
	uint32_t node; /* 0: the slot is free */
};

struct nodes {
	uint32_t slots; /* a power of two */
	struct node_slot slot[];
};

static struct nodes *nodes;
static uint32_t count;
static struct spin adding;

static struct nodes *nodes_new(uint32_t slots)
{
	struct nodes *new = sys_pages(sizeof *new + slots * sizeof *new->slot);

	if (new)
		new->slots = slots;
	return new;
}

/* The slot of the node, or the free one where it would be. */
static struct node_slot *slot_find(struct nodes *in, uint32_t outer, uint64_t code)
{
	uint64_t at = (code + (uint64_t)outer * UINT64_C(0xff51afd7ed558ccd))
					* UINT64_C(0x9e3779b97f4a7c15)
			>> 32;

	for (;; at++) {
		struct node_slot *slot = &in->slot[at & (in->slots - 1)];

		if (!LOAD_ACQUIRE(&slot->node) || (slot->code == code && slot->outer == outer))
			return slot;
	}
}

static void slot_fill(struct node_slot *slot, uint32_t outer, uint64_t code, uint32_t node)
{
	slot->code = code;
	slot->outer = outer;
	STORE_RELEASE(&slot->node, node);
}

/* Makes room for one more; false if there is none. */
static bool nodes_grow(void)
{
	uint32_t slots = nodes ? 2 * nodes->slots : FIRST_SLOTS;
	struct nodes *larger;

	if (nodes && 2 * count < nodes->slots)
		return true;
	larger = slots > MOST_SLOTS ? NULL : nodes_new(slots);
	if (!larger)
		return false;
	for (uint32_t i = 0; nodes && i < nodes->slots; i++) {
		const struct node_slot *old = &nodes->slot[i];

		if (old->node)
			slot_fill(slot_find(larger, old->outer, old->code), old->outer, old->code, old->node);
	}
	STORE_RELEASE(&nodes, larger);
	return true;
}

static uint32_t node_add(uint32_t outer, uint64_t code, uint32_t key, enum madt_cut cut)
{
	struct node_slot *slot;
	struct madt_event event = {
		.type = MADT_EVENT_CHAIN_NODE, .callers = 1, .size = outer, .old = cut, .caller = { code }
	};

	if (!nodes_grow())
		return 0;
	slot = slot_find(nodes, key, code);
	if (slot->node)
		return slot->node;
	event.address = count + 1;
	if (!ring_put(&event))
		return 0;
	slot_fill(slot, key, code, ++count);
	return count;
}

uint32_t node_of(uint32_t outer, uint64_t code, enum madt_cut cut)
{
	uint32_t key = outer ? outer : ROOT + cut, node;
	struct nodes *in = LOAD_ACQUIRE(&nodes);

	node = in ? LOAD_ACQUIRE(&slot_find(in, key, code)->node) : 0;
	if (node)
		return node;
	spin_lock(&adding);
	node = node_add(outer, code, key, cut);
	spin_unlock(&adding);
	return node;
}

void nodes_after_fork(void)
{
	spin_after_fork(&adding);
	nodes = NULL;
	count = 0;
}
