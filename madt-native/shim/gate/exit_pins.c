/*
 * What the kernel does in a thread's memory after the thread's last instruction: it clears the word
 * that CLONE_CHILD_CLEARTID named and wakes its waiters, and it marks the robust mutexes that the
 * thread still held (set_robust_list(2)). In a closed page the kernel would give up silently, and
 * waiters would hang. So what it will touch is pinned before the thread exits, and unpinned when
 * the thread is gone.
 */
#include "gate/gate_parts.h"

#include "base/spin.h"
#include "region/region.h"
#include "session/session.h"
#include "trap/trap.h"

#include <linux/futex.h>

#define EXITS_MAX 64
#define EXIT_RANGES 8
#define ROBUST_LIMIT 2048 /* entries that the kernel walks (ROBUST_LIST_LIMIT) */

struct exit_pins {
	uint32_t thread; /* 0: free */
	bool everything;
	uint8_t count;
	struct range range[EXIT_RANGES];
};

static struct exit_pins exits[EXITS_MAX];
static uint32_t open_exits;
static struct spin lock;

static void pin(struct exit_pins *pins, uintptr_t start, size_t size)
{
	struct range range = { start, start + size };

	if (!start || pins->everything || !region_any_traced(range))
		return;
	if (pins->count < EXIT_RANGES && region_pin(range)) {
		pins->range[pins->count++] = range;
		return;
	}
	pins->everything = true;
	region_pin_all();
}

static void pin_robust(struct exit_pins *pins)
{
	struct robust_list_head head;
	uintptr_t at = 0, entry;
	size_t size = 0;

	if (sys_failed(SYS3(__NR_get_robust_list, 0, &at, &size)) || !at
			|| region_read(&head, at, sizeof head) < sizeof head)
		return;
	pin(pins, at, sizeof head);
	entry = (uintptr_t)head.list.next;
	for (int i = 0; i < ROBUST_LIMIT && (entry & ~UINT64_C(1)) != at && entry; i++) {
		entry &= ~UINT64_C(1); /* marks a mutex with priority inheritance */
		pin(pins, entry, sizeof entry);
		pin(pins, entry + (uintptr_t)head.futex_offset, 4);
		if (region_read(&entry, entry, sizeof entry) < sizeof entry)
			break;
	}
	if (head.list_op_pending)
		pin(pins, ((uintptr_t)head.list_op_pending & ~UINT64_C(1)) + (uintptr_t)head.futex_offset,
				4);
}

static void exits_lock(void)
{
	spin_lock(&lock);
}

static void pins_release(struct exit_pins *pins)
{
	for (unsigned i = 0; i < pins->count; i++)
		region_unpin(pins->range[i]);
	if (pins->everything)
		region_unpin_all();
	bytes_set(pins, 0, sizeof *pins);
	__atomic_fetch_sub(&open_exits, 1, __ATOMIC_RELAXED);
}

void exit_pins_release(void)
{
	if (!__atomic_load_n(&open_exits, __ATOMIC_RELAXED))
		return;
	exits_lock();
	for (struct exit_pins *pins = exits; pins < exits + EXITS_MAX; pins++)
		if (pins->thread && sys_failed(SYS2(__NR_tkill, pins->thread, 0)))
			pins_release(pins);
	spin_unlock(&lock);
}

void exit_pins_make(void)
{
	struct exit_pins *pins = exits, made = { .thread = self.tid };

	if (!gate_opens())
		return;
	exit_pins_release();
	robust_restore();
	pin(&made, self.gate.clear_tid, 4);
	pin_robust(&made);
	if (!made.count && !made.everything)
		return;
	exits_lock();
	while (pins < exits + EXITS_MAX && pins->thread)
		pins++;
	/* else they stay open, which is counted with the pages that are */
	if (pins < exits + EXITS_MAX) {
		*pins = made;
		__atomic_fetch_add(&open_exits, 1, __ATOMIC_RELAXED);
	}
	spin_unlock(&lock);
}

void exit_pins_after_fork(void)
{
	bytes_set(exits, 0, sizeof exits);
	open_exits = 0;
	spin_after_fork(&lock);
}
