/* What all files of the session ask for: the engine, and whether something is recorded. */
#include "session/session.h"

#include "base/state.h"

struct engine engine;
bool recording;
struct recording_time recording_time;

void recording_time_note(bool begins)
{
	struct recording_time *time = &recording_time;

	if (begins) {
		time->ended_before = time->ended;
		time->begun = tsc_now();
	} else if (recording) {
		time->ended = tsc_now();
	}
}
