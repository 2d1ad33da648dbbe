/*
 * What is mapped, and which of it is traced. The table is the target's view: `protection` is what the target asked for; while
 * recording, traced pages have none in reality. Changed in handlers and critical sections only, hence the plain lock.
 */
#include "shim.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>

static struct region *table;
static uint32_t used, room;
static uint32_t lock;
bool recording;

static void table_lock(void)
{
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		SYS0(__NR_sched_yield);
}

static void table_unlock(void)
{
	STORE_RELEASE(&lock, 0);
}

/* Index of the first region that ends behind `address`. */
static uint32_t table_at(uintptr_t address)
{
	uint32_t low = 0, high = used;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (table[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool table_grow(void)
{
	uint32_t more = room ? room * 2 : 4096;
	struct region *bigger = sys_pages(more * sizeof *table);

	if (!bigger)
		return false;
	if (table) {
		bytes_copy(bigger, table, used * sizeof *table);
		SYS2(__NR_munmap, table, room * sizeof *table);
	}
	table = bigger;
	room = more;
	return true;
}

static bool table_insert(uint32_t i, struct region region)
{
	if (used == room && !table_grow())
		return false;
	for (uint32_t k = used; k > i; k--)
		table[k] = table[k - 1];
	table[i] = region;
	used++;
	return true;
}

static void table_drop(uint32_t i)
{
	for (used--; i < used; i++)
		table[i] = table[i + 1];
}

/* Cuts whatever lies across `address` in two. */
static void table_split(uintptr_t address)
{
	uint32_t i = table_at(address);
	struct region upper;

	if (i == used || table[i].start >= address)
		return;
	upper = table[i];
	upper.start = address;
	if (table_insert(i + 1, upper))
		table[i].end = address;
}

static void table_remove(uintptr_t start, uintptr_t end)
{
	table_split(start);
	table_split(end);
	for (uint32_t i = table_at(start); i < used && table[i].start < end;)
		table_drop(i);
}

static bool joins(const struct region *a, const struct region *b)
{
	return a->end == b->start && a->protection == b->protection && a->flags == b->flags;
}

static void table_merge(uint32_t i)
{
	if (i + 1 < used && joins(&table[i], &table[i + 1])) {
		table[i].end = table[i + 1].end;
		table_drop(i + 1);
	}
	if (i > 0 && joins(&table[i - 1], &table[i])) {
		table[i - 1].end = table[i].end;
		table_drop(i);
	}
}

void region_add(uintptr_t start, uintptr_t end, uint32_t protection, uint32_t flags)
{
	struct region region = {start, end, protection, flags};
	uint32_t i;

	if (start >= end)
		return;
	if (protection & PROT_EXEC)
		region.flags &= ~(uint32_t)REGION_TRACED;
	table_lock();
	table_remove(start, end);
	i = table_at(start);
	if (table_insert(i, region))
		table_merge(i);
	table_unlock();
}

void region_remove(uintptr_t start, uintptr_t end)
{
	table_lock();
	table_remove(start, end);
	table_unlock();
}

void region_protect(uintptr_t start, uintptr_t end, uint32_t protection)
{
	table_lock();
	table_split(start);
	table_split(end);
	for (uint32_t i = table_at(start); i < used && table[i].start < end; i++) {
		table[i].protection = protection;
		if (protection & PROT_EXEC)
			table[i].flags &= ~(uint32_t)REGION_TRACED;
	}
	table_unlock();
}

/* Opens a range for good: a thread's stack turned up in it. */
void region_untrace(uintptr_t start, uintptr_t end)
{
	region_open(start, end);
	table_lock();
	table_split(start);
	table_split(end);
	for (uint32_t i = table_at(start); i < used && table[i].start < end; i++)
		table[i].flags &= ~(uint32_t)REGION_TRACED;
	table_unlock();
}

bool region_find(uintptr_t address, struct region *out)
{
	uint32_t i;
	bool found;

	table_lock();
	i = table_at(address);
	found = i < used && table[i].start <= address;
	if (found)
		*out = table[i];
	table_unlock();
	return found;
}

bool region_traced(uintptr_t address)
{
	struct region region;

	return region_find(address, &region) && (region.flags & REGION_TRACED);
}

/* ---------------------------------------------------------------- pins */

#define PINS_MAX 1024

static struct range pins[PINS_MAX];
static uint32_t pin_count; /* slots ever used; a free slot has end 0 */
static uint32_t pins_of_all;

static bool pin_add(struct range range)
{
	for (uint32_t i = 0; i < PINS_MAX; i++)
		if (!pins[i].end) {
			pins[i] = range;
			if (i >= pin_count)
				pin_count = i + 1;
			return true;
		}
	return false;
}

static void pin_drop(struct range range)
{
	for (uint32_t i = 0; i < pin_count; i++)
		if (pins[i].start == range.start && pins[i].end == range.end) {
			pins[i].end = 0;
			break;
		}
	while (pin_count && !pins[pin_count - 1].end)
		pin_count--;
}

/* The first pinned range that overlaps [start, end), page by page; false if none does. */
static bool pin_in(uintptr_t start, uintptr_t end, struct range *pin)
{
	bool found = false;

	for (uint32_t i = 0; i < pin_count; i++) {
		uintptr_t from = PAGE_DOWN(pins[i].start), to = PAGE_UP(pins[i].end);

		if (pins[i].end && from < end && to > start && (!found || from < pin->start)) {
			*pin = (struct range){from, to};
			found = true;
		}
	}
	return found;
}

/* ---------------------------------------------------------------- open and close */

/* Long runs only: each change of protection inside a mapping splits it, and the kernel allows 65,530 of them. */
static bool part_protect(struct region *region, uintptr_t from, uintptr_t to, bool open)
{
	uint32_t protection = open ? region->protection : PROT_NONE;

	if (from >= to || !sys_failed(SYS3(__NR_mprotect, from, to - from, protection)))
		return true;
	if (!open)
		region->flags &= ~(uint32_t)REGION_TRACED;
	return false;
}

static bool region_part(struct region *region, uintptr_t from, uintptr_t to, bool open)
{
	struct range pin = {0, 0};

	while (!open && pin_in(from, to, &pin)) {
		if (!part_protect(region, from, pin.start, false))
			return false;
		from = pin.end < to ? pin.end : to;
	}
	return part_protect(region, from, to, open);
}

static bool range_protect(uintptr_t start, uintptr_t end, bool open)
{
	bool good = true;

	if (!open && pins_of_all)
		return true;
	start = PAGE_DOWN(start);
	end = PAGE_UP(end);
	for (uint32_t i = table_at(start); i < used && table[i].start < end; i++) {
		uintptr_t from = table[i].start > start ? table[i].start : start;
		uintptr_t to = table[i].end < end ? table[i].end : end;

		if ((table[i].flags & REGION_TRACED) && table[i].protection != PROT_NONE)
			good &= region_part(&table[i], from, to, open);
	}
	return good;
}

#define EVERYWHERE (UINTPTR_MAX - MADT_PAGE)

bool region_open(uintptr_t start, uintptr_t end)
{
	bool good;

	table_lock();
	good = range_protect(start, end, true);
	table_unlock();
	return good;
}

void region_close(uintptr_t start, uintptr_t end)
{
	table_lock();
	if (recording)
		range_protect(start, end, false);
	table_unlock();
}

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/*
 * A private anonymous mapping that was never written loses its VM_ACCOUNT flag when it becomes inaccessible, and then never merges again
 * with the pages that are opened in it one by one (mm/mprotect.c): each would stay a mapping of its own. So one page is made present
 * before; its contents do not change.
 */
void region_close_new(uintptr_t start, uintptr_t end)
{
	table_lock();
	for (uint32_t i = table_at(start); recording && i < used && table[i].start < end; i++)
		if ((table[i].flags & REGION_TRACED) && (table[i].flags & REGION_PRIVATE) &&
			(table[i].protection & PROT_WRITE))
			SYS3(__NR_madvise, table[i].start > start ? table[i].start : start, MADT_PAGE,
				MADV_POPULATE_WRITE);
	if (recording)
		range_protect(start, end, false);
	table_unlock();
}

void region_open_all(void)
{
	region_open(0, EVERYWHERE);
}

void region_close_all(void)
{
	region_close(0, EVERYWHERE);
}

void region_pin(struct range range)
{
	table_lock();
	if (!pin_add(range))
		pins_of_all++; /* for good: more calls at once than there are pins */
	range_protect(range.start, range.end, true);
	table_unlock();
}

void region_unpin(struct range range)
{
	table_lock();
	pin_drop(range);
	if (recording)
		range_protect(range.start, range.end, false);
	table_unlock();
}

void region_pin_all(void)
{
	table_lock();
	pins_of_all++;
	range_protect(0, EVERYWHERE, true);
	table_unlock();
}

void region_unpin_all(void)
{
	table_lock();
	pins_of_all--;
	if (recording)
		range_protect(0, EVERYWHERE, false);
	table_unlock();
}

/* A child of fork is alone: the pins of the other threads' calls are not its own. */
void region_after_fork(void)
{
	bytes_set(pins, 0, sizeof pins);
	pin_count = 0;
	pins_of_all = 0;
	table_unlock();
	region_close_all();
}

/* Through process_vm_readv(2), which answers with an error where an access would kill. */
static size_t page_transfer(char *own, uintptr_t at, size_t n, bool write)
{
	struct iovec here = {own, n}, there = {(void *)at, n};
	long done = SYS6(write ? __NR_process_vm_writev : __NR_process_vm_readv, SYS0(__NR_getpid), &here, 1,
		&there, 1, 0);

	return done < 0 ? 0 : (size_t)done;
}

/* Copies page by page, opening and closing what is traced; stops at memory that is not there. */
static size_t region_transfer(char *own, uintptr_t at, size_t n, bool write)
{
	size_t done = 0;

	while (done < n) {
		uintptr_t page = PAGE_DOWN(at + done);
		size_t part = page + MADT_PAGE - (at + done), moved;
		bool closed = recording && region_traced(at + done);

		if (part > n - done)
			part = n - done;
		if (closed)
			region_open(page, page + MADT_PAGE);
		moved = page_transfer(own + done, at + done, part, write);
		if (closed)
			region_close(page, page + MADT_PAGE);
		done += moved;
		if (moved < part)
			break;
	}
	return done;
}

size_t region_read(void *to, uintptr_t from, size_t n)
{
	return region_transfer(to, from, n, false);
}

bool region_write(uintptr_t to, const void *from, size_t n)
{
	return region_transfer((char *)from, to, n, true) == n;
}

bool region_read_text(char *to, uintptr_t from, size_t size)
{
	size_t got = 0;

	while (got + 1 < size) {
		size_t part = PAGE_DOWN(from + got) + MADT_PAGE - (from + got);
		size_t n;

		if (part > size - 1 - got)
			part = size - 1 - got;
		n = region_read(to + got, from + got, part);
		for (size_t i = 0; i < n; i++)
			if (!to[got + i])
				return true;
		got += n;
		if (n < part)
			break;
	}
	to[got] = 0;
	return false;
}

/* ---------------------------------------------------------------- the first look at /proc/self/maps */

static uintptr_t parse_hex(const char **p)
{
	uintptr_t value = 0;

	for (;; (*p)++) {
		char c = **p;

		if (c >= '0' && c <= '9')
			value = value * 16 + (uintptr_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			value = value * 16 + (uintptr_t)(c - 'a' + 10);
		else
			return value;
	}
}

/*
 * Traced are the modules' images and the heap. Other memory that exists before the program's first instruction belongs to the
 * loader (link maps, the main thread's thread-local storage), the kernel or MadT.
 */
static void scan_line(const char *line)
{
	uintptr_t start = parse_hex(&line), end;
	uint32_t protection = 0, flags = 0;
	const char *name;

	line++;
	end = parse_hex(&line);
	line++;
	protection |= line[0] == 'r' ? PROT_READ : 0;
	protection |= line[1] == 'w' ? PROT_WRITE : 0;
	protection |= line[2] == 'x' ? PROT_EXEC : 0;
	for (name = line; *name && *name != '/' && *name != '['; name++)
		;
	if (text_begins(name, "[heap]"))
		flags = REGION_TRACED | REGION_HEAP | REGION_PRIVATE;
	else if (text_begins(name, "[stack]"))
		flags = REGION_STACK;
	else if (*name != '[' && module_covers(start))
		flags = REGION_TRACED | (*name ? 0 : REGION_PRIVATE);
	region_add(start, end, protection, flags);
}

void region_scan(void)
{
	static char text[8192];
	size_t kept = 0;
	long fd = SYS3(__NR_open, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0), n;

	while (!sys_failed(fd) && (n = SYS3(__NR_read, fd, text + kept, sizeof text - 1 - kept)) > 0) {
		char *line = text, *end;

		kept += (size_t)n;
		text[kept] = 0;
		for (;;) {
			for (end = line; *end && *end != '\n'; end++)
				;
			if (!*end)
				break;
			*end = 0;
			scan_line(line);
			line = end + 1;
		}
		kept = (size_t)(text + kept - line);
		for (size_t i = 0; i < kept; i++)
			text[i] = line[i];
	}
	if (!sys_failed(fd))
		SYS1(__NR_close, fd);
}
