/*
 * Start and stop of the recording. While it is on, traced pages are closed (engine trap) or records
 * are led into chunks (engine splice).
 */
#include "region/region.h"

#include "base/state.h"
#include "session/session.h"

#define ALIVE_CYCLES UINT64_C(800000000) /* look for the launcher about that often */

/*
 * With recording on, every traced page closes. The idle sink is closed first, and opened last: else
 * it might stay closed while nothing is recorded, where another thread finds that the launcher has
 * gone.
 */
static void close_everything(void *none)
{
	(void)none;
	lead_idle(false);
	counts_open(true);
	recording_time_note(true);
	STORE_RELEASE(&recording, true);
	session.control->recording = 1;
	region_close_new(0, UINTPTR_MAX - MADT_PAGE);
	lead_follow();
}

void recording_note(enum madt_event_type type, enum madt_start cause, uintptr_t code)
{
	struct madt_event event = { .type = (uint16_t)type,
		.callers = code != 0,
		.address = code,
		.size = (uint64_t)cause,
		.old = tsc_now(),
		.caller = { code } };

	ring_put(&event);
}

bool recording_begin(enum madt_start cause, uintptr_t code)
{
	if (!attached || recording || session.gone || session.control->stop)
		return false;
	engine.begin();
	recording_note(MADT_EVENT_RECORD_START, cause, code);
	critical_enter();
	on_own_stack(close_everything, NULL);
	critical_leave();
	return true;
}

void recording_end(enum madt_start cause, uintptr_t code)
{
	recording_stop_all();
	counts_open(false);
	recording_note(MADT_EVENT_RECORD_STOP, cause, code);
	engine.rest();
}

static void open_everything(void *none)
{
	(void)none;
	recording_time_note(false);
	STORE_RELEASE(&recording, false);
	session.control->recording = 0;
	lead_idle(true);
	region_open_all();
	lead_follow();
}

void recording_stop_all(void)
{
	critical_enter();
	on_own_stack(open_everything, NULL);
	critical_leave();
}

/* The launcher may have said stop, or may have been killed. */
bool recording_goes_on(void)
{
	static uint64_t looked;
	uint64_t now = tsc_now();

	if (now - looked > ALIVE_CYCLES) {
		looked = now;
		if (!session_alive())
			session.gone = true;
	}
	if (!session.gone && !LOAD_ACQUIRE(&session.control->stop))
		return true;
	recording_stop_all();
	return false;
}
