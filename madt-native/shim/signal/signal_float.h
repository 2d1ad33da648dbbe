/* The floating-point state in the kernel's frames: all that XSAVE saves. */
#ifndef MADT_SIGNAL_FLOAT_H
#define MADT_SIGNAL_FLOAT_H

#include "base/base.h"

/* Once in each image, while the target has not forbidden CPUID: arch_prctl(2), ARCH_SET_CPUID. */
void float_set_up(void);
/* Bytes of what is saved in the context; 0 if nothing is. */
size_t float_size(const ucontext_t *context);
/* Gives the context the state in which the kernel enters a handler. */
void float_clear(ucontext_t *context);

#endif
