/*
 * The homes of all threads, in tables of places that are never moved or given back:
 *
 *   table 0   1,024 places, each with a home of its own, mapped when it is first taken
 *   table k   1,024 * 2^k places with their homes in one mapping, made when all before are taken
 *
 * A place is free where its thread's number is 0 or HOME_FREE, and where its thread has ended. The
 * first 0 is behind the last place that was ever taken.
 */
#include "thread/home.h"

#include "thread/thread.h"

#include <sys/mman.h>

uint32_t thread_count;

#define HOME_FREE UINT32_MAX /* is nobody's tid */
#define FIRST 1024u
#define TABLES 16

struct place {
	uint32_t tid;
	bool leaves; /* its thread has begun to end */
	struct home *home;
};

static struct place first[FIRST];
static struct place *tables[TABLES] = { first };

static uint32_t table_of(uint32_t i)
{
	return 31 - (uint32_t)__builtin_clz(i / FIRST + 1);
}

static uint32_t table_start(uint32_t table)
{
	return FIRST * ((1u << table) - 1);
}

/* NULL behind the last table. */
static struct place *place_at(uint32_t i)
{
	uint32_t table = table_of(i);
	struct place *places = table < TABLES ? LOAD_ACQUIRE(&tables[table]) : NULL;

	return places ? places + (i - table_start(table)) : NULL;
}

/* Another thread may make it at the same time. */
static bool table_make(uint32_t table)
{
	size_t count = FIRST << table, size = count * (sizeof(struct home) + sizeof(struct place));
	long at = sys_map(size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
			-1);
	struct home *homes = (struct home *)at;
	struct place *places, *none = NULL;

	if (sys_failed(at))
		return false;
	SYS3(__NR_madvise, at, size, MADV_NOHUGEPAGE);
	places = (struct place *)(homes + count);
	for (size_t i = 0; i < count; i++)
		places[i].home = homes + i;
	if (!__atomic_compare_exchange_n(&tables[table], &none, places, false, __ATOMIC_ACQ_REL,
				__ATOMIC_ACQUIRE))
		sys_unmap((uintptr_t)at, size);
	return true;
}

static bool gone(uint32_t tid)
{
	return tid == HOME_FREE || SYS2(__NR_tkill, tid, 0) != 0;
}

static struct home *place_take(struct place *place, uint32_t old, uint32_t tid)
{
	if (!__atomic_compare_exchange_n(&place->tid, &old, tid, false, __ATOMIC_ACQ_REL,
				__ATOMIC_RELAXED))
		return NULL;
	place->leaves = false;
	if (!place->home)
		place->home = sys_pages(sizeof(struct home));
	else if (old)
		bytes_set(&place->home->state, 0, sizeof place->home->state);
	return place->home;
}

/*
 * Most threads say that they end. `all`: asks the kernel of each, for the others; that takes as
 * many calls as there are threads.
 */
static struct home *home_search(uint32_t tid, bool all)
{
	struct place *place;

	for (uint32_t i = 0; (place = place_at(i)); i++) {
		uint32_t old = LOAD_ACQUIRE(&place->tid);
		struct home *home;

		if (old && old != HOME_FREE && !all && !LOAD_ACQUIRE(&place->leaves))
			continue;
		if (old && !gone(old))
			continue;
		home = place_take(place, old, tid);
		if (home)
			return home;
	}
	return NULL;
}

struct home *home_take(uint32_t tid)
{
	struct home *home = home_search(tid, false);

	if (!home)
		home = home_search(tid, true);
	for (uint32_t table = 1; !home && table < TABLES; table++) {
		if (LOAD_ACQUIRE(&tables[table]))
			continue;
		if (!table_make(table))
			return NULL;
		home = home_search(tid, false);
	}
	return home;
}

static struct place *place_of(const struct madt_thread *thread)
{
	struct place *place;

	for (uint32_t i = 0; (place = place_at(i)) && LOAD_ACQUIRE(&place->tid); i++)
		if (place->home && &place->home->state == thread)
			return place;
	return NULL;
}

void home_leave(const struct madt_thread *thread)
{
	struct place *place = place_of(thread);

	if (place)
		STORE_RELEASE(&place->leaves, true);
}

/*
 * The number that its creator knows it by may outlive it: that of a vfork child is soon another
 * image's.
 */
void home_give_back(const struct madt_thread *thread)
{
	struct place *place = place_of(thread);

	if (place)
		STORE_RELEASE(&place->tid, HOME_FREE);
}

void homes_after_fork(uint32_t tid)
{
	struct place *place;

	for (uint32_t i = 0; (place = place_at(i)) && place->tid; i++) {
		place->tid = place->home && &place->home->state == thread_self() ? tid : HOME_FREE;
		place->leaves = false;
	}
}

/* ---------------------------------------------------------------- threads by their places */

static bool taken(const struct place *place, uint32_t tid)
{
	return tid != HOME_FREE && LOAD_ACQUIRE(&place->home);
}

struct madt_thread *thread_numbered(uint32_t tid)
{
	struct madt_thread *found = NULL;
	struct place *place;
	uint32_t number;

	for (uint32_t i = 0; (place = place_at(i)) && (number = LOAD_ACQUIRE(&place->tid)); i++)
		if (number == tid && taken(place, number)) {
			found = &place->home->state;
			if (!LOAD_ACQUIRE(&place->leaves)) /* the kernel gives numbers out again */
				break;
		}
	return found;
}

bool thread_any(bool (*is)(const struct madt_thread *thread, const void *argument),
		const void *argument)
{
	struct place *place;
	uint32_t tid;

	for (uint32_t i = 0; (place = place_at(i)) && (tid = LOAD_ACQUIRE(&place->tid)); i++)
		if (taken(place, tid) && is(&place->home->state, argument) && !gone(tid))
			return true;
	return false;
}

struct madt_thread *thread_other(uint32_t *i)
{
	struct place *place;
	uint32_t tid;

	for (; (place = place_at(*i)) && (tid = LOAD_ACQUIRE(&place->tid)); ++*i) {
		struct home *home = taken(place, tid) ? place->home : NULL;

		if (home && home->state.tid && home->state.tid != self.tid)
			return &home->state;
	}
	return NULL;
}
