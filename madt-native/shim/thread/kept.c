/* Pages that a wrapper's faults opened (engine trap) stay open until it ends. */
#include "thread/thread.h"

#include "region/region.h"

static void kept_close_all(void *none)
{
	(void)none;
	if (self.kept_all) {
		missed_everywhere(self.kept_since);
		region_close_all();
	}
	for (uint32_t i = 0; i < self.kept; i++) {
		missed_window(self.kept_open[i], self.kept_since);
		region_close(self.kept_open[i].start, self.kept_open[i].end);
	}
	self.kept = 0;
	self.kept_all = false;
}

void kept_close_now(void)
{
	critical_enter();
	on_own_stack(kept_close_all, NULL);
	critical_leave();
}
