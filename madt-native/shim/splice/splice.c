/*
 * Engine `splice`: instructions record themselves, by the plan of their module (docs/SPLICE.md). No page is closed. Where a thread's
 * runs go is one pointer, the first word of its block: into its chunk, or into the sink, which nobody reads, while nothing is recorded:
 *
 *   led:      chunk  | run | run | next ▸        | guard page      without a chunk: the guard page itself
 *   not led:  sink   | next ▸                    | guard page
 */
#include "shim.h"

#include <sys/mman.h>

#define SINK_BYTES MADT_CHUNK_BYTES

bool splice_on;
static uintptr_t sink; /* shared by all threads; a page that cannot be touched lies behind it */

bool splice_set_up(void)
{
	long at;

	if (!splice_on)
		return true;
	at = sys_map(SINK_BYTES + MADT_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	if (sys_failed(at) || sys_failed(SYS3(__NR_mprotect, at, SINK_BYTES, PROT_READ | PROT_WRITE)))
		return false;
	sink = (uintptr_t)at;
	splice_begin();
	return true;
}

void splice_begin(void)
{
	self.led = false;
	splice_position_give();
	splice_lead();
}

static void position_take(struct madt_thread *thread)
{
	if (thread->led && thread->chunk)
		thread->position = (uint32_t)((uint64_t *)thread->block[0] - thread->chunk);
}

static void position_give(struct madt_thread *thread)
{
	if (!thread->led)
		thread->block[0] = sink;
	else
		thread->block[0] = thread->chunk ? (uintptr_t)(thread->chunk + thread->position) : sink + SINK_BYTES;
}

void splice_position_take(void)
{
	position_take(thread_self());
}

void splice_position_give(void)
{
	position_give(thread_self());
}

/* At each beginning and end of an interposed function. */
void splice_lead(void)
{
	struct madt_thread *thread = thread_self();
	bool silent = thread->frames && thread->frame[thread->frames - 1].kind != FRAME_SIGNAL;
	bool wanted = splice_on && attached && recording && !silent && !thread->vfork_child;

	if (wanted == thread->led)
		return;
	critical_enter();
	position_take(thread);
	thread->led = wanted;
	position_give(thread);
	critical_leave();
}

void splice_make_room(uintptr_t stack)
{
	frame_prune(stack);
	if (recording)
		recording_goes_on();
	splice_lead();
	if (self.led)
		self.led = record_renew();
	splice_position_give();
}
