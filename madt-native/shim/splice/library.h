/* Functions of the user's that probes call: madt_probe.h. */
#ifndef MADT_SHIM_LIBRARY_H
#define MADT_SHIM_LIBRARY_H

#include "base/base.h"

/* Calls the function of a place, in call_out.S's critical section and on MadT's stack. */
void library_call(const struct madt_probe_state *state, uint32_t place);

#endif
