/*
 * Functions that are called too often (--rate-limit): the launcher names them in a list that it
 * makes anew when there are more, and their text is the file's from then on, in this window and in
 * those that come. Their patches stand alone: no springboard of another one is in them
 * (SplicePlan.java sees to that). A thread that is in a trampoline of theirs comes out of it where
 * it would have.
 */
#include "text/text.h"

#include "session/session.h"

/* Ascending; never unmapped, for a handler may be reading it, and there are few. */
static const struct madt_rate_limit *limited;
static uint32_t count;

/* Those of before: which ones are new. */
static const struct madt_rate_limit *former;
static uint32_t former_count;

/* The newest list, copied: the launcher may be writing the next but one. */
static const struct madt_rate_limit *list_take(uint32_t *functions)
{
	uint32_t said = LOAD_ACQUIRE(&session.control->rate_limit);

	for (;;) {
		uint32_t length = said & ~MADT_RATE_LIMIT_SECOND, now;
		size_t half = said & MADT_RATE_LIMIT_SECOND ? MADT_RATE_LIMIT_BYTES / 2 : 0;
		void *list = length != count
				? session_copy(MADT_RATE_LIMIT_AT + half, length * sizeof(struct madt_rate_limit))
				: NULL;

		*functions = length;
		now = LOAD_ACQUIRE(&session.control->rate_limit);
		if (now == said || !list)
			return list;
		sys_unmap((uintptr_t)list, length * sizeof(struct madt_rate_limit));
		said = now;
	}
}

bool rate_limit_takes(void)
{
	uint32_t functions;
	const struct madt_rate_limit *list = list_take(&functions);

	if (list) {
		former = limited;
		former_count = count;
		limited = list;
		count = functions;
	}
	rate_limit_tell();
	return list;
}

void rate_limit_tell(void)
{
	STORE_RELEASE(&session.control->rate_limited, count);
}

static bool list_has(const struct madt_rate_limit *list, uint32_t length, uintptr_t code)
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

bool rate_limit_has(uintptr_t code)
{
	return count && list_has(limited, count, code);
}

bool rate_limit_touches(struct range range)
{
	for (uint32_t i = 0; i < count; i++)
		if (limited[i].start < range.end && limited[i].end > range.start)
			return true;
	return false;
}

bool rate_limit_grew(struct range range)
{
	for (uint32_t i = 0; i < count; i++)
		if (limited[i].start >= range.start && limited[i].start < range.end
				&& !list_has(former, former_count, limited[i].start))
			return true;
	return false;
}
