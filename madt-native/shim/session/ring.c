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

static bool pauses_told(void)
{
	return session.page->flags & MADT_SESSION_PAUSES;
}

/*
 * Waits for a free slot unless the session may lose events; `waited` becomes the beginning, if
 * that is to be told. Returns how many were free, 0 if the event is lost.
 */
static int64_t ring_take(struct madt_control *control, uint64_t *waited)
{
	int64_t free;

	while ((free = __atomic_fetch_sub(&control->ring_free, 1, __ATOMIC_ACQ_REL)) <= 0) {
		uint32_t signal = LOAD_ACQUIRE(&control->ring_signal);

		__atomic_fetch_add(&control->ring_free, 1, __ATOMIC_ACQ_REL);
		if (session.gone || (session.page->flags & MADT_SESSION_LOSSY))
			return 0;
		if (!*waited && pauses_told() && !self.session.pausing)
			*waited = tsc_now();
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

/* In a critical section. */
static uint64_t ring_publish(uint32_t thread, const struct madt_event *event, uint64_t *waited)
{
	struct madt_control *control = session.control;
	struct madt_event *slot;
	uint64_t ticket;
	int64_t free = ring_take(control, waited);

	if (!free) {
		__atomic_fetch_add(&control->ring_errors, 1, __ATOMIC_RELAXED);
		return 0;
	}
	ticket = __atomic_fetch_add(&control->ring_write, 1, __ATOMIC_ACQ_REL);
	if (ticket + 1 >= session.slots && session.slots < MADT_RING_SLOTS
			&& !session_back_ring(ticket + 1))
		return 0;
	slot = ring_slot(ticket);
	STORE_RELEASE(&slot->marker, MADT_BUSY);
	slot_fill(slot, event);
	slot->ticket = ticket;
	slot->thread = thread;
	STORE_RELEASE(&slot->marker, MADT_READY);
	if (free == MADT_RING_SLOTS / 2)
		session_ring();
	return ticket + 1;
}

uint64_t ring_put_of(uint32_t thread, const struct madt_event *event)
{
	uint64_t waited = 0, ticket;

	if (!session.control || session.gone)
		return 0;
	critical_enter();
	ticket = ring_publish(thread, event, &waited);
	if (waited)
		ring_pause(waited);
	critical_leave();
	return ticket;
}

uint64_t ring_put(const struct madt_event *event)
{
	return session.control && !session.gone ? ring_put_of(self.number, event) : 0;
}

/* The slot for the news of a wait may have to be waited for, too. */
void ring_pause(uint64_t begun)
{
	uint64_t waited = begun;

	if (!session.control || session.gone || !pauses_told())
		return;
	critical_enter();
	while (waited) {
		struct madt_event event = {
			.type = MADT_EVENT_PAUSE,
			.address = waited,
			.size = tsc_now() - waited,
		};

		waited = 0;
		ring_publish(self.number, &event, &waited);
	}
	critical_leave();
}
