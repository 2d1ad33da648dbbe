/*
 * Which pages a process has of its own: of memory that is no file's, or changed since it was
 * mapped (proc(5), pagemap; Documentation/admin-guide/mm/pagemap.rst).
 */
#include "inject.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#define PRESENT (1ull << 63)
#define SWAPPED (1ull << 62)
#define OF_FILE (1ull << 61)

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
