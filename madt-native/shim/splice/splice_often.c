/*
 * System calls while plans wait (splice_begin.c). No text is patched then, so each call passes the
 * gate, which costs some microseconds. A `syscall` instruction that has come there often gets its
 * window, it alone: from then on its calls take the way of direct.S. Seldom ones stay as they are,
 * and so does the text of programs that soon end.
 *
 * Of more instructions than WAYS whose slots are the same, those that were counted least are
 * forgotten.
 */
#include "splice/splice.h"

#define OFTEN 64
#define SLOTS 256u
#define WAYS 4u

static struct {
	uintptr_t code;
	uint32_t count;
} slots[SLOTS];

void often_forget(void)
{
	bytes_set(slots, 0, sizeof slots);
}

/* The instruction's slot, or the one of those that it may have that counts least. */
static unsigned slot_of(uintptr_t code)
{
	unsigned first = (unsigned)(code * UINT64_C(0x9e3779b97f4a7c15) >> 56) / WAYS * WAYS;
	unsigned least = first;

	for (unsigned i = first; i < first + WAYS; i++) {
		if (__atomic_load_n(&slots[i].code, __ATOMIC_RELAXED) == code)
			return i;
		if (__atomic_load_n(&slots[i].count, __ATOMIC_RELAXED)
				< __atomic_load_n(&slots[least].count, __ATOMIC_RELAXED))
			least = i;
	}
	return least;
}

bool splice_often(uintptr_t code)
{
	unsigned slot = slot_of(code);

	if (__atomic_load_n(&slots[slot].code, __ATOMIC_RELAXED) != code) {
		__atomic_store_n(&slots[slot].code, code, __ATOMIC_RELAXED);
		__atomic_store_n(&slots[slot].count, 0, __ATOMIC_RELAXED);
	}
	return __atomic_add_fetch(&slots[slot].count, 1, __ATOMIC_RELAXED) == OFTEN;
}
_Static_assert(SLOTS == 1u << (64 - 56) && SLOTS % WAYS == 0, "the hash");
