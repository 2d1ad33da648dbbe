/*
 * Which jump of which plan a copy of patched text holds. The distance of the jump tells, and the
 * bytes around it: two jumps may be of the same distance.
 */
#include "splice/splice_copies.h"
#include "text/text.h"
#include "text/text_plan.h"

#include <sys/uio.h>

#define PIECE 128u
#define EQUAL_MIN 8u /* bytes that a copy has in common with the text, the jump included */

size_t copied_read(void *to, uintptr_t from, size_t size)
{
	struct iovec here = { to, size }, there = { (void *)from, size };
	long done = SYS6(__NR_process_vm_readv, SYS0(__NR_gettid), &here, 1, &there, 1, 0);

	return done < 0 ? 0 : (size_t)done;
}

/* ---------------------------------------------------------------- both texts */

/* The pages of the module's executable segment that hold this address. */
static struct range text_of(const struct module *module, uintptr_t code)
{
	for (uint32_t i = 0; i < module->text_count && i < MODULE_TEXTS; i++)
		if (code - module->texts[i].start < module->texts[i].end - module->texts[i].start)
			return (struct range){ module->texts[i].start, module->texts[i].end };
	return (struct range){ code, code };
}

/* ---------------------------------------------------------------- how much is equal */

/* So many bytes before the address in memory are as those before the text's; `limit` at most. */
static size_t equal_before(uintptr_t memory, const uint8_t *text, size_t limit)
{
	uint8_t piece[PIECE];
	size_t done = 0;

	while (done < limit) {
		size_t size = limit - done < PIECE ? limit - done : PIECE, n = size;

		if (copied_read(piece, memory - done - size, size) < size)
			return done;
		while (n && piece[n - 1] == *(text - done - 1)) {
			n--;
			done++;
		}
		if (n)
			break;
	}
	return done;
}

static size_t equal_behind(uintptr_t memory, const uint8_t *text, size_t limit)
{
	uint8_t piece[PIECE];
	size_t done = 0;

	while (done < limit) {
		size_t size = limit - done < PIECE ? limit - done : PIECE, n = 0;
		size_t got = copied_read(piece, memory + done, size);

		while (n < got && piece[n] == text[done])
			n++, done++;
		if (n < size)
			break;
	}
	return done;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* The range around a place that is as the text around an address of the module. */
static struct range equal_around(const struct module *module, uintptr_t code, uintptr_t at,
		struct range room)
{
	struct range text = text_of(module, code);
	const uint8_t *patched, *own;

	if (text.start == text.end)
		return (struct range){ at, at };
	text_both(module, code, &patched, &own);
	return (struct range){
		at - equal_before(at, patched, smaller(at - room.start, code - text.start)),
		at + equal_behind(at, patched, smaller(room.end - at, text.end - code)),
	};
}

/* ---------------------------------------------------------------- which jump */

/* The jumps at hand: which of them is most like the copy. */
struct search {
	uintptr_t at;
	struct range room;
	struct copied_jump *found;
	size_t length; /* of the best one's range */
	bool several;
};

static void search_take(struct search *search, const struct module *module, uint32_t jump,
		uint32_t resumes)
{
	uintptr_t code = module->bias + jump;
	struct range equal = equal_around(module, code, search->at, search->room);
	size_t length = equal.end - equal.start;

	if (length < EQUAL_MIN || equal.end < search->at + MADT_PLAN_JUMP || length < search->length)
		return;
	search->several = length == search->length;
	search->length = length;
	*search->found = (struct copied_jump){ module, code, module->bias + resumes, search->at - code,
		equal };
}

static void search_in(struct search *search, const struct module *module, int32_t relative)
{
	const struct madt_plan *plan = module->plan;
	const struct madt_plan_springboard *springboard = plan_table(plan, plan->springboards);
	struct madt_plan_rows row = plan_rows(plan, plan->patches);

	while (madt_plan_rows_next(&row)) {
		if ((int32_t)(row.row.value - row.row.key - MADT_PLAN_JUMP) != relative)
			continue;
		const struct madt_plan_patch patch = madt_plan_patch_of(row.row);

		if (patch.length >= MADT_PLAN_JUMP && patch.tactic != MADT_TACTIC_NEAR)
			search_take(search, module, patch.address, patch.address);
	}
	for (uint32_t i = 0; i < plan->springboards.count; i++)
		if (springboard[i].relative == relative)
			search_take(search, module, springboard[i].address, springboard[i].patch);
}

bool copied_jump_find(uintptr_t at, int32_t relative, struct range room, struct copied_jump *found)
{
	struct search search = { .at = at, .room = room, .found = found };
	const struct module *module;

	for (uint32_t i = 0; (module = module_number(i)); i++)
		if (copied_jump_of(module, relative))
			search_in(&search, module, relative);
	return search.length && !search.several;
}

bool copied_jump_to(const struct module *module, uintptr_t trampoline, struct copied_jump *found)
{
	const struct madt_plan *plan = module->plan;
	const struct madt_plan_springboard *springboard = plan_table(plan, plan->springboards);
	struct madt_plan_rows row = plan_rows(plan, plan->patches);
	uint32_t place = (uint32_t)(trampoline - module->bias);

	while (madt_plan_rows_next(&row)) {
		const struct madt_plan_patch patch = madt_plan_patch_of(row.row);

		if (row.row.value == place && patch.length >= MADT_PLAN_JUMP
				&& patch.tactic != MADT_TACTIC_NEAR) {
			found->jump = found->resumes = module->bias + patch.address;
			return true;
		}
	}
	for (uint32_t i = 0; i < plan->springboards.count; i++)
		if (springboard[i].address + MADT_PLAN_JUMP + (uint32_t)springboard[i].relative == place) {
			found->jump = module->bias + springboard[i].address;
			found->resumes = module->bias + springboard[i].patch;
			return true;
		}
	return false;
}
