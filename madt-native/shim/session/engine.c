/* What all files of the session ask for: the engine, and whether something is recorded. */
#include "session/session.h"

struct engine engine;
bool recording;
