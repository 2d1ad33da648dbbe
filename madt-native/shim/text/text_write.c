/*
 * The one writer of text. Pages that other threads may execute are not executable while more than
 * one byte of them changes, so that nobody sees half of a change.
 */
#include "text/text_layers.h"

#include "base/state.h"

#include <fcntl.h>
#include <sys/mman.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#define INT3 0xcc

static bool protect(struct range pages, int protection)
{
	return !sys_failed(SYS3(__NR_mprotect, pages.start, pages.end - pages.start, protection));
}

static void advise(struct range pages, int advice)
{
	SYS3(__NR_madvise, pages.start, pages.end - pages.start, advice);
}

void pages_forget(struct range pages)
{
	advise(pages, MADV_DONTNEED);
}

/* Before Linux 5.14 the kernel does not know that: then there is a fault a page. */
void pages_populate(struct range pages)
{
	advise(pages, MADV_POPULATE_WRITE);
}

/*
 * A page that can be written for a moment is a mapping apart from its neighbours for good, which
 * the maps of a process show that MadT has left again. So in one that runs already, text is written
 * as a debugger does it.
 */
long memory_open(void)
{
	return SYS3(__NR_open, "/proc/thread-self/mem", O_RDWR | O_CLOEXEC, 0);
}

static bool poke(struct range text, const uint8_t *bytes)
{
	long fd = memory_open(), done = 1;
	uintptr_t at = text.start;

	if (sys_failed(fd))
		return false;
	for (; at < text.end && done > 0; at += done > 0 ? (uintptr_t)done : 0)
		done = SYS4(__NR_pwrite64, fd, bytes + (at - text.start), text.end - at, at);
	SYS1(__NR_close, fd);
	return at == text.end;
}

void pages_poke(struct range pages, const uint8_t *bytes, bool by_rights)
{
	if (poke(pages, bytes) || !by_rights || !protect(pages, PROT_READ | PROT_WRITE))
		return;
	bytes_copy((void *)pages.start, bytes, pages.end - pages.start);
	protect(pages, PROT_READ | PROT_EXEC);
}

void pages_close(struct range pages)
{
	protect(pages, PROT_READ);
}

void pages_open(struct range pages)
{
	protect(pages, PROT_READ | PROT_EXEC);
}

/* Returns a copy that poke is to write, or NULL: it is done in place. */
static uint8_t *pages_copy(struct range pages)
{
	const size_t size = pages.end - pages.start;
	uint8_t *copy = protect(pages, PROT_READ) ? sys_pages(size) : NULL;

	if (!copy)
		return NULL;
	pages_populate((struct range){ (uintptr_t)copy, (uintptr_t)copy + size });
	bytes_copy(copy, (const void *)pages.start, size);
	return copy;
}

uint8_t *pages_edit(struct range pages, bool apart)
{
	uint8_t *copy = ran_before || apart ? pages_copy(pages) : NULL;

	if (copy || !protect(pages, PROT_READ | PROT_WRITE))
		return copy;
	pages_populate(pages);
	return (uint8_t *)pages.start;
}

void pages_edited(struct range pages, uint8_t *bytes)
{
	const size_t size = pages.end - pages.start;

	if (bytes != (uint8_t *)pages.start) {
		if (!poke(pages, bytes) && protect(pages, PROT_READ | PROT_WRITE))
			bytes_copy((void *)pages.start, bytes, size);
		sys_unmap((uintptr_t)bytes, size);
	}
	protect(pages, PROT_READ | PROT_EXEC);
}

bool text_write_as(struct range text, const void *bytes, uint32_t protection)
{
	const struct range pages = { PAGE_DOWN(text.start), PAGE_UP(text.end) };
	const bool single = text.end - text.start == 1;

	if (ran_before && (single || protect(pages, PROT_READ)) && poke(text, bytes))
		return single || protect(pages, (int)protection);
	if (!protect(pages, PROT_READ | PROT_WRITE | (single ? PROT_EXEC : 0)))
		return false;
	if (single)
		STORE_RELEASE((uint8_t *)text.start, *(const uint8_t *)bytes);
	else
		bytes_copy((void *)text.start, bytes, text.end - text.start);
	return protect(pages, (int)protection);
}

bool text_write(struct range text, const void *bytes)
{
	return text_write_as(text, bytes, PROT_READ | PROT_EXEC);
}

void text_byte_put(struct text_bytes *bytes, uintptr_t at, uint8_t byte)
{
	if (!bytes->begun)
		bytes->memory = memory_open();
	bytes->begun = true;
	if (sys_failed(bytes->memory) || SYS4(__NR_pwrite64, bytes->memory, &byte, 1, at) != 1)
		text_write((struct range){ at, at + 1 }, &byte);
}

void text_bytes_end(struct text_bytes *bytes)
{
	if (bytes->begun && !sys_failed(bytes->memory))
		SYS1(__NR_close, bytes->memory);
}

bool trap_lay(uintptr_t at, uint8_t *saved, uint8_t *armed)
{
	static const uint8_t int3 = INT3;

	*saved = *(const uint8_t *)at;
	STORE_RELEASE(armed, 1); /* a child that is forked now finds no other int3 */
	if (!text_write((struct range){ at, at + 1 }, &int3))
		*armed = 0;
	return *armed;
}

void trap_lift(uintptr_t at, const uint8_t *saved, uint8_t *armed)
{
	if (*armed)
		text_write((struct range){ at, at + 1 }, saved);
	*armed = 0;
}
