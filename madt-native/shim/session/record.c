/* Words of accesses and bulk transfers, in chunks that a thread owns. */
#include "session/session.h"

#include "base/spin.h"
#include "base/state.h"

#include <linux/futex.h>
#include <time.h>

#define RING_EVERY 8        /* chunks published */
#define BUFFERS_FOR_CALLS 4 /* 16 MiB: where times are recorded, waits disturb more */

/* Makes a claimed chunk this thread's: all ones behind the head, the head, then visible. */
static void chunk_adopt(struct madt_buffer *buffer, uint32_t i)
{
	uint64_t *words = session_chunk(buffer, i);
	struct madt_chunk *head = (struct madt_chunk *)words;

	if (head->filled == MADT_CHUNK_RAW)
		bytes_set(words + MADT_CHUNK_HEADER_WORDS, 0xff, MADT_CHUNK_BYTES - sizeof *head);
	head->thread = self.number;
	head->process = session.control->pid;
	head->epoch = ring_epoch();
	head->tsc = tsc_now();
	head->call_begun = 0;
	STORE_RELEASE(&head->filled, MADT_CHUNK_LIVE);
	buffer->chunk[i].thread = self.number;
	self.session.chunk = words;
	self.session.chunk_state = &buffer->chunk[i];
	self.session.position = MADT_CHUNK_HEADER_WORDS;
}

/* `full` becomes true if one is free for which there is no memory. */
static bool buffer_claim(struct madt_buffer *buffer, bool *full)
{
	for (uint32_t i = 0; i < buffer->chunks; i++) {
		uint32_t free = MADT_FREE;

		if (LOAD_ACQUIRE(&buffer->chunk[i].state) != MADT_FREE)
			continue;
		if (!session_back_chunk(buffer->number, i)) {
			*full = true;
			return false;
		}
		if (__atomic_compare_exchange_n(&buffer->chunk[i].state, &free, MADT_BUSY, false,
					__ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
			chunk_adopt(buffer, i);
			return true;
		}
	}
	return false;
}

static bool chunk_claim_free(bool *full)
{
	uint32_t buffers = LOAD_ACQUIRE(&session.control->buffers);

	for (uint32_t k = 0; k < buffers; k++)
		if (session.buffer[k] && buffer_claim(session.buffer[k], full))
			return true;
	return false;
}

/* The launcher will give one back. */
static bool chunk_is_coming(void)
{
	uint32_t buffers = LOAD_ACQUIRE(&session.control->buffers);

	for (uint32_t k = 0; k < buffers; k++) {
		struct madt_buffer *buffer = session.buffer[k];

		for (uint32_t i = 0; buffer && i < buffer->chunks; i++)
			if (LOAD_ACQUIRE(&buffer->chunk[i].state) == MADT_READY)
				return true;
	}
	return false;
}

/*
 * Waits for a chunk. Where there is no memory for more, and other threads have all that there are,
 * none may ever come.
 */
static void chunk_await(uint32_t signal, bool full, int *waits)
{
	struct madt_control *control = session.control;

	__atomic_fetch_add(&control->chunk_waiters, 1, __ATOMIC_ACQ_REL);
	session_wait(&control->chunk_signal, signal);
	__atomic_fetch_sub(&control->chunk_waiters, 1, __ATOMIC_ACQ_REL);
	*waits = full && LOAD_ACQUIRE(&control->chunk_signal) == signal && !chunk_is_coming()
			? *waits + 1
			: 0;
	if (*waits >= SESSION_PATIENCE)
		session_space_ended(LOAD_ACQUIRE(&control->buffers) < MADT_BUFFERS_MAX ? MADT_LEFT_SPACE
																			   : MADT_LEFT_THREADS);
}

/* Threads that sit on most chunks would starve the others: then another buffer file is added. */
static bool chunks_mostly_busy(void)
{
	uint32_t busy = 0, all = 0, buffers = LOAD_ACQUIRE(&session.control->buffers);

	for (uint32_t k = 0; k < buffers; k++) {
		struct madt_buffer *buffer = session.buffer[k];

		all += buffer->chunks;
		for (uint32_t i = 0; i < buffer->chunks; i++)
			busy += LOAD_ACQUIRE(&buffer->chunk[i].state) == MADT_BUSY;
	}
	return busy * 2 > all;
}

static bool buffer_is_wanted(void)
{
	bool timed = session.page->flags & MADT_SESSION_TIMES;

	return chunks_mostly_busy()
			|| (timed && LOAD_ACQUIRE(&session.control->buffers) < BUFFERS_FOR_CALLS);
}

static struct spin adding;

void record_after_fork(void)
{
	spin_after_fork(&adding);
}

static void chunk_claim(void *none)
{
	static const struct timespec a_moment = { 0, 1000000 };
	struct madt_control *control = session.control;
	int waits = 0;

	(void)none;
	/*
	 * Those who wait must wake up first: who only just had a chunk would take the free one from
	 * them every time.
	 */
	if (LOAD_ACQUIRE(&control->chunk_waiters))
		SYS4(__NR_futex, &control->chunk_signal, FUTEX_WAIT, LOAD_ACQUIRE(&control->chunk_signal),
				&a_moment);
	for (;;) {
		uint32_t signal = LOAD_ACQUIRE(&control->chunk_signal);
		bool full = false;

		if (chunk_claim_free(&full) || session.gone)
			return;
		if (buffer_is_wanted() && spin_try(&adding)) {
			bool added = session_add_buffer();

			spin_unlock(&adding);
			if (added)
				continue;
			full = true;
		}
		chunk_await(signal, full, &waits);
	}
}

static void chunk_take(void)
{
	if (session.gone)
		return;
	if (engine.claim)
		engine.claim();
	on_own_stack(chunk_claim, NULL);
}

/*
 * The launcher comes by itself after a while; it is woken now and then, so that it takes several
 * chunks at once.
 */
static void chunk_publish(struct madt_thread *thread)
{
	uint64_t ticket = __atomic_fetch_add(&session.control->chunk_ticket, 1, __ATOMIC_ACQ_REL);

	thread->session.chunk_state->ticket = ticket;
	STORE_RELEASE(&thread->session.chunk_state->state, MADT_READY);
	thread->session.chunk = NULL;
	if (ticket % RING_EVERY == 0)
		session_ring();
}

void record_flush(void)
{
	critical_enter();
	lead_position_take();
	if (self.session.chunk)
		chunk_publish(thread_self());
	lead_position_give();
	critical_leave();
}

void record_flush_of(struct madt_thread *thread)
{
	critical_enter();
	if (thread->session.chunk)
		chunk_publish(thread);
	critical_leave();
}

bool record_renew(void)
{
	bool renewed;

	critical_enter();
	if (self.session.chunk)
		chunk_publish(thread_self());
	chunk_take();
	renewed = self.session.chunk != NULL;
	if (!renewed)
		__atomic_fetch_add(&session.control->access_errors, 1, __ATOMIC_RELAXED);
	critical_leave();
	return renewed;
}

/* The header is stored last: a reader that sees it sees the whole record. */
static void record_store(uint32_t number, const uint32_t *epoch, const uint64_t *words,
		uint32_t count)
{
	critical_enter();
	lead_position_take();
	if (self.session.chunk && self.session.position + 1 + count > MADT_CHUNK_WORDS)
		chunk_publish(thread_self());
	if (!self.session.chunk)
		chunk_take();
	if (session.gone || !self.session.chunk) {
		__atomic_fetch_add(&session.control->access_errors, 1, __ATOMIC_RELAXED);
	} else {
		uint64_t *at = self.session.chunk + self.session.position;

		for (uint32_t i = 0; i < count; i++)
			at[1 + i] = words[i];
		STORE_RELEASE(at, MADT_RECORD_HEADER(number, epoch ? *epoch : ring_epoch()));
		self.session.position += 1 + count;
	}
	lead_position_give();
	critical_leave();
}

void record_write(uint32_t number, const uint64_t *words, uint32_t count)
{
	record_store(number, NULL, words, count);
}

void record_write_of(uint32_t number, uint32_t epoch, const uint64_t *words, uint32_t count)
{
	record_store(number, &epoch, words, count);
}

void record_call_begin(uint64_t begun, uint64_t number)
{
	struct madt_chunk *head = (struct madt_chunk *)self.session.chunk;

	if (!head)
		return;
	head->call_number = number;
	STORE_RELEASE(&head->call_begun, begun);
}

void record_call_end(void)
{
	if (self.session.chunk)
		((struct madt_chunk *)self.session.chunk)->call_begun = 0;
}

void record_copy(uintptr_t code, const void *to, const void *from, size_t length)
{
	uint64_t words[] = { code, (uintptr_t)to, (uintptr_t)from, length };

	record_write(MADT_TEMPLATE_COPY, words, 4);
}

void record_block(enum madt_builtin_template number, uintptr_t code, const void *address,
		size_t length)
{
	uint64_t words[] = { code, (uintptr_t)address, length };

	record_write(number, words, 3);
}
