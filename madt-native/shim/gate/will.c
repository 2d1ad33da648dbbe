/*
 * What the kernel does in a thread's memory after the thread's last instruction: it clears the word that CLONE_CHILD_CLEARTID named and
 * wakes its waiters, and it marks the robust mutexes that the thread still held (set_robust_list(2)). In a closed page it would give
 * up without a word, and who waits would wait forever. So what it will touch is pinned, and let go when the thread is no more.
 */
#include "gate/gate_parts.h"

#include "region/region.h"
#include "session/session.h"
#include "trap/trap.h"

#include <linux/futex.h>

#define WILLS_MAX 64
#define WILL_RANGES 8
#define ROBUST_LIMIT 2048 /* entries that the kernel walks (ROBUST_LIST_LIMIT) */

struct will {
	uint32_t thread; /* 0: free */
	bool everything;
	uint8_t count;
	struct range range[WILL_RANGES];
};

static struct will wills[WILLS_MAX];
static uint32_t open_wills, lock;

static void will_pin(struct will *will, uintptr_t start, size_t size)
{
	struct range range = {start, start + size};

	if (!start || will->everything || !region_any_traced(range))
		return;
	if (will->count < WILL_RANGES && region_pin(range)) {
		will->range[will->count++] = range;
		return;
	}
	will->everything = true;
	region_pin_all();
}

static void will_robust(struct will *will)
{
	struct robust_list_head head;
	uintptr_t at = 0, entry;
	size_t size = 0;

	if (sys_failed(SYS3(__NR_get_robust_list, 0, &at, &size)) || !at || region_read(&head, at, sizeof head) < sizeof head)
		return;
	will_pin(will, at, sizeof head);
	entry = (uintptr_t)head.list.next;
	for (int i = 0; i < ROBUST_LIMIT && (entry & ~UINT64_C(1)) != at && entry; i++) {
		entry &= ~UINT64_C(1); /* marks a mutex with priority inheritance */
		will_pin(will, entry, sizeof entry);
		will_pin(will, entry + (uintptr_t)head.futex_offset, 4);
		if (region_read(&entry, entry, sizeof entry) < sizeof entry)
			break;
	}
	if (head.list_op_pending)
		will_pin(will, ((uintptr_t)head.list_op_pending & ~UINT64_C(1)) + (uintptr_t)head.futex_offset, 4);
}

static void wills_lock(void)
{
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		SYS0(__NR_sched_yield);
}

static void will_release(struct will *will)
{
	for (unsigned i = 0; i < will->count; i++)
		region_unpin(will->range[i]);
	if (will->everything)
		region_unpin_all();
	bytes_set(will, 0, sizeof *will);
	__atomic_fetch_sub(&open_wills, 1, __ATOMIC_RELAXED);
}

void will_execute(void)
{
	if (!__atomic_load_n(&open_wills, __ATOMIC_RELAXED))
		return;
	wills_lock();
	for (struct will *will = wills; will < wills + WILLS_MAX; will++)
		if (will->thread && sys_failed(SYS2(__NR_tkill, will->thread, 0)))
			will_release(will);
	STORE_RELEASE(&lock, 0);
}

void will_make(void)
{
	struct will *will = wills, made = {.thread = self.tid};

	if (!recording)
		return;
	will_execute();
	robust_restore();
	will_pin(&made, self.gate.clear_tid, 4);
	will_robust(&made);
	if (!made.count && !made.everything)
		return;
	wills_lock();
	while (will < wills + WILLS_MAX && will->thread)
		will++;
	if (will < wills + WILLS_MAX) { /* else they stay open, which is counted with the pages that are */
		*will = made;
		__atomic_fetch_add(&open_wills, 1, __ATOMIC_RELAXED);
	}
	STORE_RELEASE(&lock, 0);
}

void will_after_fork(void)
{
	bytes_set(wills, 0, sizeof wills);
	open_wills = 0;
	lock = 0;
}
