/*
 * A mapping is as good as a descriptor, and nothing that the program does to itself takes it away:
 * another user, root or namespace, closed descriptors, limits, filters against opening. mremap(2)
 * with an old size of 0 makes a second mapping of a shared file, and remap_file_pages(2) has it
 * begin elsewhere in the file.
 */
#include "session/area.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED 2

static void *first; /* the file's first page */

void *area_open(const char *path)
{
	long fd = SYS3(__NR_open, path, O_RDWR | O_CLOEXEC, 0), at = fd;

	if (!sys_failed(fd)) {
		at = sys_map(MADT_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd);
		SYS1(__NR_close, fd);
	}
	first = sys_failed(at) ? NULL : (void *)at;
	return first;
}

/* MAP_NONBLOCK: nothing is allocated by this. */
static long part_map(uint64_t from, size_t size, long at)
{
	long result = SYS5(__NR_mremap, first, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, at);

	return sys_failed(result)
			? result
			: SYS5(__NR_remap_file_pages, at, size, 0, from / MADT_PAGE, MAP_NONBLOCK);
}

/* The place is taken first: a wish of MadT's is only that. */
long area_map(uint64_t from, size_t size)
{
	long at = sys_map(size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1), result;

	if (sys_failed(at))
		return at;
	result = part_map(from, size, at);
	if (!sys_failed(result))
		return at;
	sys_unmap((uintptr_t)at, size);
	return result;
}

/*
 * Before Linux 5.14: the kernel adds nothing to a word of each page, and finds out by itself. What
 * stands there stays, for another thread may use the page already.
 */
static bool pages_touch(uintptr_t at, size_t size)
{
	const uint32_t nothing = FUTEX_OP(FUTEX_OP_ADD, 0, FUTEX_OP_CMP_EQ, 0);

	for (uintptr_t page = at; page < at + size; page += MADT_PAGE)
		if (sys_failed(SYS6(__NR_futex, page, FUTEX_WAKE_OP_PRIVATE, 0, 0, page, nothing)))
			return false;
	return true;
}

void area_give_back(void *at, size_t size)
{
	SYS3(__NR_madvise, at, size, MADV_REMOVE);
	sys_unmap((uintptr_t)at, size);
}

bool area_allocate(void *place, size_t size)
{
	const uintptr_t at = PAGE_DOWN((uintptr_t)place);
	const size_t whole = PAGE_UP((uintptr_t)place + size) - at;
	long result = SYS3(__NR_madvise, at, whole, MADV_POPULATE_WRITE);

	if (result == -EINVAL || result == -EPERM || result == -ENOSYS)
		return pages_touch(at, whole);
	return !sys_failed(result);
}
