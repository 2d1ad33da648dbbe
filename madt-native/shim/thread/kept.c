/* Pages that a wrapper's faults opened (engine trap) stay open until it ends. */
#include "thread/thread.h"

#include "region/region.h"

static void kept_close_all(void *none)
{
	(void)none;
	if (self.thread.kept_all) {
		missed_everywhere(self.thread.kept_since);
		region_close_all();
	}
	for (uint32_t i = 0; i < self.thread.kept; i++) {
		missed_window(self.thread.kept_open[i], self.thread.kept_since);
		region_close(self.thread.kept_open[i].start, self.thread.kept_open[i].end);
	}
	self.thread.kept = 0;
	self.thread.kept_all = false;
}

void kept_close_now(void)
{
	critical_enter();
	on_own_stack(kept_close_all, NULL);
	critical_leave();
}
