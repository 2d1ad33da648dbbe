/* Opens what a system call touches, pinned until it is over, and records it: G for what the kernel read, W for what it wrote. */
#include "gate.h"

static size_t touch_length(const struct touch *touch, const struct pending *pending)
{
	size_t count = 1;

	if (touch->length == LENGTH_ARGUMENT || touch->length == LENGTH_RESULT)
		count = (size_t)pending->argument[touch->count];
	if (touch->size && count > SIZE_MAX / 2 / touch->size)
		return SIZE_MAX / 2;
	return count * (touch->size ? touch->size : 1);
}

static void open_range(struct pending *pending, uintptr_t start, size_t length)
{
	uintptr_t end = start + length;

	if (!length || !start || pending->everything)
		return;
	if (end < start || length > (size_t)1 << 40)
		end = start + ((size_t)1 << 40);
	pending->open[pending->opened++] = (struct range){start, end};
	region_pin(pending->open[pending->opened - 1]);
}

/* A text of unknown length: page after page until its NUL. */
static void open_text(struct pending *pending, uintptr_t start)
{
	uintptr_t at = start;
	char part[256];

	for (size_t seen = 0; start && seen < 65536;) {
		size_t n = PAGE_DOWN(at) + MADT_PAGE - at, got;

		if (n > sizeof part)
			n = sizeof part;
		got = region_read(part, at, n);
		for (size_t i = 0; i < got; i++)
			if (!part[i]) {
				open_range(pending, start, at + i + 1 - start);
				return;
			}
		if (got < n)
			break;
		at += n;
		seen += n;
	}
	open_range(pending, start, at - start);
}

void gate_open_all(struct pending *pending)
{
	pending->everything = true;
	__atomic_fetch_add(&session.control->calls_opened, 1, __ATOMIC_RELAXED);
	region_pin_all();
}

void gate_open(struct pending *pending)
{
	const struct touch *touches;
	unsigned count;

	/* A vfork child finds everything open; what it opened would stay so when its exec does not return. */
	if (!recording || self.vfork_parent)
		return;
	thread_may_miss();
	if (!call_touches(pending->number, pending->argument, &touches, &count)) {
		gate_open_all(pending);
		return;
	}
	for (unsigned i = 0; i < count; i++) {
		uintptr_t start = (uintptr_t)pending->argument[touches[i].argument];

		if (touches[i].length == LENGTH_TEXT)
			open_text(pending, start);
		else
			open_range(pending, start, touch_length(&touches[i], pending));
	}
}

void gate_close(struct pending *pending)
{
	if (pending->everything)
		region_unpin_all();
	for (unsigned i = 0; i < pending->opened; i++)
		region_unpin(pending->open[i]);
	pending->opened = 0;
	pending->everything = false;
}

/* G for what the kernel read, W for what it wrote. Texts are measured before their pages close. */
void gate_record(const struct pending *pending, long result)
{
	const struct touch *touches;
	unsigned count;

	if (!recording || pending->silent || sys_failed(result) ||
		!call_touches(pending->number, pending->argument, &touches, &count))
		return;
	for (unsigned i = 0; i < count; i++) {
		uintptr_t start = (uintptr_t)pending->argument[touches[i].argument];
		size_t length = touch_length(&touches[i], pending);
		uintptr_t code = (pending->next - 2) | MADT_CODE_EXACT;

		if (touches[i].length == LENGTH_TEXT)
			length = text_length((const char *)start) + 1;
		else if (touches[i].length == LENGTH_RESULT && (size_t)result * touches[i].size < length)
			length = (size_t)result * touches[i].size;
		if (!start || !length)
			continue;
		if (touches[i].direction & TOUCH_READ)
			record_block(MADT_RUN_FETCH, code, (const void *)start, length);
		if (touches[i].direction & TOUCH_WRITE)
			record_block(MADT_RUN_STORE, code, (const void *)start, length);
	}
}
