/*
 * Engine `splice`: instructions record themselves, by the plan of their module (docs/SPLICE.md). No
 * page is closed. Where a thread's records go is one pointer, the first word of its block: into its
 * chunk, or into a sink, which nobody reads, while nothing is recorded:
 *
 *   led:      chunk  | record | record | next ▸  | guard page   without a chunk: the guard page
 *   not led:  sink   | next ▸                    | guard page
 *
 * There are two sinks: that of interposed functions, and that of the time when nothing is recorded,
 * which cannot be touched while something is. So a thread that finds the recording begun follows
 * with its next record.
 */
#include "session/session.h"

#include "base/state.h"

#include <sys/mman.h>

#define SINK_BYTES MADT_CHUNK_BYTES

struct engine engine;
bool recording;
/* shared by all threads; a page that cannot be touched lies behind each */
static uintptr_t sink, sink_idle;

static uintptr_t sink_make(void)
{
	long at = sys_map(SINK_BYTES + MADT_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	if (sys_failed(at) || sys_failed(SYS3(__NR_mprotect, at, SINK_BYTES, PROT_READ | PROT_WRITE)))
		return 0;
	return (uintptr_t)at;
}

bool lead_set_up(void)
{
	if (!engine.leads)
		return true;
	sink = sink_make();
	sink_idle = sink_make();
	lead_begin();
	return sink && sink_idle;
}

void lead_idle(bool idle)
{
	if (engine.leads)
		SYS3(__NR_mprotect, sink_idle, SINK_BYTES, idle ? PROT_READ | PROT_WRITE : PROT_NONE);
}

bool lead_was_idle(uintptr_t address)
{
	if (!engine.leads || address - sink_idle >= SINK_BYTES)
		return false;
	lead_idle(true); /* it is in the midst of a record that began before */
	return true;
}

void lead_begin(void)
{
	self.session.led = false;
	lead_position_give();
	lead_follow();
}

static void position_take(struct madt_thread *thread)
{
	if (thread->session.led && thread->session.chunk)
		thread->session.position = (uint32_t)((uint64_t *)thread->block[0] - thread->session.chunk);
}

static void position_give(struct madt_thread *thread)
{
	thread->session.idle = !thread->session.led && !recording;
	if (!thread->session.led)
		thread->block[0] = thread->session.idle ? sink_idle : sink;
	else
		thread->block[0] = thread->session.chunk
				? (uintptr_t)(thread->session.chunk + thread->session.position)
				: sink + SINK_BYTES;
}

void lead_position_take(void)
{
	position_take(thread_self());
}

void lead_position_give(void)
{
	position_give(thread_self());
}

/* At each beginning and end of an interposed function. */
void lead_follow(void)
{
	struct madt_thread *thread = thread_self();
	bool wanted = engine.leads && attached && recording && !thread->session.silent
			&& !thread->unseen;

	if (wanted == thread->session.led && (wanted || thread->session.idle == !recording))
		return;
	critical_enter();
	position_take(thread);
	thread->session.led = wanted;
	position_give(thread);
	critical_leave();
}
