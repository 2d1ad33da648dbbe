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

void splice_position_take(void)
{
	if (self.led && self.chunk)
		self.position = (uint32_t)((uint64_t *)self.block[0] - self.chunk);
}

void splice_position_give(void)
{
	if (!self.led)
		self.block[0] = sink;
	else
		self.block[0] = self.chunk ? (uintptr_t)(self.chunk + self.position) : sink + SINK_BYTES;
}

void splice_lead(void)
{
	bool wanted = splice_on && attached && recording && !frame_silent() && !self.vfork_parent;

	if (wanted == self.led)
		return;
	critical_enter();
	splice_position_take();
	self.led = wanted;
	splice_position_give();
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
