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
