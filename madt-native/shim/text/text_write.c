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

bool pages_open(struct range pages)
{
	return protect(pages, PROT_READ | PROT_WRITE);
}

/*
 * Allocates the pages; where the kernel does not know how (before Linux 5.14), by a fault a page.
 */
void pages_populate(struct range pages)
{
	advise(pages, MADV_POPULATE_WRITE);
}

void pages_forget(struct range pages)
{
	advise(pages, MADV_DONTNEED);
}

bool pages_close(struct range pages)
{
	return protect(pages, PROT_READ | PROT_EXEC);
}

/*
 * A page whose protection changes for a moment is a mapping apart from its neighbours for good,
 * which the maps of a process show that MadT has left again. So in one that runs already, a byte is
 * written as a debugger does it.
 */
static bool byte_poke(uintptr_t at, const uint8_t *byte)
{
	long fd = SYS3(__NR_open, "/proc/self/mem", O_RDWR | O_CLOEXEC, 0), done;

	if (sys_failed(fd))
		return false;
	done = SYS4(__NR_pwrite64, fd, byte, 1, at);
	SYS1(__NR_close, fd);
	return done == 1;
}

bool text_write_as(struct range text, const void *bytes, uint32_t protection)
{
	const struct range pages = { PAGE_DOWN(text.start), PAGE_UP(text.end) };
	const bool single = text.end - text.start == 1;

	if (single && ran_before && byte_poke(text.start, bytes))
		return true;
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
