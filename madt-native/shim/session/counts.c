/*
 * Counts of instruments: each thread has its own, so that a trampoline adds to them without a lock.
 * They lie in the session's file, and the launcher sums them up whenever it likes, even behind a
 * SIGKILL. A thread's number of counts is free again when it ends; the next thread adds to what
 * stands there.
 *
 *   MADT_COUNTS_AT  | counts of number 0 | of number 1 | ...
 *
 * Where there is no room, counts go where nobody reads them, and the thread is counted instead.
 *
 * Threads that run on behind the end of a window find theirs closed, and follow: the text may have
 * its instruments still.
 */
#include "session/session.h"

#include "base/state.h"
#include "session/area.h"

#include <sys/mman.h>

#define NUMBERS (MADT_COUNTS_BYTES / (512 * 8))

bool counts_ready;

static uint8_t taken[NUMBERS];
static uint64_t *mapped[NUMBERS];
static uint32_t reached; /* those in front were taken at some time, by a thread of this process */
static uint64_t *unread; /* for those without a number */

size_t counts_bytes(void)
{
	const uint32_t counts = session.page && session.page->engine == MADT_ENGINE_SPLICE
			? session.page->counts
			: 0;

	return counts % 512 || counts > MADT_COUNTS_MOST ? 0 : counts * sizeof(uint64_t);
}

static uint32_t numbers(void)
{
	return (uint32_t)(MADT_COUNTS_BYTES / counts_bytes());
}

static uint64_t *map_at(uint32_t number)
{
	const size_t size = counts_bytes();
	long at = area_map(MADT_AREA(session.serial) + MADT_COUNTS_AT + number * size, size);

	if (sys_failed(at))
		return NULL;
	if (!area_allocate((void *)at, size)) {
		sys_unmap((uintptr_t)at, size);
		return NULL;
	}
	SYS3(__NR_madvise, at, size, MADV_DONTFORK);
	return (uint64_t *)at;
}

static void protect(uint32_t number, int protection)
{
	const uint64_t *counts = LOAD_ACQUIRE(&mapped[number]);

	if (counts)
		SYS3(__NR_mprotect, counts, counts_bytes(), protection);
}

void counts_open(bool open)
{
	const uint32_t end = LOAD_ACQUIRE(&reached);

	__atomic_thread_fence(__ATOMIC_SEQ_CST); /* number_take looks the other way round */
	for (uint32_t i = 0; i < end; i++)
		protect(i, open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

bool counts_closed(uintptr_t address, bool opens)
{
	const uint32_t end = LOAD_ACQUIRE(&reached);

	for (uint32_t i = 0; i < end; i++) {
		const uintptr_t at = (uintptr_t)LOAD_ACQUIRE(&mapped[i]);

		if (!at || address - at >= counts_bytes())
			continue;
		if (opens)
			protect(i, PROT_READ | PROT_WRITE);
		return true;
	}
	return false;
}

static void raise_to(uint32_t *most, uint32_t count)
{
	uint32_t now = LOAD_ACQUIRE(most);

	while (now < count
			&& !__atomic_compare_exchange_n(most, &now, count, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		;
}

static bool number_take(struct madt_thread *thread)
{
	for (uint32_t i = 0; i < numbers(); i++) {
		uint8_t free = 0;

		if (LOAD_ACQUIRE(&taken[i])
				|| !__atomic_compare_exchange_n(&taken[i], &free, 1, false, __ATOMIC_ACQ_REL,
						__ATOMIC_RELAXED))
			continue;
		raise_to(&reached, i + 1);
		if (!mapped[i])
			__atomic_store_n(&mapped[i], map_at(i), __ATOMIC_SEQ_CST);
		if (!LOAD_ACQUIRE(&recording)) /* a window has ended meanwhile */
			protect(i, PROT_NONE);
		if (!mapped[i]) {
			STORE_RELEASE(&taken[i], 0);
			return false;
		}
		thread->session.counts = i + 1;
		raise_to(&session.control->counted, i + 1);
		return true;
	}
	return false;
}

/* Others that come at the same time leave a mapping behind. */
static void unread_take(void *none)
{
	(void)none;
	if (!unread) {
		long at = sys_map(counts_bytes(), PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);

		unread = sys_failed(at) ? NULL : (uint64_t *)at;
	}
}

static void take(void *thread_taken)
{
	struct madt_thread *thread = thread_taken;

	if (!number_take(thread)) {
		__atomic_fetch_add(&session.control->uncounted, 1, __ATOMIC_RELAXED);
		unread_take(NULL);
	}
}

uint64_t *counts_of(struct madt_thread *thread)
{
	if (!thread->session.counts) {
		critical_enter();
		on_own_stack(take, thread);
		critical_leave();
	}
	return thread->session.counts ? mapped[thread->session.counts - 1] : unread;
}

uint64_t *counts_unread(void)
{
	if (!unread) {
		critical_enter();
		on_own_stack(unread_take, NULL);
		critical_leave();
	}
	return unread;
}

void counts_give_back(struct madt_thread *thread)
{
	const uint32_t number = thread->session.counts;

	thread->session.counting = false;
	thread->session.counts = 0;
	if (number)
		STORE_RELEASE(&taken[number - 1], 0);
}

void counts_after_fork(void)
{
	counts_ready = false;
	for (uint32_t i = 0; i < reached; i++) {
		own_remove((uintptr_t)mapped[i]);
		mapped[i] = NULL;
		taken[i] = 0;
	}
	reached = 0;
	self.session.counts = 0;
}
