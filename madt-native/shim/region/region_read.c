/* Copies from and to the target's memory, whatever is closed there and whatever does not exist. */
#include "region/region.h"

#include "session/session.h"

#include <sys/uio.h>

/* Through process_vm_readv(2), which answers with an error where an access would kill. */
static size_t page_transfer(char *own, uintptr_t at, size_t n, bool write)
{
	struct iovec here = { own, n }, there = { (void *)at, n };
	long done = SYS6(write ? __NR_process_vm_writev : __NR_process_vm_readv, SYS0(__NR_gettid),
			&here, 1, &there, 1, 0);

	return done < 0 ? 0 : (size_t)done;
}

/* The page stays open meanwhile, whatever other threads close, or begin to record. */
static size_t closed_transfer(char *own, uintptr_t at, size_t n, bool write)
{
	const struct range page = { PAGE_DOWN(at), PAGE_DOWN(at) + MADT_PAGE };
	const bool pinned = region_pin(page);
	size_t moved;

	if (!pinned)
		region_pin_all();
	moved = page_transfer(own, at, n, write);
	if (pinned)
		region_unpin(page);
	else
		region_unpin_all();
	return moved;
}

/* Copies page by page, opening and closing what is traced; stops at memory that is not there. */
static size_t region_transfer(char *own, uintptr_t at, size_t n, bool write)
{
	size_t done = 0;

	while (done < n) {
		size_t part = PAGE_DOWN(at + done) + MADT_PAGE - (at + done), moved;

		if (part > n - done)
			part = n - done;
		if (engine.closes && region_traced(at + done))
			moved = closed_transfer(own + done, at + done, part, write);
		else
			moved = page_transfer(own + done, at + done, part, write);
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
