/*
 * Functions that count how often they are entered and left. A program prints at its end what it
 * counted: "NAME enters leaves".
 */
#ifndef COUNTED_H
#define COUNTED_H

#include <stdio.h>

struct counted {
	const char *name;
	long entered, left;
};

#define OWN __attribute__((noinline, noclone, noipa, externally_visible))
#define COUNT(name) \
	{               \
#name, 0, 0 \
	}
#define ENTER(i) __atomic_fetch_add(&counts[i].entered, 1, __ATOMIC_RELAXED)
#define LEAVE(i) __atomic_fetch_add(&counts[i].left, 1, __ATOMIC_RELAXED)

static inline void counts_print(const struct counted *counts, unsigned number)
{
	for (unsigned i = 0; i < number; i++)
		printf("%s %ld %ld\n", counts[i].name, counts[i].entered, counts[i].left);
}

#endif
