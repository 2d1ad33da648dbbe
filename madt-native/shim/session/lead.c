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

/* shared by all threads; a page that cannot be touched lies behind each */
static uintptr_t sink, sink_idle;
/* of counts, while nothing is recorded; or 0 */
static uintptr_t counts_idle;

static uintptr_t sink_make(size_t size)
{
	long at = sys_map(size + MADT_PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

	if (sys_failed(at) || sys_failed(SYS3(__NR_mprotect, at, size, PROT_READ | PROT_WRITE)))
		return 0;
	return (uintptr_t)at;
}

bool lead_set_up(void)
{
	if (!engine.leads)
		return true;
	sink = sink_make(SINK_BYTES);
	sink_idle = sink_make(SINK_BYTES);
	if (counts_bytes())
		counts_idle = sink_make(counts_bytes());
	if (!switches_set_up())
		return false;
	lead_begin();
	return sink && sink_idle && (counts_idle || !counts_bytes());
}

void lead_idle(bool idle)
{
	const long protection = idle ? PROT_READ | PROT_WRITE : PROT_NONE;

	if (engine.leads)
		SYS3(__NR_mprotect, sink_idle, SINK_BYTES, protection);
	if (counts_idle)
		SYS3(__NR_mprotect, counts_idle, counts_bytes(), protection);
}

bool lead_counts_idle(uintptr_t address)
{
	return counts_idle && address - counts_idle < counts_bytes();
}

bool lead_was_idle(uintptr_t address)
{
	if (!engine.leads || (address - sink_idle >= SINK_BYTES && !lead_counts_idle(address)))
		return false;
	lead_idle(true); /* it is in the midst of a record that began before */
	return true;
}

/* Gives all the same where nothing is recorded. In interposed functions threads count, too. */
static void counts_give(struct madt_thread *thread)
{
	uint64_t *own = thread->session.counting ? counts_of(thread) : NULL;

	thread->counts_at = own ? (uintptr_t)own : counts_idle;
}

void lead_begin(void)
{
	self.session.led = self.session.counting = false;
	counts_give(thread_self());
	self.switches_at = switches_place();
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

static bool counts_wanted(const struct madt_thread *thread)
{
	return counts_idle && counts_ready && attached && recording && !thread->unseen;
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
	bool counting = counts_wanted(thread);

	if (counting != thread->session.counting) {
		thread->session.counting = counting;
		counts_give(thread);
	}
	if (wanted == thread->session.led && (wanted || thread->session.idle == !recording))
		return;
	critical_enter();
	position_take(thread);
	thread->session.led = wanted;
	position_give(thread);
	critical_leave();
}

void lead_counts_follow(void)
{
	struct madt_thread *thread = thread_self();

	lead_follow();
	if (thread->counts_at == counts_idle)
		thread->counts_at = (uintptr_t)counts_unread();
	if (!thread->counts_at) {
		thread->counts_at = counts_idle;
		lead_idle(true);
	}
}
