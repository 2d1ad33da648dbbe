/* Freed blocks that are kept back from the allocator for a while: --quarantine. */
#ifndef MADT_QUARANTINE_H
#define MADT_QUARANTINE_H

#include <stdbool.h>
#include <stddef.h>

bool quarantine_on(void);
void quarantine_after_fork(void);
/* The allocator has given it. NULL is none. */
void quarantine_born(void *p, size_t size);
/* Returns whether it is a block that lives or is kept back, and how many bytes were asked for. */
bool quarantine_knows(const void *p, size_t *size);
/* The allocator is to have it at once. True if it is kept back: it must not be. */
bool quarantine_forget(void *p);
/*
 * Returns whether realloc is to make another block, so that this one is kept back: of large blocks
 * only where they grow so much that copying costs no more than the program's filling them.
 */
bool quarantine_moves(size_t had, size_t size);
/*
 * A block is freed: true if the allocator is not to have it now, since it is kept back, from now or
 * from before. Those that are kept back for longest go to `release` where they are too many.
 */
bool quarantine_keep(void *p, void (*release)(void *));
/* There is no memory: all of them go to `release`. True if there were any. */
bool quarantine_give_back(void (*release)(void *));

#endif
