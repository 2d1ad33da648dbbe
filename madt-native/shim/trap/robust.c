/*
 * Robust mutexes under engine trap. When a thread ends, however it ends, the kernel walks the list
 * of the robust mutexes that the thread holds and marks them (set_robust_list(2)); in a closed page
 * it would give up without a word, and who waits in another process would wait for ever. Nobody can
 * open pages when SIGKILL comes. So the kernel is given a list of MadT's own, whose nodes and futex
 * words are always open: the pages of the words are mapped a second time, and the node of a word
 * lies at the word's place minus the list's offset. Words stay in the list when their mutexes are
 * let go: the kernel marks only what the dead thread owns.
 *
 * Private memory cannot be mapped twice and needs it less: it ends with its process, and what ends
 * a thread alone passes the gate (exit_pins.c).
 */
#include "trap/trap.h"

#include "base/spin.h"
#include "region/region.h"
#include "session/session.h"
#include "thread/thread.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/mman.h>

/* pages with robust mutexes; what is beyond them is not marked when its owner is killed */
#define SLOTS 256
#define AREA_BYTES ((size_t)(SLOTS + 1) * MADT_PAGE)
#define ROBUST_LIMIT 2048 /* entries that the kernel walks (ROBUST_LIST_LIMIT) */
/* in a pointer to an entry: a mutex with priority inheritance */
#define INHERITS UINT64_C(1)
#define GONE 1 /* in place of a page's address */

static uintptr_t pages[SLOTS]; /* where the target has them; 0: free */
static uintptr_t aliases;      /* where they are mapped again, one behind the other */
static uint32_t changes;       /* counts pages that went */
static struct spin lock;

static void slots_lock(void)
{
	spin_lock(&lock);
}

/* Maps the page of shared memory at the slot's place too, and not in children of fork. */
static bool page_alias(unsigned slot, uintptr_t page)
{
	uintptr_t at = aliases + slot * MADT_PAGE;

	if (sys_failed(SYS5(__NR_mremap, page, 0, MADT_PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, at)))
		return false;
	SYS3(__NR_madvise, at, MADT_PAGE, MADV_DONTFORK);
	return !sys_failed(SYS3(__NR_mprotect, at, MADT_PAGE, PROT_READ | PROT_WRITE));
}

/* The slot of the page, -1 if it has and gets none. */
static int slot_of(uintptr_t page)
{
	struct region region;
	int slot = 0;

	if (!region_find(page, &region) || !(region.flags & REGION_SHARED)
			|| !(region.protection & PROT_WRITE))
		return -1;
	slots_lock();
	if (!aliases)
		aliases = (uintptr_t)sys_pages(AREA_BYTES);
	while (slot < SLOTS && pages[slot] && pages[slot] != page)
		slot++;
	if (slot == SLOTS || !aliases)
		slot = -1;
	else if (!pages[slot])
		pages[slot] = page_alias((unsigned)slot, page) ? page : GONE;
	if (slot >= 0 && pages[slot] != page)
		slot = -1;
	spin_unlock(&lock);
	return slot;
}

/* The kernel may not do anything in what the target maps there next. */
void robust_unmapped(uintptr_t start, uintptr_t end)
{
	slots_lock();
	for (unsigned i = 0; i < SLOTS && pages[i]; i++)
		if (pages[i] >= start && pages[i] < end) {
			SYS6(__NR_mmap, aliases + i * MADT_PAGE, MADT_PAGE, PROT_READ | PROT_WRITE,
					MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
			pages[i] = GONE;
			__atomic_fetch_add(&changes, 1, __ATOMIC_RELEASE);
		}
	spin_unlock(&lock);
}

/* ---------------------------------------------------------------- the thread's own list */

static bool list_begin(struct madt_thread *thread)
{
	struct robust_list_head *own = &thread->trap.robust_own;

	if (thread->trap.robust_nodes)
		return true;
	thread->trap.robust_nodes = (uintptr_t)sys_pages(AREA_BYTES);
	if (!thread->trap.robust_nodes)
		return false;
	own->list.next = &own->list;
	own->futex_offset = (long)(aliases - thread->trap.robust_nodes);
	own->list_op_pending = NULL;
	SYS2(__NR_set_robust_list, own, sizeof *own);
	return true;
}

static void list_forget(struct madt_thread *thread)
{
	if (thread->trap.robust_nodes)
		sys_unmap(thread->trap.robust_nodes, AREA_BYTES);
	thread->trap.robust_nodes = 0;
	thread->trap.robust_first = thread->trap.robust_pending = 0;
}

/* Takes in the entry of the target's list; false if it stood there already. */
static bool list_add(struct madt_thread *thread, uintptr_t entry, long offset, bool pending)
{
	uintptr_t word = (entry & ~INHERITS) + (uintptr_t)offset;
	struct robust_list_head *own = &thread->trap.robust_own;
	int slot = slot_of(PAGE_DOWN(word));
	struct robust_list *node;
	bool added;

	if (slot < 0 || !list_begin(thread))
		return true;
	node = (struct robust_list *)(thread->trap.robust_nodes + (unsigned)slot * MADT_PAGE
			+ word % MADT_PAGE);
	added = !node->next;
	if (added) {
		node->next = own->list.next;
		STORE_RELEASE(&own->list.next,
				(struct robust_list *)((uintptr_t)node | (entry & INHERITS)));
	}
	if (pending)
		own->list_op_pending = (struct robust_list *)((uintptr_t)node | (entry & INHERITS));
	return added;
}

/* Mostly in a thread's own storage, which is not traced. */
static bool head_read(uintptr_t at, struct robust_list_head *head)
{
	struct region region;

	if (!region_find(at, &region) || at + sizeof *head > region.end
			|| !(region.protection & PROT_READ) || (region.flags & REGION_TRACED))
		return region_read(head, at, sizeof *head) == sizeof *head;
	bytes_copy(head, (const void *)at, sizeof *head);
	return true;
}

void robust_look(void)
{
	struct madt_thread *thread = thread_self();
	struct robust_list_head head;
	uintptr_t entry;

	if (!engine.closes || !thread->trap.robust)
		return;
	if (!recording) {
		robust_restore();
		return;
	}
	if (!head_read(thread->trap.robust, &head))
		return;
	entry = (uintptr_t)head.list.next;
	if (entry == thread->trap.robust_first
			&& (uintptr_t)head.list_op_pending == thread->trap.robust_pending
			&& thread->trap.robust_changes == LOAD_ACQUIRE(&changes))
		return;
	thread->trap.robust_changes = LOAD_ACQUIRE(&changes);
	thread->trap.robust_first = entry;
	thread->trap.robust_pending = (uintptr_t)head.list_op_pending;
	if (head.list_op_pending)
		list_add(thread, (uintptr_t)head.list_op_pending, head.futex_offset, true);
	for (int i = 0;
			i < ROBUST_LIMIT && (entry & ~INHERITS) && (entry & ~INHERITS) != thread->trap.robust;
			i++)
		if (!list_add(thread, entry, head.futex_offset, false)
				|| region_read(&entry, entry & ~INHERITS, sizeof entry) < sizeof entry)
			break;
}

/* ---------------------------------------------------------------- the target's list */

void robust_begin(void)
{
	uintptr_t at = 0;
	size_t size = 0;

	if (!sys_failed(SYS3(__NR_get_robust_list, 0, &at, &size)))
		self.trap.robust = at;
}

void robust_set(uintptr_t head, size_t size)
{
	if (size != sizeof(struct robust_list_head))
		return; /* EINVAL */
	list_forget(thread_self());
	self.trap.robust = head;
}

void robust_restore(void)
{
	struct madt_thread *thread = thread_self();

	if (!thread->trap.robust_nodes)
		return;
	SYS2(__NR_set_robust_list, thread->trap.robust, sizeof(struct robust_list_head));
	list_forget(thread);
}

bool robust_answer(const long *argument, greg_t *registers)
{
	uint32_t wanted = (uint32_t)argument[0], i = 0;
	struct madt_thread *thread = thread_self();
	size_t size = sizeof(struct robust_list_head);

	if (wanted && wanted != thread->tid)
		for (; (thread = thread_other(&i)) && thread->tid != wanted; i++)
			;
	if (!thread || !thread->trap.robust_nodes)
		return false;
	registers[REG_RAX] = region_write((uintptr_t)argument[2], &size, sizeof size)
					&& region_write((uintptr_t)argument[1], &thread->trap.robust,
							sizeof thread->trap.robust)
			? 0
			: -EFAULT;
	return true;
}

/* The kernel has forgotten the list, and knows nothing of the second mappings. */
void robust_after_fork(void)
{
	list_forget(thread_self());
	self.trap.robust = 0;
	if (aliases)
		sys_unmap(aliases, AREA_BYTES);
	aliases = 0;
	bytes_set(pages, 0, sizeof pages);
	spin_after_fork(&lock);
}
