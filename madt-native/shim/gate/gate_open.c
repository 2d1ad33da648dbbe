/*
 * Opens what a system call touches, pinned until it is over, and records it: G for what the kernel
 * read, W for what it wrote.
 */
#include "gate/calls.h"
#include "gate/gate_parts.h"

#include "region/region.h"
#include "session/session.h"
#include "thread/thread.h"

void gate_open_all(struct pending *pending)
{
	pending->everything = true;
	__atomic_fetch_add(&session.control->calls_opened, 1, __ATOMIC_RELAXED);
	region_pin_all();
}

void gate_open_range(struct pending *pending, uintptr_t start, size_t length)
{
	struct range range = { start, start + length };

	if (pending->everything)
		return;
	if (range.end < start || length > (size_t)1 << 40)
		range.end = start + ((size_t)1 << 40);
	if (!region_any_traced(range))
		return;
	if (pending->opened == OPEN_MAX || !region_pin(range))
		gate_open_all(pending);
	else
		pending->open[pending->opened++] = range;
}

static void open_visit(struct pending *pending, uintptr_t start, size_t length, unsigned direction)
{
	(void)direction;
	gate_open_range(pending, start, length);
}

static void record_visit(struct pending *pending, uintptr_t start, size_t length,
		unsigned direction)
{
	uintptr_t code = (pending->next - 2) | MADT_CODE_EXACT;

	if (direction & TOUCH_READ)
		record_block(MADT_TEMPLATE_FETCH, code, (const void *)start, length);
	if (direction & TOUCH_WRITE)
		record_block(MADT_TEMPLATE_STORE, code, (const void *)start, length);
}

static void pass_visit(struct pending *pending, uintptr_t start, size_t length, unsigned direction)
{
	(void)pending;
	(void)start;
	(void)length;
	(void)direction;
}

bool gate_opens(void)
{
	return recording || engine.closes;
}

void gate_open(struct pending *pending)
{
	if (self.unseen || !gate_opens())
		return;
	pending->begun = tsc_now();
	if (!engine.closes)
		/* for the lengths that the call will overwrite */
		call_walk(pending, NULL, pass_visit);
	else if (pending->i386 || !call_walk(pending, NULL, open_visit) || gate_proc_file(pending))
		gate_open_all(pending);
}

void gate_close(struct pending *pending)
{
	if (pending->everything) {
		missed_everywhere(pending->begun);
		region_unpin_all();
	}
	for (unsigned i = 0; i < pending->opened; i++) {
		missed_window(pending->open[i], pending->begun);
		region_unpin(pending->open[i]);
	}
	pending->opened = 0;
	pending->everything = false;
}

void gate_record(struct pending *pending, long result)
{
	if (pending->number == __NR_read && result > 0)
		frame_move((size_t)result);
	if (window_awaits(MADT_START_READ))
		gate_reads(pending, result);
	if (recording && !pending->silent)
		call_walk(pending, &result, record_visit);
}
