/* Where the kernel enters: MadT's handlers, and the delivery of signals to the target. */
#ifndef MADT_FAULT_H
#define MADT_FAULT_H

#include "session/session.h"
#include "signal/signal.h"

extern const struct engine splice_engine, trap_engine;
extern const struct signal_entries fault_entries;

/* A signal reaches the target: it is entered, kept, or takes its default action. */
void signal_to_target(int number, siginfo_t *info, ucontext_t *context);
/* A timer's signal or the launcher's: it opens or closes a window. */
void window_to_thread(siginfo_t *info, ucontext_t *context);
/* The handler of all signals that are not MadT's. */
void signal_receive(int number, siginfo_t *info, void *context);

#endif
