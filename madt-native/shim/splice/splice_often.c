/*
 * System calls while plans wait (splice_begin.c). No text is patched then, so each call passes the
 * gate, which costs some microseconds. A `syscall` instruction that has come there often gets its
 * window, it alone: from then on its calls take the way of direct.S. Seldom ones stay as they are,
 * and so does the text of programs that soon end.
 *
 * Two instructions may share a slot: then both are counted longer, or one is patched again.
 */
#include "splice/splice.h"

#define OFTEN 64
#define SLOTS 256u

static struct {
	uintptr_t code;
	uint32_t count;
} slots[SLOTS];

void often_forget(void)
{
	bytes_set(slots, 0, sizeof slots);
}

void splice_often(uintptr_t code)
{
	uint32_t slot = (uint32_t)(code * UINT64_C(0x9e3779b97f4a7c15) >> 56);

	if (__atomic_load_n(&slots[slot].code, __ATOMIC_RELAXED) != code) {
		__atomic_store_n(&slots[slot].code, code, __ATOMIC_RELAXED);
		__atomic_store_n(&slots[slot].count, 0, __ATOMIC_RELAXED);
	}
	if (__atomic_add_fetch(&slots[slot].count, 1, __ATOMIC_RELAXED) == OFTEN)
		splice_alone(code);
}
_Static_assert(SLOTS == 1u << (64 - 56), "the hash");
