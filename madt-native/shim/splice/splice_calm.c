/*
 * Functions that are called too often (--calm): the launcher names them in a file that it makes
 * anew when there are more, and their text is the file's from then on, in this window and in those
 * that come. Their patches stand alone: no door of another one is in them (SplicePlan.java sees to
 * that). A thread that is in a trampoline of theirs comes out of it where it would have.
 */
#include "splice/splice.h"

#include "base/state.h"
#include "session/session.h"

#include <fcntl.h>
#include <sys/mman.h>

/* Ascending; never unmapped, for a handler may be reading it, and there are few. */
static const struct madt_calm *calmed;
static uint32_t count;

/* Those of before: which ones are new. */
static const struct madt_calm *former;
static uint32_t former_count;

static const struct madt_calm *file_map(uint32_t functions)
{
	char path[256];
	long fd, at;

	text_copy(path, session.folder, sizeof path);
	text_copy(path + text_length(path), "/calm.", sizeof path - text_length(path));
	text_number(path + text_length(path), session.serial);
	text_copy(path + text_length(path), ".", sizeof path - text_length(path));
	text_number(path + text_length(path), functions);
	fd = SYS3(__NR_open, path, O_RDONLY | O_CLOEXEC, 0);
	if (sys_failed(fd))
		return NULL;
	at = sys_map(functions * sizeof(struct madt_calm), PROT_READ, MAP_PRIVATE, fd);
	SYS1(__NR_close, fd);
	return sys_failed(at) ? NULL : (const struct madt_calm *)at;
}

bool calm_takes(void)
{
	uint32_t functions = LOAD_ACQUIRE(&session.control->calm);
	const struct madt_calm *list = functions != count ? file_map(functions) : NULL;

	if (!list)
		return false;
	former = calmed;
	former_count = count;
	calmed = list;
	count = functions;
	return true;
}

static bool list_has(const struct madt_calm *list, uint32_t length, uintptr_t code)
{
	uint32_t low = 0, high = length;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (list[middle].end <= code)
			low = middle + 1;
		else
			high = middle;
	}
	return low < length && list[low].start <= code;
}

bool calm_has(uintptr_t code)
{
	return count && list_has(calmed, count, code);
}

bool calm_touches(struct range range)
{
	for (uint32_t i = 0; i < count; i++)
		if (calmed[i].start < range.end && calmed[i].end > range.start)
			return true;
	return false;
}

bool calm_grew(struct range range)
{
	for (uint32_t i = 0; i < count; i++)
		if (calmed[i].start >= range.start && calmed[i].start < range.end
				&& !list_has(former, former_count, calmed[i].start))
			return true;
	return false;
}
