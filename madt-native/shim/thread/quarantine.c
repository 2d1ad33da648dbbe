/*
 * Freed blocks that the allocator does not get back yet, so that nobody is given their memory
 * while the program may still use it: the last of them, up to the bytes of the session page.
 *
 *   table   open addressing: blocks that live or are kept back, by their address
 *   queue   addresses of those that are kept back, a ring: the oldest at `out`
 *
 * A block is known from its allocation on. So the allocator's own notes are never asked, and what
 * is no block goes to the allocator at once, which ends the program as it does otherwise. All steps
 * are such that a fork in between, of another thread, leaves the child with tables it can go on
 * with: at worst a block is never given back.
 */
#include "thread/quarantine.h"

#include "base/state.h"
#include "session/session.h"

#include <linux/futex.h>

#define GONE 1             /* an address: nothing is here any more, but a search goes on */
#define KEPT (1UL << 63)   /* in `size`: the block is kept back */
#define OVERHEAD 32        /* bytes that a block counts beyond its own */
#define SLOTS_LEAST 65536U /* of the table; a power of two */
/* A larger one is kept back where realloc would have grown it in its place: see quarantine_moves. */
#define MOVES_ALWAYS 65536U

struct block {
	uintptr_t address;
	size_t size;
};

struct table {
	size_t slots, used; /* used: those that are gone, too */
	struct block slot[];
};

static struct {
	struct table *table;
	uintptr_t *queue;
	size_t places, in, out;
	size_t bytes, most; /* kept back, and how many may be */
	uint32_t lock;      /* 0; 1: taken; 2: taken, and somebody waits */
	bool failed;        /* there is no memory for the tables: everything goes to the allocator */
} state;

bool quarantine_on(void)
{
	return attached && session.page->quarantine && !state.failed;
}

/* Between these no signal handler of the target runs in this thread. */
static void enter(void)
{
	uint32_t free = 0;

	critical_enter();
	if (__atomic_compare_exchange_n(&state.lock, &free, 1, false, __ATOMIC_ACQUIRE,
				__ATOMIC_RELAXED))
		return;
	while (__atomic_exchange_n(&state.lock, 2, __ATOMIC_ACQUIRE))
		SYS4(__NR_futex, &state.lock, FUTEX_WAIT_PRIVATE, 2, NULL);
}

static void leave(void)
{
	if (__atomic_exchange_n(&state.lock, 0, __ATOMIC_RELEASE) == 2)
		SYS3(__NR_futex, &state.lock, FUTEX_WAKE_PRIVATE, 1);
	critical_leave();
}

void quarantine_after_fork(void)
{
	state.lock = 0;
}

/* ---------------------------------------------------------------- the table */

static size_t slot_of(const struct table *table, uintptr_t address)
{
	return (address >> 4) * 0x9e3779b97f4a7c15UL >> 20 & (table->slots - 1);
}

static struct block *find(uintptr_t address)
{
	struct table *table = state.table;

	if (!table || address <= GONE)
		return NULL;
	for (size_t i = slot_of(table, address); table->slot[i].address;
			i = (i + 1) & (table->slots - 1))
		if (table->slot[i].address == address)
			return &table->slot[i];
	return NULL;
}

/* The address comes last: a slot that has one is complete. */
static void add(struct table *table, uintptr_t address, size_t size)
{
	size_t i = slot_of(table, address);

	while (table->slot[i].address)
		i = (i + 1) & (table->slots - 1);
	table->slot[i].size = size;
	STORE_RELEASE(&table->slot[i].address, address);
	table->used++;
}

static size_t table_bytes(size_t slots)
{
	return sizeof(struct table) + slots * sizeof(struct block);
}

/* A new table with room, without those that are gone; false if there is no memory. */
static bool grow(void)
{
	struct table *old = state.table, *table;
	size_t slots = SLOTS_LEAST, live = 0;

	for (size_t i = 0; old && i < old->slots; i++)
		live += old->slot[i].address > GONE;
	while (slots < 4 * live)
		slots *= 2;
	table = sys_pages(table_bytes(slots));
	if (!table)
		return false;
	table->slots = slots;
	for (size_t i = 0; old && i < old->slots; i++)
		if (old->slot[i].address > GONE)
			add(table, old->slot[i].address, old->slot[i].size);
	STORE_RELEASE(&state.table, table);
	if (old)
		sys_unmap((uintptr_t)old, table_bytes(old->slots));
	return true;
}

/* Returns whether one more has room. */
static bool room(void)
{
	const struct table *table = state.table;

	return (table && 4 * table->used < 3 * table->slots) || grow();
}

static bool set_up(void)
{
	state.most = session.page->quarantine;
	for (state.places = 1024; state.places < state.most / OVERHEAD + 1;)
		state.places *= 2;
	state.queue = sys_pages(state.places * sizeof *state.queue);
	return state.queue != NULL;
}

void quarantine_born(void *p, size_t size)
{
	struct block *known;

	if (!p || !quarantine_on())
		return;
	enter();
	known = find((uintptr_t)p);
	if (known)
		known->size = size;
	else if ((state.queue || set_up()) && room())
		add(state.table, (uintptr_t)p, size);
	else
		state.failed = true;
	leave();
}

bool quarantine_knows(const void *p, size_t *size)
{
	struct block *known;

	if (!p || !quarantine_on())
		return false;
	enter();
	known = find((uintptr_t)p);
	if (known)
		*size = known->size & ~KEPT;
	leave();
	return known != NULL;
}

bool quarantine_forget(void *p)
{
	struct block *known;
	bool kept;

	if (!quarantine_on())
		return false;
	enter();
	known = find((uintptr_t)p);
	kept = known && known->size & KEPT;
	if (known && !kept)
		STORE_RELEASE(&known->address, GONE);
	leave();
	return kept;
}

bool quarantine_moves(size_t had, size_t size)
{
	return had <= MOVES_ALWAYS || (size / 3 >= had / 2 && had <= session.page->quarantine / 4);
}

/* ---------------------------------------------------------------- the queue */

/* The oldest block, if more are kept back than `most` bytes; or NULL. */
static void *take(size_t most)
{
	uintptr_t address = 0;

	while (!address && state.out != state.in && state.bytes > most) {
		uintptr_t oldest = state.queue[state.out % state.places];
		struct block *known = find(oldest);

		state.out++;
		if (!known || !(known->size & KEPT))
			continue;
		state.bytes -= (known->size & ~KEPT) + OVERHEAD;
		STORE_RELEASE(&known->address, GONE);
		address = oldest;
	}
	return (void *)address;
}

static void *take_locked(size_t most)
{
	void *oldest;

	enter();
	oldest = take(most);
	leave();
	return oldest;
}

static bool keep(struct block *known, uintptr_t address)
{
	size_t counts = known->size + OVERHEAD;

	if (counts > state.most || state.in - state.out == state.places) {
		STORE_RELEASE(&known->address, GONE);
		return false;
	}
	state.queue[state.in % state.places] = address;
	known->size |= KEPT;
	state.bytes += counts;
	state.in++;
	return true;
}

bool quarantine_keep(void *p, void (*release)(void *))
{
	struct block *known;
	bool kept;

	if (!quarantine_on())
		return false;
	enter();
	known = find((uintptr_t)p);
	kept = known && (known->size & KEPT || keep(known, (uintptr_t)p));
	leave();
	for (void *oldest; kept && (oldest = take_locked(state.most));)
		release(oldest);
	return kept;
}

bool quarantine_give_back(void (*release)(void *))
{
	bool any = false;

	if (!release || !quarantine_on())
		return false;
	for (void *oldest; (oldest = take_locked(0)); any = true)
		release(oldest);
	return any;
}
