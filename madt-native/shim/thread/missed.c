/*
 * What other threads may have done unseen. While a page is open for one thread's step, wrapper or
 * system call, it is open to all. How many accesses pass then cannot be known; it is estimated from
 * what the others did while it was closed: a thread of which a share p of all accesses went to the
 * page makes about p / (1 - p) of them for every access elsewhere, which faults and takes the time
 * of one step. Doubled, since p itself lacks what passed unseen; at most one access a cycle. Of a
 * thread that was seen too rarely to have a share, or has been seen at this page alone for a while,
 * no share tells what it does in one window: some accesses every step are taken for granted.
 *
 * Engine splice closes nothing.
 */
#include "thread/thread.h"

#include "session/session.h"

#define RECENT 64    /* windows: a thread that did nothing for so long is taken to wait */
#define FORGET 8192  /* accesses after which old ones count half */
#define YOUNG 256    /* accesses before which a thread's share says nothing */
#define IN_A_ROW 32  /* accesses to one page after which it may be the only one */
#define OPEN_RATE 16 /* cycles per access where everything is open */
/* the same where nothing is known; over many windows more than enough */
#define UNSURE_RATE 1024

static uint64_t step_cycles = 40000; /* of one step that nothing interrupts */

static struct pace_page *pace_slot(struct madt_thread *thread, uintptr_t page)
{
	return &thread->thread.pace[page / MADT_PAGE * UINT64_C(0x9e3779b97f4a7c15) >> 58];
}

/* One slot may have to serve several pages: the one that comes more often stays. */
void missed_note(uintptr_t page)
{
	struct pace_page *slot = pace_slot(&self, page);

	if (slot->page == page) {
		slot->count++;
	} else if (slot->count) {
		slot->count--;
	} else {
		slot->page = page;
		slot->count = 1;
	}
	self.thread.pace_row = self.thread.pace_page == page ? self.thread.pace_row + 1 : 1;
	self.thread.pace_page = page;
	self.thread.pace_last = tsc_now();
	if (++self.thread.pace_all < FORGET)
		return;
	self.thread.pace_all /= 2;
	for (unsigned i = 0; i < PACE_PAGES; i++)
		self.thread.pace[i].count /= 2;
}

void missed_begin(struct madt_thread *thread)
{
	thread->thread.pace_last = tsc_now();
}

void missed_step(uint64_t cycles)
{
	if (cycles < step_cycles)
		step_cycles = cycles;
	else if (cycles < 2 * step_cycles)
		step_cycles += step_cycles / 256; /* forgets a lucky one */
}

static uint64_t passed(struct madt_thread *thread, uintptr_t page, uint64_t cycles)
{
	const struct pace_page *slot = pace_slot(thread, page);
	uint64_t count = slot->page == page ? slot->count : 0, others, accesses, least = 0;

	if (thread->thread.pace_all < YOUNG
			|| (thread->thread.pace_page == page && thread->thread.pace_row >= IN_A_ROW))
		least = MISSED_UNIT * cycles / UNSURE_RATE;
	if (!count)
		return least;
	others = thread->thread.pace_all > count ? thread->thread.pace_all - count : 0;
	accesses = 2 * MISSED_UNIT * cycles / step_cycles * count / (others + 1);
	if (accesses < least)
		return least;
	return accesses < MISSED_UNIT * cycles ? accesses : MISSED_UNIT * cycles;
}

static void missed_add(uint64_t parts)
{
	parts += self.thread.missed_rest;
	self.thread.missed_rest = parts % MISSED_UNIT;
	if (parts >= MISSED_UNIT)
		__atomic_fetch_add(&session.control->missed, parts / MISSED_UNIT, __ATOMIC_RELAXED);
}

/*
 * Cuts the time from `begun` to `end` to what was recorded of it; false if nothing was. Several
 * windows are taken for one.
 */
static bool cut(uint64_t *begun, uint64_t *end)
{
	const struct recording_time *time = &recording_time;

	if (!recording)
		*end = time->ended;
	if (*begun < time->begun && *begun >= time->ended_before)
		*begun = time->begun;
	return *begun < *end;
}

void missed_window(struct range range, uint64_t begun)
{
	uint64_t now = tsc_now(), cycles, parts = 0;
	struct madt_thread *thread;

	if (!engine.closes || __atomic_load_n(&thread_count, __ATOMIC_RELAXED) <= 1
			|| !cut(&begun, &now))
		return;
	cycles = now - begun;
	__atomic_fetch_add(&session.control->unsynchronised, 1, __ATOMIC_RELAXED);
	for (uint32_t i = 0; (thread = thread_other(&i)); i++) {
		uintptr_t page = PAGE_DOWN(range.start);

		if (now - thread->thread.pace_last > RECENT * (cycles + step_cycles))
			continue;
		for (unsigned n = 0; page < range.end && n < PACE_PAGES; n++, page += MADT_PAGE)
			parts += passed(thread, page, cycles);
	}
	missed_add(parts);
}

void missed_everywhere(uint64_t begun)
{
	uint64_t now = tsc_now(), parts = 0;
	struct madt_thread *thread;

	if (!engine.closes || __atomic_load_n(&thread_count, __ATOMIC_RELAXED) <= 1
			|| !cut(&begun, &now))
		return;
	__atomic_fetch_add(&session.control->unsynchronised, 1, __ATOMIC_RELAXED);
	for (uint32_t i = 0; (thread = thread_other(&i)); i++)
		if (now - thread->thread.pace_last <= RECENT * (now - begun + step_cycles))
			parts += (now - begun) * MISSED_UNIT / OPEN_RATE;
	missed_add(parts);
}
