/* Recording begins in front of main: what main.S calls there. */
#include "start/start.h"

#include "region/region.h"

int (*real_main)(int, char **, char **);

/* Called by madt_main, in front of main; returns the real main. */
__attribute__((used)) void *recording_start_at_main(void)
{
	window_open(MADT_START_MAIN, 0);
	return real_main;
}
