/*
 * Functions of the user's that probes call (madt_probe.h). The launcher has made one piece of
 * memory of their libraries (struct madt_library); each process takes a copy, in which addresses
 * are put right, and no loader knows of it. Where a function is called is in a table of the
 * session's.
 */
#include "splice/library.h"
#include "splice/splice.h"

#include "base/load.h"
#include "base/state.h"
#include "madt_probe.h"
#include "session/area.h"
#include "session/session.h"

#include <sys/mman.h>

extern const char library_broken[];

bool library_enter(uintptr_t function, const struct madt_probe *probe);

static uintptr_t memory;
static const struct madt_library_place *places;

/* ---------------------------------------------------------------- what it may call */

size_t madt_probe_read(void *to, uint64_t from, size_t size)
{
	uint8_t *bytes = to;
	size_t done = 0;
	uint64_t word;

	while (done < size)
		if (size - done >= sizeof word && (from + done) % sizeof word == 0) {
			if (!load_word(from + done, &word))
				break;
			bytes_copy(bytes + done, &word, sizeof word);
			done += sizeof word;
		} else if (load_byte(from + done, &bytes[done])) {
			done++;
		} else {
			break;
		}
	return done;
}

size_t madt_probe_text(char *to, uint64_t from, size_t size)
{
	size_t length = 0;
	uint8_t byte;

	if (!size)
		return 0;
	while (length + 1 < size && load_byte(from + length, &byte) && byte)
		to[length++] = (char)byte;
	to[length] = 0;
	return length;
}

static void *copy(void *to, const void *from, size_t size)
{
	uint8_t *out = to;
	const uint8_t *in = from;

	if ((uintptr_t)out - (uintptr_t)in < size)
		while (size--)
			out[size] = in[size];
	else
		bytes_copy(to, from, size);
	return to;
}

static void *fill(void *to, int byte, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *)to)[i] = (uint8_t)byte;
	return to;
}

static int compare(const void *left, const void *right, size_t size)
{
	const uint8_t *a = left, *b = right;

	for (size_t i = 0; i < size; i++)
		if (a[i] != b[i])
			return a[i] - b[i];
	return 0;
}

static size_t length(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	return n;
}

static void smashed(void)
{
	__builtin_trap();
}

static uintptr_t import(uint64_t number)
{
	switch (number) {
	case MADT_IMPORT_READ:
		return (uintptr_t)madt_probe_read;
	case MADT_IMPORT_TEXT:
		return (uintptr_t)madt_probe_text;
	case MADT_IMPORT_COPY:
		return (uintptr_t)copy;
	case MADT_IMPORT_FILL:
		return (uintptr_t)fill;
	case MADT_IMPORT_COMPARE:
		return (uintptr_t)compare;
	case MADT_IMPORT_LENGTH:
		return (uintptr_t)length;
	case MADT_IMPORT_SMASHED:
		return (uintptr_t)smashed;
	case MADT_IMPORT_NOWHERE:
		return 0;
	default:
		return memory;
	}
}

/* ---------------------------------------------------------------- its memory */

static bool memory_make(const struct madt_library *head)
{
	const struct madt_library_part *parts = (const void *)(head + 1);
	const struct madt_library_move *moves = (const void *)(parts + head->parts);
	bool done = true;

	memory = (uintptr_t)sys_pages(head->size);
	if (!memory)
		return false;
	bytes_copy((void *)memory, (const void *)PAGE_UP(moves + head->moves), head->size);
	for (uint32_t i = 0; i < head->moves; i++)
		*(uint64_t *)(memory + moves[i].at) = import(moves[i].import) + moves[i].addend;
	SYS3(__NR_mprotect, memory, head->size, PROT_NONE);
	for (uint32_t i = 0; i < head->parts; i++)
		done &= !sys_failed(SYS3(__NR_mprotect, memory + parts[i].start,
				parts[i].end - parts[i].start, parts[i].protection));
	return done;
}

bool library_set_up(void)
{
	bool made;
	long head, table;

	if (!session.page || !(session.page->flags & MADT_SESSION_LIBRARY))
		return true;
	head = area_map(MADT_LIBRARY_AT, MADT_LIBRARY_MOST);
	table = area_map(MADT_LIBRARY_PLACES_AT,
			MADT_LIBRARY_PLACES * sizeof(struct madt_library_place));
	if (sys_failed(head) || sys_failed(table))
		return false;
	made = memory_make((const struct madt_library *)head);
	sys_unmap((uintptr_t)head, MADT_LIBRARY_MOST);
	places = (const struct madt_library_place *)table;
	return made;
}

/* ---------------------------------------------------------------- a call */

/* The instrument is switched off, and the number behind the function's own tells of it. */
static void broke(const struct madt_library_place *place, uint64_t *counts)
{
	struct madt_switch *switches = (struct madt_switch *)switches_place();

	STORE_RELEASE(&switches[place->instrument].off, 1);
	counts[place->counts + MADT_PROBE_NUMBERS]++;
}

void library_call(const struct madt_probe_state *state, uint32_t number)
{
	const struct madt_library_place *place = &places[number];
	uint64_t *counts;

	lead_follow();
	counts = self.session.counting ? counts_of(thread_self()) : NULL;
	if (counts && memory) {
		const struct madt_probe probe = { state->general, state->flags, state->code, place->name,
			counts + place->counts };

		if (!library_enter(memory + place->function, &probe))
			broke(place, counts);
	}
}

bool library_on_fault(const siginfo_t *info, ucontext_t *context)
{
	if (info->si_code <= 0 || !self.splice.library_stack)
		return false;
	/* a window may have ended while it ran */
	if (!lead_counts_closed((uintptr_t)info->si_addr, true) && !load_resume(context))
		context_registers(context)[REG_RIP] = (greg_t)library_broken;
	return true;
}
