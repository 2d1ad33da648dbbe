/*
 * The event ring under Feather-Trace's wait-free protocol (Brandenburg and Anderson, OSPERT 2007):
 * a writer takes a free slot by decrementing f, its index by incrementing w. The index is the
 * ticket, which is the allocation epoch.
 */
#include "session/session.h"

#include "base/state.h"

static struct madt_event *ring_slot(uint64_t ticket)
{
	struct madt_event *ring = (struct madt_event *)((char *)session.control + MADT_RING_OFFSET);

	return &ring[ticket % MADT_RING_SLOTS];
}

/*
 * Waits for a free slot unless the session may lose events. Returns how many were free, 0 if the
 * event is lost.
 */
static int64_t ring_take(struct madt_control *control)
{
	int64_t free;

	while ((free = __atomic_fetch_sub(&control->ring_free, 1, __ATOMIC_ACQ_REL)) <= 0) {
		uint32_t signal = LOAD_ACQUIRE(&control->ring_signal);

		__atomic_fetch_add(&control->ring_free, 1, __ATOMIC_ACQ_REL);
		if (session.gone || (session.page->flags & MADT_SESSION_LOSSY))
			return 0;
		__atomic_fetch_add(&control->ring_waiters, 1, __ATOMIC_ACQ_REL);
		if (__atomic_load_n(&control->ring_free, __ATOMIC_ACQUIRE) <= 0)
			session_wait(&control->ring_signal, signal);
		__atomic_fetch_sub(&control->ring_waiters, 1, __ATOMIC_ACQ_REL);
	}
	return free;
}

/* All but the marker; faster than bytes_copy for so little. */
static void slot_fill(struct madt_event *slot, const struct madt_event *event)
{
	const uint64_t *from = (const uint64_t *)event;
	uint64_t *to = (uint64_t *)slot;

	slot->type = event->type;
	slot->callers = event->callers;
	for (size_t i = 1; i < sizeof *event / sizeof *from; i++)
		to[i] = from[i];
}

uint64_t ring_put(const struct madt_event *event)
{
	struct madt_control *control = session.control;
	struct madt_event *slot;
	uint64_t ticket;
	int64_t free;

	if (!control || session.gone)
		return 0;
	critical_enter();
	free = ring_take(control);
	if (!free) {
		__atomic_fetch_add(&control->ring_errors, 1, __ATOMIC_RELAXED);
		critical_leave();
		return 0;
	}
	ticket = __atomic_fetch_add(&control->ring_write, 1, __ATOMIC_ACQ_REL);
	if (ticket + 1 >= session.slots && session.slots < MADT_RING_SLOTS
			&& !session_back_ring(ticket + 1)) {
		critical_leave();
		return 0;
	}
	slot = ring_slot(ticket);
	STORE_RELEASE(&slot->marker, MADT_BUSY);
	slot_fill(slot, event);
	slot->ticket = ticket;
	slot->thread = self.number;
	STORE_RELEASE(&slot->marker, MADT_READY);
	if (free == MADT_RING_SLOTS / 2)
		session_ring();
	critical_leave();
	return ticket + 1;
}
