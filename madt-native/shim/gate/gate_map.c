/* Calls that change the address space: the region table follows, and new memory closes. */
#include "gate/gate_parts.h"

#include "base/spin.h"
#include "region/region.h"
#include "session/session.h"
#include "splice/splice.h"
#include "thread/thread.h"
#include "trap/trap.h"

#include "madt_stack.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/shm.h>

static void mapping_event(enum madt_event_type type, uintptr_t start, size_t size, long protection,
		long flags, long descriptor)
{
	char link[64] = "/proc/thread-self/fd/", path[256] = "";
	struct madt_event event = { .type = (uint16_t)type,
		.address = start,
		.size = size,
		.old = (uint64_t)protection,
		.old_size = (uint64_t)flags };

	if (descriptor >= 0) {
		long n;

		text_number(link + text_length(link), (uint64_t)descriptor);
		n = SYS3(__NR_readlink, link, path, sizeof path - 1);
		path[n > 0 ? n : 0] = 0;
		event.name = session_name(path);
	}
	ring_put(&event);
}

/*
 * Memory that the target maps itself is traced if it is in scope; a module's, until the answer to
 * its request says otherwise.
 */
static uint32_t mapped_flag(const struct pending *pending)
{
	bool file = pending->number == __NR_mmap && !(pending->argument[3] & MAP_ANONYMOUS);

	return file || (session.page->scope & MADT_SCOPE_MAPPED) ? REGION_TRACED : 0;
}

/* It may hold a copy of patched text, or will. */
static void executable(uintptr_t start, uintptr_t end, long protection)
{
	if (engine.leads && protection & PROT_EXEC)
		copies_new(start, end, (uint32_t)protection);
}

/* Returns whether memory has bytes of the program's own, or may get some. */
static bool has_own_bytes(const long *a)
{
	return a[3] & MAP_ANONYMOUS ? a[2] & PROT_WRITE : a[3] & MAP_SHARED;
}

static void mapped(const struct pending *pending, uintptr_t at)
{
	const long *a = pending->argument;
	uintptr_t end = PAGE_UP(at + (size_t)a[1]);
	bool stack = a[3] & (MAP_STACK | MAP_GROWSDOWN);
	bool of_thread = a[3] & MAP_STACK && a[3] & MAP_ANONYMOUS && !frame_is_mapping();
	uint32_t flags = stack ? REGION_STACK : mapped_flag(pending);

	flags |= of_thread ? REGION_OF_THREAD : 0;
	if (a[3] & MAP_SHARED) /* as in MAP_SHARED_VALIDATE */
		flags |= REGION_SHARED;
	else if (a[3] & MAP_ANONYMOUS)
		flags |= REGION_PRIVATE;
	robust_unmapped(at, end);
	region_add(at, end, (uint32_t)a[2], flags);
	region_close_new(at, end);
	if (has_own_bytes(a))
		executable(at, end, a[2]);
	mapping_event(MADT_EVENT_REGION_MAP, at, end - at, a[2],
			(a[3] & UINT32_MAX) | (of_thread ? MADT_MAP_OF_THREAD : 0),
			a[3] & MAP_ANONYMOUS ? -1 : (int)a[4]);
}

/*
 * A stack that is not known to be one: the C library keeps stacks of threads that have ended for
 * others (nptl, allocatestack.c), which may be from before an attach; in a static program its call
 * of mmap looks like the program's own; and musl has no flag for it.
 */
void gate_map_stack(void)
{
	uint64_t control[MADT_CONTROL_WORDS];
	struct madt_stack stack;
	struct region region;
	uintptr_t base = thread_block();

	if (region_find(base, &region) && region.flags & REGION_OF_THREAD)
		return;
	stack = madt_stack_of(control, region_read(control, base, sizeof control) / sizeof *control,
			base);
	if (!stack.end || !region_find(stack.start, &region))
		return;
	region_open(stack.start, stack.end);
	region_add(stack.start, stack.end, region.protection,
			(region.flags & ~(uint32_t)REGION_TRACED) | REGION_STACK | REGION_OF_THREAD);
	mapping_event(MADT_EVENT_REGION_MAP, stack.start, stack.end - stack.start, region.protection,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MADT_MAP_OF_THREAD, -1);
}

static void unmapped(uintptr_t at, size_t size)
{
	robust_unmapped(at, PAGE_UP(at + size));
	region_remove(at, PAGE_UP(at + size));
	mapping_event(MADT_EVENT_REGION_UNMAP, at, PAGE_UP(size), 0, 0, -1);
}

static void remapped(const struct pending *pending, uintptr_t to)
{
	uintptr_t from = (uintptr_t)pending->argument[0];
	size_t old_size = PAGE_UP(pending->argument[1]), size = PAGE_UP(pending->argument[2]);
	struct region region = { 0 };

	region_find(from, &region);
	if (old_size && !(pending->argument[3] & MREMAP_DONTUNMAP))
		unmapped(from, old_size);
	robust_unmapped(to, to + size);
	region_add(to, to + size, region.protection, region.flags & ~(uint32_t)REGION_OF_THREAD);
	region_close(to, to + size);
	mapping_event(MADT_EVENT_REGION_MAP, to, size, region.protection, MAP_ANONYMOUS, -1);
}

static void protected(const struct pending *pending)
{
	uintptr_t start = (uintptr_t)pending->argument[0],
			  end = PAGE_UP(start + (size_t)pending->argument[1]);

	region_protect(start, end, (uint32_t)pending->argument[2]);
	region_close_new(start, end);
	executable(start, end, pending->argument[2]);
	mapping_event(MADT_EVENT_REGION_PROTECT, start, end - start, pending->argument[2], 0, -1);
}

static void advised(const struct pending *pending)
{
	const long *a = pending->argument;

	if (a[2] == MADV_DONTFORK || a[2] == MADV_DOFORK)
		region_set_apart((uintptr_t)a[0], PAGE_UP(a[0] + a[1]), a[2] == MADV_DONTFORK);
}

/* A hole in the range: what lies before it has changed all the same (mprotect(2)). */
static void protected_partly(const struct pending *pending)
{
	struct pending part = *pending;
	uintptr_t start = (uintptr_t)part.argument[0], end = start,
			  last = PAGE_UP(start + (size_t)part.argument[1]);
	struct region region;

	while (end < last && region_find(end, &region))
		end = region.end < last ? region.end : last;
	part.argument[1] = (long)(end - start);
	if (end > start && end < last)
	protected(&part);
}

/*
 * Neither shmat nor shmdt says how many bytes (shmop(2)); what finds no place here is not traced.
 */
static struct range segments[256];

static struct range *segment_slot(uintptr_t start)
{
	for (size_t i = 0; i < sizeof segments / sizeof *segments; i++)
		if (segments[i].start == start)
			return &segments[i];
	return NULL;
}

static void segment_attached(const struct pending *pending, uintptr_t at)
{
	uint32_t protection = pending->argument[2] & SHM_RDONLY ? PROT_READ : PROT_READ | PROT_WRITE;
	struct range *slot = segment_slot(0);
	struct shmid_ds segment;

	if (!slot || sys_failed(SYS3(__NR_shmctl, pending->argument[0], IPC_STAT, &segment)))
		return;
	*slot = (struct range){ at, at + PAGE_UP(segment.shm_segsz) };
	region_add(at, slot->end, protection | (pending->argument[2] & SHM_EXEC ? PROT_EXEC : 0),
			mapped_flag(pending) | REGION_SHARED);
	region_close_new(at, slot->end);
	mapping_event(MADT_EVENT_REGION_MAP, at, slot->end - at, protection, MAP_SHARED, -1);
}

static void segment_detached(const struct pending *pending)
{
	struct range *slot = segment_slot((uintptr_t)pending->argument[0]);

	if (!slot || !slot->start)
		return;
	unmapped(slot->start, slot->end - slot->start);
	*slot = (struct range){ 0, 0 };
}

static struct range heap;

void gate_heap_set(uintptr_t start, uintptr_t end)
{
	heap = (struct range){ start, end };
}

/*
 * A static program's C library takes the thread-local storage and the control block of the first
 * thread from the break, before anything else:
 *
 *   break at the start                 base of FS
 *   ▼                                  ▼
 *   storage of the program, reserve    struct pthread    blocks …
 *
 * In other programs they lie in anonymous memory of the loader's. So they become such memory, of a
 * thread, and the heap begins behind them.
 */
#define RESERVE_BYTES 16384 /* more than the reserve and struct pthread have */
#define BLOCK_BYTES 2560    /* at least struct pthread; behind it the allocator has its own data */

static size_t storage_most;

void gate_storage_is(size_t bytes)
{
	storage_most = bytes ? bytes + RESERVE_BYTES : 0;
}

static void storage_ends(uintptr_t end)
{
	mapping_event(MADT_EVENT_REGION_MAP, heap.start, end - heap.start, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1);
	heap.start = end;
	storage_most = 0;
}

void gate_storage_find(uintptr_t base)
{
	if (base - heap.start < storage_most && heap.end - base >= BLOCK_BYTES && base < heap.end)
		storage_ends(base + BLOCK_BYTES);
}

/* Returns whether it is what this growth is for: no thread has a control block yet. */
static bool is_storage(uintptr_t end)
{
	return heap.start == heap.end && end > heap.end && end - heap.end <= storage_most
			&& !thread_block();
}

static uint32_t heap_flag(void)
{
	return session.page->scope & MADT_SCOPE_HEAP ? REGION_TRACED : 0;
}

static void broken(uintptr_t end)
{
	uintptr_t before = PAGE_UP(heap.end), now = PAGE_UP(end);
	bool storage = is_storage(end);

	if (now > before) {
		region_add(before, now, PROT_READ | PROT_WRITE, heap_flag() | REGION_HEAP | REGION_PRIVATE);
		region_close_new(before, now);
	} else if (now < before) {
		region_remove(now, before);
	}
	heap.end = end;
	if (now != before)
		mapping_event(MADT_EVENT_HEAP, heap.start, now - heap.start, 0, 0, -1);
	if (storage)
		storage_ends(end);
}

/* ---------------------------------------------------------------- one change at a time */

/*
 * What one thread unmaps another may map before the first one is back from the kernel. The table
 * and the events must have the order that the kernel had.
 */
static struct spin change_lock;

static bool changes_map(const struct pending *pending)
{
	switch (pending->number) {
	case __NR_mmap:
	case __NR_munmap:
	case __NR_mremap:
	case __NR_mprotect:
	case __NR_pkey_mprotect:
	case __NR_brk:
	case __NR_shmat:
	case __NR_shmdt:
		return true;
	default:
		return pending->fork_ticket;
	}
}

static struct range range_of(long start, long size)
{
	return (struct range){ (uintptr_t)start, (uintptr_t)start + PAGE_UP(size) };
}

/* Returns what is mapped now and will be something else, or nothing, if the call succeeds. */
static void ranges_changed(const struct pending *pending, struct range range[2])
{
	const long *a = pending->argument;
	const struct range *segment;

	switch (pending->number) {
	case __NR_mmap:
		if (a[3] & MAP_FIXED)
			range[0] = range_of(a[0], a[1]);
		break;
	case __NR_mremap:
		if (a[3] & MREMAP_FIXED)
			range[1] = range_of(a[4], a[2]);
		/* fall through */
	case __NR_munmap:
	case __NR_mprotect:
	case __NR_pkey_mprotect:
		range[0] = range_of(a[0], a[1]);
		break;
	case __NR_brk:
		range[0] = (struct range){ PAGE_UP(a[0]), a[0] ? PAGE_UP(heap.end) : 0 };
		break;
	case __NR_shmdt:
		segment = segment_slot((uintptr_t)a[0]);
		if (segment)
			range[0] = *segment;
		break;
	}
}

/* Tells of what the call changes, which may be text. */
static void text_tell(const struct pending *pending, void (*tell)(struct range range))
{
	struct range range[2] = { { 0, 0 }, { 0, 0 } };

	ranges_changed(pending, range);
	for (int i = 0; i < 2; i++)
		if (range[i].start < range[i].end)
			tell(range[i]);
}

static bool protects(const struct pending *pending)
{
	return pending->number == __NR_mprotect || pending->number == __NR_pkey_mprotect;
}

void gate_map_begin(struct pending *pending)
{
	struct range range[2] = { { 0, 0 }, { 0, 0 } };

	if (!changes_map(pending))
		return;
	if (!protects(pending) || pending->argument[2] & PROT_WRITE)
		text_tell(pending, splice_yield);
	spin_lock(&change_lock);
	pending->changes_map = true;
	pending->begun = tsc_now();
	ranges_changed(pending, range);
	region_change_begin(range);
	/*
	 * The kernel moves one mapping only, and the step of another thread may have opened a page of
	 * it.
	 */
	if (pending->number == __NR_mremap && thread_count > 1)
		region_open(range[0].start, range[0].end);
}

void gate_map_end(struct pending *pending)
{
	struct range range[2] = { { 0, 0 }, { 0, 0 } };

	if (!pending->changes_map)
		return;
	ranges_changed(pending, range);
	if (pending->number == __NR_mremap || pending->number == __NR_mprotect
			|| pending->number == __NR_pkey_mprotect)
		missed_window(range[0], pending->begun);
	pending->changes_map = false;
	region_change_end();
	spin_unlock(&change_lock);
}

void gate_map_after_fork(void)
{
	spin_after_fork(&change_lock);
}

/* Nothing has changed, but the steps of other threads may have left open what they found open. */
static void unchanged(const struct pending *pending)
{
	struct range range[2] = { { 0, 0 }, { 0, 0 } };

	if (!pending->changes_map)
		return;
	ranges_changed(pending, range);
	region_close(range[0].start, range[0].end);
	region_close(range[1].start, range[1].end);
}

void gate_map_follow(const struct pending *pending, long result)
{
	if (sys_failed(result)) {
		if (result == -ENOMEM && protects(pending))
			protected_partly(pending);
		unchanged(pending);
		return;
	}
	switch (pending->number) {
	case __NR_mmap:
		mapped(pending, (uintptr_t)result);
		text_tell(pending, splice_unmapped);
		text_tell(pending, splice_yielded); /* it may have copied patches there */
		break;
	case __NR_munmap:
		unmapped((uintptr_t)pending->argument[0], (size_t)pending->argument[1]);
		text_tell(pending, splice_unmapped);
		break;
	case __NR_mremap:
		remapped(pending, (uintptr_t)result);
		text_tell(pending, splice_unmapped);
		text_tell(pending, splice_yielded); /* it may have copied patches there */
		break;
	case __NR_mprotect:
	case __NR_pkey_mprotect:
		protected
		(pending);
		text_tell(pending, splice_yielded); /* it may have copied patches there */
		break;
	case __NR_brk:
		broken((uintptr_t)result);
		break;
	case __NR_shmat:
		segment_attached(pending, (uintptr_t)result);
		break;
	case __NR_shmdt:
		segment_detached(pending);
		break;
	case __NR_madvise:
		advised(pending);
		break;
	case __NR_io_uring_setup:
		/*
		 * From now on the kernel reads and writes whenever it likes: everything stays open, and is
		 * counted as unsynchronised.
		 */
		__atomic_fetch_add(&session.control->calls_opened, 1, __ATOMIC_RELAXED);
		region_pin_all();
		break;
	}
}
