/*
 * Where the stack of a thread lies that the C library mapped for it. The thread's control block, at
 * the base of FS, says so: start, size and guard of the mapping stand in it side by side (glibc,
 * struct pthread: stackblock, stackblock_size, guardsize; musl: map_base, map_size, and guard_size
 * two words later). At which place differs between versions, so it is looked for: the block lies
 * near the end of the mapping that they tell of. A stack that the program itself provides has no
 * guard, and is memory like any other.
 */
#ifndef MADT_STACK_H
#define MADT_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Words of a control block that are looked at: glibc's has about as many, musl's fewer. */
#define MADT_CONTROL_WORDS 288
/* The control block begins so many bytes in front of the end of the mapping at most. */
#define MADT_CONTROL_MOST 65536u
#define MADT_STACK_PAGE 4096u

struct madt_stack {
	uint64_t start, end; /* without its guard; none: both 0 */
};

static inline bool madt_stack_is_guard(uint64_t guard, uint64_t size)
{
	return guard && guard % MADT_STACK_PAGE == 0 && guard < size;
}

/* The stack of the thread whose control block, at `base`, begins with these words. */
static inline struct madt_stack madt_stack_of(const uint64_t *control, size_t words, uint64_t base)
{
	for (size_t i = 0; i + 5 <= words; i++) {
		uint64_t start = control[i], size = control[i + 1], end = start + size, guard;

		if (!start || start % MADT_STACK_PAGE || size % MADT_STACK_PAGE || start >= base
				|| end <= base || end - base > MADT_CONTROL_MOST)
			continue;
		guard = madt_stack_is_guard(control[i + 2], size) ? control[i + 2] : control[i + 4];
		if (madt_stack_is_guard(guard, size) && start + guard < base)
			return (struct madt_stack){ start + guard, end };
	}
	return (struct madt_stack){ 0, 0 };
}

#endif
