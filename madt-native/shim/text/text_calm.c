/*
 * Functions that are called too often (--calm): the launcher names them in a list that it makes
 * anew when there are more, and their text is the file's from then on, in this window and in those
 * that come. Their patches stand alone: no door of another one is in them (SplicePlan.java sees to
 * that). A thread that is in a trampoline of theirs comes out of it where it would have.
 */
#include "text/text.h"

#include "session/session.h"

/* Ascending; never unmapped, for a handler may be reading it, and there are few. */
static const struct madt_calm *calmed;
static uint32_t count;

/* Those of before: which ones are new. */
static const struct madt_calm *former;
static uint32_t former_count;

/* The newest list, copied: the launcher may be writing the next but one. */
static const struct madt_calm *list_take(uint32_t *functions)
{
	uint32_t said = LOAD_ACQUIRE(&session.control->calm);

	for (;;) {
		uint32_t length = said & ~MADT_CALM_SECOND, now;
		size_t half = said & MADT_CALM_SECOND ? MADT_CALM_BYTES / 2 : 0;
		void *list = length != count
				? session_copy(MADT_CALM_AT + half, length * sizeof(struct madt_calm))
				: NULL;

		*functions = length;
		now = LOAD_ACQUIRE(&session.control->calm);
		if (now == said || !list)
			return list;
		sys_unmap((uintptr_t)list, length * sizeof(struct madt_calm));
		said = now;
	}
}

bool calm_takes(void)
{
	uint32_t functions;
	const struct madt_calm *list = list_take(&functions);

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
