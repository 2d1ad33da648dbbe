/* The end of MadT in a process: what leave.c and the tracer's side of it share. */
#ifndef MADT_LEAVE_H
#define MADT_LEAVE_H

#include "base/base.h"

#define LEAVE_LONGEST 5000 /* looks, a moment apart: a second */
#define STAND_LONGEST 500  /* likewise, where all stay: then they go on, and are asked again */

enum leave_phase { LEAVE_STAYING, LEAVE_GATHERING, LEAVE_LEFT };
extern uint32_t leave_phase;
void leave_phase_set(enum leave_phase next);

void leave_moment(void);
siginfo_t leave_request(void); /* to be sent with MADT_ASKED_BY */
void tracer_after_fork(void);

/* Of a thread, by /proc; false if it cannot be read. */
bool proc_blocked(uint32_t thread, uint64_t *mask); /* the signals that it blocks */

#endif
