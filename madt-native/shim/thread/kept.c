/* Pages that a wrapper's faults opened (engine trap) stay open until it ends. */
#include "thread/thread.h"

#include "region/region.h"

static void kept_close_all(void *of)
{
	struct thread_part *part = &((struct madt_thread *)of)->thread;

	if (part->kept_all) {
		missed_everywhere(part->kept_since);
		region_close_all();
	}
	for (uint32_t i = 0; i < part->kept; i++) {
		missed_window(part->kept_open[i], part->kept_since);
		region_close(part->kept_open[i].start, part->kept_open[i].end);
	}
	part->kept = 0;
	part->kept_all = false;
}

void kept_close_of(struct madt_thread *thread)
{
	critical_enter();
	on_own_stack(kept_close_all, thread);
	critical_leave();
}

void kept_close_now(void)
{
	kept_close_of(thread_self());
}
