/*
 * Bytes that open or close a window when the target has read them: from a terminal, a pipe, a
 * socket or a file, by the calls that direct.c leaves to the gate for that. They may come in
 * several reads of one descriptor.
 */
#include "gate/calls.h"
#include "gate/gate_parts.h"

#include "region/region.h"
#include "session/session.h"

static struct {
	uint32_t matched; /* of the bytes, by what was read last */
	long descriptor;
	bool found;
} seen;

bool gate_reads_watched(void)
{
	return session.page->start == MADT_START_READ || session.page->windows.stop == MADT_START_READ;
}

static const struct madt_trigger *trigger(void)
{
	return recording ? &session.page->windows.closes : &session.page->windows.opens;
}

/*
 * Returns how many of the first bytes are the last ones of `n` first bytes and one more (a border).
 */
static uint32_t border(const struct madt_trigger *wanted, uint32_t n, uint8_t byte)
{
	for (uint32_t k = n + 1; k > 0; k--)
		if (wanted->text[k - 1] == byte
				&& bytes_compare(wanted->text, wanted->text + n + 1 - k, k - 1) == 0)
			return k;
	return 0;
}

static void byte_take(const struct madt_trigger *wanted, uint8_t byte)
{
	uint32_t n = seen.matched;

	n = n < wanted->number && wanted->text[n] == byte ? n + 1 : n ? border(wanted, n - 1, byte) : 0;
	seen.found |= n == wanted->number;
	seen.matched = n == wanted->number ? 0 : n;
}

static void bytes_take(struct pending *pending, uintptr_t start, size_t length, unsigned direction)
{
	uint8_t part[256];

	(void)pending;
	while (direction & TOUCH_WRITE && length && !seen.found) {
		size_t n = length < sizeof part ? length : sizeof part;

		n = region_read(part, start, n);
		for (size_t i = 0; i < n && !seen.found; i++)
			byte_take(trigger(), part[i]);
		if (!n)
			return;
		start += n;
		length -= n;
	}
}

static bool reads(long number)
{
	switch (number) {
	case __NR_read:
	case __NR_readv:
	case __NR_pread64:
	case __NR_preadv:
	case __NR_preadv2:
	case __NR_recvfrom:
	case __NR_recvmsg:
		return true;
	default:
		return false;
	}
}

void gate_reads(struct pending *pending, long result)
{
	if (!reads(pending->number) || result <= 0)
		return;
	if (seen.descriptor != pending->argument[0])
		seen.matched = 0;
	seen.descriptor = pending->argument[0];
	call_walk(pending, &result, bytes_take);
	if (!seen.found)
		return;
	seen.found = false;
	window_turn(MADT_START_READ, pending->next);
}
