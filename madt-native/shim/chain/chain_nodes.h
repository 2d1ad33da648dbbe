/* The nodes of chains: each call with the same callers is told once (docs/FORMAT.md, CHAIN_NODE). */
#ifndef MADT_CHAIN_NODES_H
#define MADT_CHAIN_NODES_H

#include "base/base.h"

/*
 * The node of the call `code`, a code word, within the one of `outer`; of the outermost, which has
 * 0 there, `cut` says why it is that. 0: there is no room for it. In a critical section.
 */
uint32_t node_of(uint32_t outer, uint64_t code, enum madt_cut cut);
void nodes_after_fork(void);

#endif
