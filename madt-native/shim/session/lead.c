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
 * with its next record. One that is in the midst of a record then goes on in the other sink: its
 * pointer is past that record already, and leads to what cannot be touched.
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
	session.control->plans = LOAD_ACQUIRE(&session.page->plans);
	lead_begin();
	return sink && sink_idle && (!counts_bytes() || (counts_idle && counts_unread()));
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

/* The end counts as within: a register may lead behind a record. */
static void word_move(uint64_t *word, struct range from, uintptr_t to)
{
	if (*word - from.start <= from.end - from.start)
		*word += to - from.start;
}

static void record_move(greg_t *registers, struct range from, uintptr_t to)
{
	for (int i = REG_R8; i <= REG_RCX; i++)
		word_move((uint64_t *)&registers[i], from, to);
	word_move(&self.block[MADT_GS_RECORD / sizeof *self.block], from, to);
}

bool lead_was_idle(uintptr_t address, greg_t *registers)
{
	if (!engine.leads)
		return false;
	if (address - sink_idle < SINK_BYTES)
		record_move(registers, (struct range){ sink_idle, sink_idle + SINK_BYTES }, sink);
	else if (lead_counts_idle(address))
		record_move(registers, (struct range){ counts_idle, counts_idle + counts_bytes() },
				(uintptr_t)counts_unread());
	else
		return false;
	return true;
}

/* Gives all the same where nothing is recorded. In interposed functions threads count, too. */
static void counts_give(struct madt_thread *thread)
{
	uint64_t *own = thread->session.counting ? counts_of(thread) : NULL;

	thread->counts_at = own ? (uintptr_t)own : counts_idle;
}

void lead_after_fork(void)
{
	lead_idle(!recording);
	lead_begin();
}

void lead_begin(void)
{
	self.session.led = self.session.counting = false;
	self.session.idle = true;
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
	if (!thread->session.led)
		thread->block[0] = thread->session.idle ? sink_idle : sink;
	else
		thread->block[0] = thread->session.chunk
				? (uintptr_t)(thread->session.chunk + thread->session.position)
				: sink + SINK_BYTES;
}

static bool counts_wanted(const struct madt_thread *thread, bool open)
{
	return counts_idle && session.page->counting && counts_ready && attached && open
			&& !thread->unseen;
}

void lead_position_take(void)
{
	position_take(thread_self());
}

void lead_position_give(void)
{
	position_give(thread_self());
}

/*
 * At each beginning and end of an interposed function. Another thread may begin the recording
 * meanwhile: this one has an idle sink then, and follows with its next record.
 */
void lead_follow(void)
{
	struct madt_thread *thread = thread_self();
	const bool open = LOAD_ACQUIRE(&recording);
	bool wanted = engine.leads && attached && open && !thread->session.silent && !thread->unseen;
	bool counting = counts_wanted(thread, open);

	if (counting != thread->session.counting) {
		thread->session.counting = counting;
		counts_give(thread);
	}
	if (wanted == thread->session.led && (wanted || thread->session.idle == !open))
		return;
	critical_enter();
	position_take(thread);
	thread->session.led = wanted;
	thread->session.idle = !wanted && !open;
	position_give(thread);
	critical_leave();
}

bool lead_counts_closed(uintptr_t address, bool midst)
{
	if (!counts_closed(address, midst || recording))
		return false;
	lead_follow();
	return true;
}

void lead_counts_follow(void)
{
	struct madt_thread *thread = thread_self();

	lead_follow();
	if (thread->session.idle)
		SYS0(__NR_sched_yield);
	else if (thread->counts_at == counts_idle)
		thread->counts_at = (uintptr_t)counts_unread();
}
