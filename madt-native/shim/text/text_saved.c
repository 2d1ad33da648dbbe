/*
 * What stood beneath patches that are written into a module's own text, page by page. A page that
 * was its file's, and that the program has not changed, becomes the file's again by madvise(2);
 * any other gets back the bytes that patches took, and keeps all else: it may be anonymous memory,
 * or hold changes of the program's.
 */
#include "text/text_layers.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>

#define ENTRIES 64u /* of /proc/PID/pagemap (proc(5)) that are read at a time */
#define PAGE_PRESENT ((uint64_t)1 << 63)
#define PAGE_OF_FILE ((uint64_t)1 << 61)

const uint8_t *own_saved(const struct module *module, uintptr_t page)
{
	const uint8_t *mark = mark_of(module, page);

	return mark && *mark & MARK_SAVED ? own_page(module, page) : NULL;
}

/* ---------------------------------------------------------------- pages are saved */

static void pages_copy_own(struct module *module, struct range pages)
{
	const uintptr_t own = (uintptr_t)own_page(module, pages.start);

	pages_populate((struct range){ own, own + (pages.end - pages.start) });
	for (uintptr_t page = pages.start; page < pages.end; page += MADT_PAGE) {
		bytes_copy(own_page(module, page), (const void *)page, MADT_PAGE);
		points_beneath(module, page, own_page(module, page));
	}
}

/* Counts a page as the program's where the kernel does not say that it is a file's. */
static void pages_mark(struct module *module, struct range pages)
{
	long file = SYS3(__NR_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0);
	uint64_t entry[ENTRIES];
	uintptr_t page = pages.start;

	while (page < pages.end) {
		size_t count = (pages.end - page) / MADT_PAGE;
		long got;

		count = count < ENTRIES ? count : ENTRIES;
		got = sys_failed(file) ? 0
							   : SYS4(__NR_pread64, file, entry, count * sizeof *entry,
									   page / MADT_PAGE * sizeof *entry);
		for (size_t i = 0; i < count; i++, page += MADT_PAGE) {
			bool clean = got >= (long)((i + 1) * sizeof *entry) && entry[i] & PAGE_PRESENT
					&& entry[i] & PAGE_OF_FILE;

			*mark_of(module, page) |= (uint8_t)(MARK_SAVED | (clean ? MARK_CLEAN : 0));
		}
	}
	if (!sys_failed(file))
		SYS1(__NR_close, file);
}

bool own_save(struct module *module, struct range pages)
{
	uintptr_t page = pages.start;

	if (!marks_make(module) || !mark_of(module, pages.start)
			|| !mark_of(module, pages.end - MADT_PAGE))
		return false;
	while (page < pages.end) {
		struct range unsaved;

		for (; page < pages.end && *mark_of(module, page) & MARK_SAVED; page += MADT_PAGE)
			;
		unsaved.start = page;
		for (; page < pages.end && !(*mark_of(module, page) & MARK_SAVED); page += MADT_PAGE)
			;
		unsaved.end = page;
		if (unsaved.start == unsaved.end)
			continue;
		pages_copy_own(module, unsaved);
		pages_mark(module, unsaved);
	}
	return true;
}

/* ---------------------------------------------------------------- and get their own bytes */

size_t text_read(void *to, uintptr_t from, size_t size)
{
	struct iovec here = { to, size }, there = { (void *)from, size };
	long done = SYS6(__NR_process_vm_readv, SYS0(__NR_getpid), &here, 1, &there, 1, 0);

	return done < 0 ? 0 : (size_t)done;
}

void own_put(const struct module *module, uintptr_t page, uintptr_t place, const uint8_t *bytes)
{
	const uint8_t mark = *mark_of(module, page);
	const struct range there = { place, place + MADT_PAGE };

	if (mark & MARK_CLEAN && !(mark & MARK_TAKEN)
			&& bytes_compare(bytes, own_page(module, page), MADT_PAGE) == 0)
		pages_forget(there);
	else if (bytes_compare(bytes, (const void *)place, MADT_PAGE) != 0)
		pages_poke(there, bytes, !(mark & MARK_TAKEN));
}
