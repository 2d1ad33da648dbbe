/*
 * Which pages a process has of its own: of memory that is no file's, or changed since it was
 * mapped (proc(5), pagemap; Documentation/admin-guide/mm/pagemap.rst).
 */
#include "inject.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define PRESENT (1ull << 63)
#define SWAPPED (1ull << 62)
#define OF_FILE (1ull << 61)

/* As <linux/fs.h> has it from Linux 6.7 on: PAGEMAP_SCAN, and what a page is. */
struct scan {
	uint64_t size, flags, start, end, walk_end, regions, regions_room, most_pages;
	uint64_t inverted, all_of, any_of, told;
};
struct scanned {
	uint64_t start, end, categories;
};
#define SCAN _IOWR('f', 16, struct scan)
#define SCAN_FILE (1ull << 2)
#define SCAN_PRESENT (1ull << 3)
#define SCAN_SWAPPED (1ull << 4)

#define PAGE 4096ul
/* Entries that are read of memory that is not there, where the kernel cannot pass over it: 16 GiB. */
#define MOST_ENTRIES (1ul << 22)

int pagemap_open(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/pagemap", (int)pid);
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* Reads the entries from there on. */
static bool entries_read(struct pages *pages, int pagemap, uintptr_t page, uintptr_t end)
{
	const size_t bytes = (end - page) * sizeof *pages->entry,
				 wanted = bytes < sizeof pages->entry ? bytes : sizeof pages->entry;
	const ssize_t got = pread(pagemap, pages->entry, wanted, (off_t)(page * sizeof *pages->entry));

	pages->first = page;
	pages->count = got > 0 ? (size_t)got / sizeof *pages->entry : 0;
	return pages->count;
}

bool pages_own(struct pages *pages, int pagemap, uintptr_t page, uintptr_t end)
{
	uint64_t entry;

	if (page - pages->first >= pages->count && !entries_read(pages, pagemap, page, end))
		return true;
	entry = pages->entry[page - pages->first];
	return entry & (PRESENT | SWAPPED) && !(entry & OF_FILE);
}

/*
 * Passes over memory that is not there. Returns the first page that is of the process's own, or one
 * in front of it; `end`: there is none, or nobody knows.
 */
static uintptr_t pages_pass(struct pages *pages, int pagemap, uintptr_t page, uintptr_t end)
{
	struct scanned found;
	struct scan scan = { .size = sizeof scan,
		.start = page * PAGE,
		.end = end * PAGE,
		.regions = (uintptr_t)&found,
		.regions_room = 1,
		.most_pages = 1,
		.inverted = SCAN_FILE,
		.all_of = SCAN_FILE,
		.any_of = SCAN_PRESENT | SCAN_SWAPPED,
		.told = SCAN_PRESENT };
	int count = ioctl(pagemap, SCAN, &scan);

	if (count >= 0)
		return count ? found.start / PAGE : end;
	pages->passed += sizeof pages->entry / sizeof *pages->entry;
	return pages->passed < MOST_ENTRIES ? page : end;
}

uintptr_t pages_next(struct pages *pages, int pagemap, uintptr_t page, uintptr_t end)
{
	for (; page < end; page++) {
		if (page - pages->first >= pages->count)
			page = pages_pass(pages, pagemap, page, end);
		if (page < end && pages_own(pages, pagemap, page, end))
			break;
	}
	return page < end ? page : end;
}
