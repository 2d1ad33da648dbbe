/* How children ended: a child that a signal kills cannot tell, but its parent is told. */
#include "gate/gate_parts.h"

#include "region/region.h"
#include "session/session.h"

#define STATUS_STOPPED 0x7f
#define STATUS_CONTINUED 0xffff

/* siginfo of waitid as wait4 would have it; false if the child has not ended. */
static bool status_of(const siginfo_t *info, uint32_t *status)
{
	if (info->si_code == CLD_EXITED)
		*status = ((uint32_t)info->si_status & 0xff) << 8;
	else
		*status = (uint32_t)info->si_status;
	return info->si_code == CLD_EXITED || info->si_code == CLD_KILLED
			|| info->si_code == CLD_DUMPED;
}

static bool waited_four(const struct pending *pending, uint32_t *status)
{
	return pending->argument[1]
			&& region_read(status, (uintptr_t)pending->argument[1], sizeof *status)
			== sizeof *status
			&& (*status & 0xff) != STATUS_STOPPED && *status != STATUS_CONTINUED;
}

void gate_waited(const struct pending *pending, long result)
{
	struct madt_event event = { .type = MADT_EVENT_WAITED };
	siginfo_t info;
	uint32_t status;
	bool ended = false;

	if (pending->number == __NR_wait4 && result > 0) {
		event.address = (uint64_t)result;
		ended = waited_four(pending, &status);
	} else if (pending->number == __NR_waitid && result == 0 && pending->argument[2]
			&& region_read(&info, (uintptr_t)pending->argument[2], sizeof info) == sizeof info
			&& info.si_pid) {
		event.address = (uint64_t)info.si_pid;
		ended = status_of(&info, &status);
	}
	if (!ended)
		return;
	event.size = status;
	ring_put(&event);
}
