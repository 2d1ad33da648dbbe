/* How far a process is on its way out of MadT, and the request to a thread to come along. */
#include "gate/gate_parts.h"
#include "gate/leave.h"

#include <linux/futex.h>

uint32_t leave_phase;

/* Sets the phase, for which parked threads wait. */
void leave_phase_set(enum leave_phase next)
{
	STORE_RELEASE(&leave_phase, next);
	SYS3(__NR_futex, &leave_phase, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

siginfo_t leave_request(void)
{
	siginfo_t info;

	bytes_set(&info, 0, sizeof info);
	info.si_signo = MADT_ASKED_BY;
	info.si_code = SI_QUEUE;
	info.si_pid = (pid_t)SYS0(__NR_getpid);
	info.si_uid = (uid_t)SYS0(__NR_getuid);
	info.si_value.sival_ptr = (void *)MADT_LEAVE_VALUE;
	return info;
}

bool leave_asked(const siginfo_t *info)
{
	return own_word(info) == MADT_LEAVE_VALUE;
}

void leave_after_fork(void)
{
	leave_phase = LEAVE_STAYING;
	self.gate.asked = ASKED_NOT;
	self.gate.parked = self.gate.leaves = false;
}
