/*
 * Chains of calls: how an allocation was come to, or a place of an instrument. The stack is unwound
 * by what .eh_frame says (LSB 5.0 core, "Exception Frames"; DWARF 5, 6.4), which is worked out once
 * for each place that calls, and remembered: a frame is then two loads. What the last chain of the
 * thread has in common with this one is taken from there.
 */
#ifndef MADT_CHAIN_H
#define MADT_CHAIN_H

#include "base/base.h"

#include "madt_payload.h"

/* Gets ready, when the modules are set up. Without memory there are no chains. */
void chain_set_up(void);

/*
 * The node of the call that returns to `caller`, from a function whose frame is at `frame`: it has
 * pushed rbp there, below its return address. 0: no chain is to be told.
 */
uint32_t chain_of(uintptr_t caller, uintptr_t frame);

/*
 * The node of the instruction that a probe stands at, with up to `calls` calls around it, its own
 * function's among them; 0: there is no room for it. In a critical section, on MadT's stack.
 */
uint32_t chain_at(const struct madt_probe_state *state, uint32_t calls);

/*
 * The node of the call that returns where a probe stands, of as many calls as those of allocations
 * have; 0: no chain is to be told. Likewise.
 */
uint32_t chain_at_return(const struct madt_probe_state *state);

void chain_after_fork(void);

/*
 * Tells the functions that the thread is in (MADT_EVENT_OPEN_FUNCTION) if calls are recorded and the
 * recording is on, before it records anything: those of a context, which goes on behind that. With
 * `entered` it is at the entry of a function, which its own record will tell.
 */
void open_tell(const ucontext_t *context, bool entered);
/* Tells the same of whoever calls this. */
void open_tell_here(void);

#endif
