/*
 * Finds the proven instructions: the functions of .eh_frame linearly, then from every function
 * symbol and every target of a direct branch that leads elsewhere, as far as control goes on. What
 * lies between is only counted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/pack.h"
#include "decode/decoder.h"
#include "decode/state_mask.h"
#include "map/frame_pointer.h"
#include "cfg/plan_text.h"

struct walk {
	struct decoder decoder;
	struct state_mask state;
	struct plan_text *text;
	struct instruction instruction; /* decoded last */
	uint32_t *queue;                /* targets yet to be walked from */
	size_t queued;
	size_t queue_capacity;
	bool full; /* no memory */
};

/* Returns how many executable bytes there are from an address on, DECODER_AHEAD at most. */
static size_t code_ahead(const struct plan_text *text, uint64_t at)
{
	size_t count = 0;
	while (count < DECODER_AHEAD && plan_text_holds(text, at + count)
			&& text->marks[at + count - text->start] & MARK_CODE)
		count++;
	return count;
}

static bool decode(struct walk *walk, uint64_t at)
{
	const uint8_t *bytes = walk->text->bytes + (at - walk->text->start);
	if (!decoder_read(&walk->decoder, bytes, code_ahead(walk->text, at), at, &walk->instruction))
		return false;
	state_mask_follow(&walk->state, bytes, &walk->instruction);
	return true;
}

static void queue_add(struct walk *walk, uint32_t target)
{
	if (!plan_text_holds(walk->text, target) || plan_text_starts(walk->text, target))
		return;
	if (walk->queued == walk->queue_capacity) {
		size_t capacity = walk->queue_capacity ? 2 * walk->queue_capacity : 1024;
		uint32_t *queue = realloc(walk->queue, capacity * sizeof *queue);
		walk->full |= !queue;
		if (!queue)
			return;
		walk->queue = queue;
		walk->queue_capacity = capacity;
	}
	walk->queue[walk->queued++] = target;
}

static void reference_note(struct walk *walk, const struct reference *reference)
{
	struct plan_text *text = walk->text;
	if (!reference->bytes)
		return;
	if (plan_text_holds(text, reference->address))
		plan_text_mark(text, reference->address, reference->names_only ? 1 : reference->bytes,
				reference->names_only ? MARK_TARGET : MARK_DATA);
	else if (reference->names_only
			&& array_reserve(&text->tables, &text->table_capacity, text->table_count,
					sizeof *text->tables))
		text->tables[text->table_count++] = reference->address;
}

static void flow_note(struct walk *walk, const struct insn *insn)
{
	if (insn->flags & INSN_BRANCHES) {
		plan_text_mark(walk->text, insn->target, 1, MARK_TARGET);
		queue_add(walk, insn->target);
	}
	if (insn->kind == INSN_CALL || insn->kind == INSN_CALL_INDIRECT)
		plan_text_mark(walk->text, insn->address + insn->length, 1, MARK_TARGET);
}

static bool insns_grow(struct plan_text *text)
{
	if (text->count < text->capacity)
		return true;
	size_t capacity = text->capacity ? 2 * text->capacity : 4096;
	struct insn *insns = realloc(text->insns, capacity * sizeof *insns);
	if (!insns)
		return false;
	text->insns = insns;
	text->capacity = capacity;
	return true;
}

/* Notes the instruction just decoded. Returns it. */
static struct insn *insn_add(struct walk *walk, uint8_t flags)
{
	struct plan_text *text = walk->text;
	if (!insns_grow(text)) {
		walk->full = true;
		return NULL;
	}
	struct insn *insn = &text->insns[text->count++];
	*insn = walk->instruction.insn;
	insn->flags |= flags;
	if (walk->instruction.site.entry.operands) {
		insn->site = (uint32_t)text->map.entry_count;
		walk->full |= !code_map_add(&text->map, &walk->instruction.site);
	}
	const uint32_t at = insn->address - text->start;
	text->starts[at / 64] |= UINT64_C(1) << at % 64;
	plan_text_mark(text, insn->address, insn->length, MARK_PROVEN);
	reference_note(walk, &walk->instruction.reference);
	flow_note(walk, insn);
	return insn;
}

/* The instruction at `at`, of a range that overlaps this one or new. False: it is none. */
static bool insn_walk(struct walk *walk, uint64_t at, struct frame_pointer *frame)
{
	if (!decode(walk, at))
		return false;
	if (plan_text_starts(walk->text, at))
		return true;
	insn_add(walk, 0);
	frame_pointer_follow(frame, walk->instruction.frame, &walk->text->map);
	return true;
}

/* Returns whether the planner asks for the entry: it has something to record, or is a popf. */
static bool entry_matters(const struct plan_text *text, const struct madt_code_entry *entry)
{
	bool matters = entry->flags & MADT_CODE_POPF;
	for (unsigned i = 0; i < entry->operands; i++)
		matters |= plan_text_records(text, &text->map.operands[entry->first_operand + i]);
	return matters;
}

/*
 * Takes out the entries from `first_entry` on, of the instructions from `first` on, that do not
 * matter: most are of pushes and of local variables.
 */
static void entries_drop(struct plan_text *text, size_t first, size_t first_entry)
{
	struct madt_code_entry *entries = text->map.entries;
	size_t kept = first_entry;
	for (size_t i = first; i < text->count; i++) {
		struct insn *insn = &text->insns[i];
		if (insn->site == INSN_NO_SITE)
			continue;
		if (entry_matters(text, &entries[insn->site])) {
			entries[kept] = entries[insn->site];
			insn->site = (uint32_t)kept++;
		} else {
			insn->site = INSN_NO_SITE;
		}
	}
	text->map.entry_count = kept;
}

/*
 * Control may run on behind what .eh_frame covers (glibc's clone). A call there is one that does
 * not return. A range that holds something that is no instruction has constants in it: from the
 * last return or jump before them on, nothing is sure.
 */
static void function_walk(struct walk *walk, uint64_t start, uint64_t end)
{
	struct frame_pointer frame = { .seen = 0 };
	const size_t first = walk->text->count, first_entry = walk->text->map.entry_count;
	const struct insn *last = NULL;
	uint64_t at = start;
	uint64_t sure = start;
	while (at < end && !walk->full && plan_text_holds(walk->text, at)
			&& insn_walk(walk, at, &frame)) {
		last = &walk->instruction.insn;
		at += last->length;
		sure = last->flags & INSN_ENDS ? at : sure;
	}
	frame_pointer_apply(&frame, &walk->text->map);
	if (!walk->full)
		entries_drop(walk->text, first, first_entry);
	walk->full |= !code_map_share(&walk->text->map);
	if (last && at >= end && !(last->flags & INSN_ENDS) && last->kind != INSN_CALL
			&& last->kind != INSN_CALL_INDIRECT)
		queue_add(walk, (uint32_t)at);
	if (at < end && sure > start)
		plan_text_mark(walk->text, sure, at + 1 - sure, MARK_DATA);
}

/* Walks over what .eh_frame or the table of a Go program covers: it is code. */
static void functions_walk(struct walk *walk, const struct functions *functions)
{
	for (size_t i = 0; i < functions->count && !walk->full; i++) {
		const struct madt_code_function *function = &functions->items[i];
		if (!(function->kinds & (MADT_FUNCTION_UNWIND | MADT_FUNCTION_WHOLE)))
			continue;
		plan_text_mark(walk->text, function->start, 1, MARK_TARGET);
		function_walk(walk, function->start, function->end);
	}
}

/* Of the others it is known that they begin there. */
static void starts_queue(struct walk *walk, const struct functions *functions)
{
	const uint32_t starts = MADT_FUNCTION_SYMBOL | MADT_FUNCTION_START;
	for (size_t i = 0; i < functions->count && !walk->full; i++) {
		const struct madt_code_function *function = &functions->items[i];
		if (!(function->kinds & starts) || !plan_text_holds(walk->text, function->start))
			continue;
		plan_text_mark(walk->text, function->start, 1, MARK_TARGET);
		queue_add(walk, function->start);
	}
}

/*
 * Finds where control from `at` meets what is known, or ends. False: it runs into something that is
 * no code, at *end. A system call that the text ends with is one that does not return: with it, a
 * program without a library ends.
 */
static bool path_is_code(struct walk *walk, uint64_t at, uint64_t *end)
{
	for (bool system = false;; system = walk->instruction.insn.kind == INSN_SYSTEM) {
		*end = at;
		if (!plan_text_holds(walk->text, at))
			return system;
		if (plan_text_starts(walk->text, at))
			return true;
		if (!decode(walk, at)
				|| plan_text_has(walk->text, at, walk->instruction.insn.length, MARK_DATA))
			return false;
		at += walk->instruction.insn.length;
		if (walk->instruction.insn.flags & INSN_ENDS) {
			*end = at;
			return true;
		}
	}
}

static void paths_walk(struct walk *walk)
{
	while (walk->queued && !walk->full) {
		uint64_t at = walk->queue[--walk->queued];
		uint64_t end;
		if (plan_text_starts(walk->text, at))
			continue;
		if (!path_is_code(walk, at, &end)) {
			if (plan_text_has(walk->text, at, 1, MARK_PROVEN))
				plan_text_mark(walk->text, at, end + 1 - at, MARK_FROZEN);
			continue;
		}
		while (at < end && !walk->full && decode(walk, at)) {
			insn_add(walk, INSN_GAP);
			at += walk->instruction.insn.length;
		}
		walk->full |= !code_map_share(&walk->text->map);
	}
}

/*
 * A sequence of bytes that nobody proves and that a linear reading takes for instructions. Tables
 * among the code, such as those of libcrypto, soon have bytes that are none.
 */
struct sequence {
	uint32_t instructions;
	uint32_t sites;
	bool behind_data; /* it begins there, and not behind proven code */
};

#define CODE_LIKELY 64 /* instructions in a row, which is more than chance has in tables */

static void sequence_end(struct plan_text *text, struct sequence *sequence, bool data)
{
	if (sequence->instructions >= CODE_LIKELY || (!sequence->behind_data && !data))
		text->likely_sites += sequence->sites;
	*sequence = (struct sequence){ .behind_data = data };
}

/* Counts the instruction at hand, which is no padding; blank ones are data. */
static void unproven_count(struct walk *walk, struct sequence *sequence, const uint8_t *bytes)
{
	const struct instruction *instruction = &walk->instruction;
	if (bytes[0] == 0 && bytes[instruction->insn.length - 1] == 0) {
		sequence_end(walk->text, sequence, true);
		return;
	}
	bool site = instruction->site.entry.operands
			&& !(instruction->site.operands[0].flags & MADT_OPERAND_STACK);
	walk->text->unproven_sites += site;
	sequence->sites += site;
	sequence->instructions++;
}

/*
 * Bytes between functions that nobody proves: what a linear reading would take for sites, and
 * padding.
 */
static void unproven_read(struct walk *walk)
{
	struct plan_text *text = walk->text;
	struct sequence sequence = { 0 };
	bool padding = false;
	for (uint32_t at = 0; at < text->size;) {
		if ((text->marks[at] & (MARK_CODE | MARK_PROVEN)) != MARK_CODE) {
			sequence_end(text, &sequence, false);
			padding = text->marks[at] & MARK_PROVEN;
			at++;
			continue;
		}
		if (!decode(walk, text->start + at)) {
			sequence_end(text, &sequence, true);
			padding = false;
			at++;
			continue;
		}
		unsigned length = walk->instruction.insn.length;
		padding &= walk->instruction.blank;
		if (padding)
			plan_text_mark(text, text->start + at, length, MARK_PADDING);
		else
			unproven_count(walk, &sequence, text->bytes + at);
		at += length;
	}
	sequence_end(text, &sequence, false);
}

static int insn_compare(const void *a, const void *b)
{
	const struct insn *left = a;
	const struct insn *right = b;
	return (left->address > right->address) - (left->address < right->address);
}

/* Up to here they are in order: those of functions, as long as functions do not overlap. */
static size_t insns_ordered(const struct plan_text *text)
{
	size_t count = 1;
	while (count < text->count && text->insns[count - 1].address < text->insns[count].address)
		count++;
	return count;
}

/*
 * Puts the instructions from `ordered` on in order, and between those before them. False: no
 * memory.
 */
static bool insns_merge(struct plan_text *text, size_t ordered)
{
	size_t left = text->count - ordered;
	struct insn *rest = malloc(left * sizeof *rest);
	if (!rest)
		return false;
	memcpy(rest, text->insns + ordered, left * sizeof *rest);
	qsort(rest, left, sizeof *rest, insn_compare);
	for (size_t to = text->count; left; to--)
		if (ordered && text->insns[ordered - 1].address > rest[left - 1].address)
			text->insns[to - 1] = text->insns[--ordered];
		else
			text->insns[to - 1] = rest[--left];
	free(rest);
	return true;
}

static bool insns_order(struct plan_text *text)
{
	size_t ordered = insns_ordered(text);
	if (ordered < text->count && !insns_merge(text, ordered))
		return false;
	plan_text_rank(text);
	text->proven_bytes = 0;
	for (uint32_t i = 0; i < text->size; i++)
		text->proven_bytes += text->marks[i] & MARK_PROVEN ? 1 : 0;
	return true;
}

/* 0, or an errno value. */
static int walk_end(struct walk *walk)
{
	free(walk->queue);
	decoder_free(&walk->decoder);
	if (walk->full || !insns_order(walk->text))
		return failure_set(walk->text->failure, ENOMEM, "no memory for its %zu instructions",
				walk->text->count);
	return 0;
}

static int walk_begin(struct walk *walk)
{
	if (decoder_make(&walk->decoder))
		return 0;
	decoder_free(&walk->decoder);
	return failure_set(walk->text->failure, ENOSYS, "Zydis cannot decode 64-bit code");
}

int plan_walk(struct plan_text *text)
{
	struct walk walk = { .text = text };
	int code = walk_begin(&walk);
	if (code)
		return code;
	functions_walk(&walk, &text->functions);
	starts_queue(&walk, &text->functions);
	paths_walk(&walk);
	unproven_read(&walk);
	return walk_end(&walk);
}

/* Targets in the midst of instructions. */
static void inner_queue(struct walk *walk)
{
	const uint8_t *marks = walk->text->marks;
	const unsigned inner = MARK_TARGET | MARK_PROVEN;
	for (uint32_t i = 0; i < walk->text->size && !walk->full; i++)
		if ((marks[i] & (inner | MARK_FROZEN)) == inner)
			queue_add(walk, walk->text->start + i);
}

int plan_walk_inner(struct plan_text *text, bool *more)
{
	struct walk walk = { .text = text };
	const size_t before = text->count;
	int code = walk_begin(&walk);
	if (code)
		return code;
	inner_queue(&walk);
	paths_walk(&walk);
	code = walk_end(&walk);
	*more = text->count > before;
	return code;
}
