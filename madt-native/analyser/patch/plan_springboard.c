/*
 * Sites that have no room for a jump of five bytes: a short one of two leads to a springboard. That
 * is a second jump in the patch of other sites nearby, where nothing stands behind the patch's
 * own jump:
 *
 *   site   eb rel8 cc …                          two bytes or more
 *   host   e9 rel32 cc cc cc [e9 rel32] cc …     the springboard begins where no instruction does
 *
 * A host is a patch that has the room, or one that takes in what is behind it until it has, or a
 * new one without sites. Instruction starts within the springboard's jump trap, as those within a
 * patch's. A near patch of two instructions of one byte each needs a rel8 that traps.
 */
#include "patch/plan_springboard.h"

#include <string.h>

#define JUMP_LENGTH 5
#define SHORT_LENGTH SPRINGBOARD_SHORT
#define HOST_MIN (2 * JUMP_LENGTH)
#define HOST_MAX 30 /* bytes */

/* What a host costs, beyond the bytes of its springboard that must trap. */
enum cost {
	COST_READY = 0,
	COST_GROWN = 1,
	COST_NEW = 3,
	COST_TOP = 8 /* the top byte must trap */,
	COST_NONE = 1000
};

/* ---------------------------------------------------------------- where in a host */

static uint32_t page_of(uint32_t address)
{
	return address / MADT_PAGE;
}

/* In reach, in the same page, and the short jump traps where it has to. */
static bool springboard_suits(const struct patch *site, uint32_t springboard)
{
	const int64_t relative = (int64_t)springboard - (site->address + SHORT_LENGTH);
	return relative == (int8_t)relative
			&& page_of(springboard) == page_of(springboard + JUMP_LENGTH - 1)
			&& page_of(springboard) == page_of(site->address)
			&& page_of(springboard) == page_of(site->address + SHORT_LENGTH - 1);
}

static bool short_traps(const struct plan *plan, const struct patch *site, uint32_t springboard)
{
	const uint32_t behind = site->address + SHORT_LENGTH;
	return !(plan_text_insn(&plan->text, behind - 1) && site->count > 1)
			|| plan_byte_traps((uint8_t)(springboard - behind));
}

/* The first that is at an address or behind it; `count` if none is. */
static size_t springboard_behind(const struct springboards *springboards, uint32_t address)
{
	size_t low = 0;
	size_t high = springboards->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (springboards->found[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool springboard_is_free(const struct springboards *springboards, uint32_t springboard)
{
	const size_t behind = springboard_behind(springboards,
			springboard + 1 > JUMP_LENGTH ? springboard + 1 - JUMP_LENGTH : 0);
	return behind == springboards->count
			|| springboards->found[behind] >= springboard + JUMP_LENGTH;
}

/* Of the bytes behind the first one, those that an instruction starts at. */
static unsigned springboard_cost(const struct plan *plan, uint32_t springboard)
{
	unsigned cost = 0;
	for (unsigned i = 1; i < JUMP_LENGTH; i++)
		if (plan_text_insn(&plan->text, springboard + i))
			cost += i < JUMP_LENGTH - 1 ? 1 : COST_TOP;
	return cost;
}

/*
 * Takes the best springboard in this host for the site, if it is better than what was found before.
 */
static void host_try(const struct plan *plan, const struct springboards *springboards,
		const struct patch *site, const struct patch *host, struct patch *grown, unsigned cost,
		struct choice *choice)
{
	if (host->address < site->address + site->length
			&& site->address < host->address + host->length)
		return;
	for (unsigned at = JUMP_LENGTH; at + JUMP_LENGTH <= host->length; at++) {
		const uint32_t springboard = host->address + at;
		if (!springboard_suits(site, springboard) || plan_text_insn(&plan->text, springboard)
				|| !short_traps(plan, site, springboard)
				|| !springboard_is_free(springboards, springboard))
			continue;
		const unsigned all = cost + springboard_cost(plan, springboard);
		if (all < choice->cost)
			*choice = (struct choice){ all, *site, *host, grown, springboard };
	}
}

/* ---------------------------------------------------------------- hosts */

/* Takes in one more instruction. False: it cannot. */
static bool host_grow(const struct plan *plan, struct patch *host)
{
	const struct insn *last = plan_text_insn(&plan->text, host->address);
	for (unsigned i = 1; i < host->count; i++)
		last = plan_next(plan, last);
	const struct insn *next = plan_next(plan, last);
	if (last->flags & INSN_ENDS || insn_calls(last) || !next
			|| host->address + host->length != next->address || host->count == PATCH_INSNS_MAX
			|| host->length + next->length > HOST_MAX || insn_calls(next)
			|| !insn_fits(plan, next, true))
		return false;
	host->length += next->length;
	host->count++;
	return true;
}

static void patch_try(const struct plan *plan, const struct springboards *springboards,
		const struct patch *site, struct patch *patch, struct choice *choice)
{
	struct patch host = *patch;
	if (patch->length < JUMP_LENGTH || patch->tactic >= MADT_TACTIC_NEAR
			|| plan_text_insn(&plan->text, patch->address)->hook)
		return;
	host_try(plan, springboards, site, &host, patch, COST_READY, choice);
	while (choice->cost > COST_GROWN && host_grow(plan, &host))
		host_try(plan, springboards, site, &host, patch, COST_GROWN, choice);
}

/* The first patch at an address or behind it. */
static size_t patch_behind(const struct plan *plan, uint32_t address)
{
	size_t low = 0;
	size_t high = plan->patch_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (plan->patches[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Patchs whose bytes are in reach. */
static void windows_try(struct plan *plan, struct springboards *springboards,
		const struct patch *site, struct choice *choice)
{
	const uint32_t low = site->address > SPRINGBOARD_REACH ? site->address - SPRINGBOARD_REACH : 0;
	for (size_t i = patch_behind(plan, low);
			i < plan->patch_count && plan->patches[i].address < site->address + SPRINGBOARD_REACH;
			i++)
		patch_try(plan, springboards, site, &plan->patches[i], choice);
	for (size_t i = springboards->host_count;
			i-- > 0 && springboards->hosts[i].address + 3 * SPRINGBOARD_REACH > site->address;)
		patch_try(plan, springboards, site, &springboards->hosts[i], choice);
}

/* Instructions in a row that no patch has. */
static void new_try(const struct plan *plan, const struct springboards *springboards,
		const struct patch *site, const struct insn *first, struct choice *choice)
{
	struct patch host;
	if (!patch_grow(plan, first, first, HOST_MIN, false, &host) || host.count > PATCH_INSNS_MAX / 2)
		return;
	host_try(plan, springboards, site, &host, NULL, COST_NEW, choice);
	while (choice->cost > COST_NEW && host_grow(plan, &host))
		host_try(plan, springboards, site, &host, NULL, COST_NEW, choice);
}

static void new_hosts_try(const struct plan *plan, const struct springboards *springboards,
		const struct patch *site, struct choice *choice)
{
	const uint32_t low = site->address > SPRINGBOARD_REACH ? site->address - SPRINGBOARD_REACH : 0;
	for (uint32_t at = low; at < site->address + SPRINGBOARD_REACH && choice->cost > COST_NEW;
			at++) {
		const struct insn *insn = plan_text_insn(&plan->text, at);
		if (insn)
			new_try(plan, springboards, site, insn, choice);
	}
}

/* ---------------------------------------------------------------- a springboard for a patch */

bool springboard_find(struct plan *plan, struct springboards *springboards,
		const struct patch *patches, unsigned count, struct choice *choice)
{
	choice->cost = COST_NONE;
	for (unsigned i = 0; i < count; i++)
		windows_try(plan, springboards, &patches[i], choice);
	for (unsigned i = 0; i < count && choice->cost > COST_NEW; i++)
		new_hosts_try(plan, springboards, &patches[i], choice);
	return choice->cost < COST_NONE;
}

bool springboards_reserve(struct springboards *springboards)
{
	return array_reserve(&springboards->found, &springboards->capacity, springboards->count,
				   sizeof *springboards->found)
			&& array_reserve(&springboards->hosts, &springboards->host_capacity,
					springboards->host_count + 1, sizeof *springboards->hosts);
}

void springboard_take(struct plan *plan, struct springboards *springboards,
		const struct choice *choice, struct patch *patch)
{
	if (choice->grown)
		*choice->grown = choice->host;
	else
		springboards->hosts[springboards->host_count++] = choice->host;
	patch_mark(plan, &choice->host);
	*patch = choice->site;
	patch->tactic = MADT_TACTIC_NEAR;
	patch->springboard = (int16_t)(choice->springboard - patch->address);
	patch_mark(plan, patch);
	const size_t at = springboard_behind(springboards, choice->springboard);
	memmove(springboards->found + at + 1, springboards->found + at,
			(springboards->count - at) * sizeof *springboards->found);
	springboards->found[at] = choice->springboard;
	springboards->count++;
}
