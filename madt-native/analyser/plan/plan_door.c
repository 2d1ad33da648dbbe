/*
 * Sites that have no room for a jump of five bytes: a short one of two leads to a door. That is a
 * second jump in the window of other sites nearby, where nothing stands behind the window's own
 * jump:
 *
 *   site   eb rel8 cc …                          two bytes or more
 *   host   e9 rel32 cc cc cc [e9 rel32] cc …     the door begins where no instruction does
 *
 * A host is a window that has the room, or one that takes in what is behind it until it has, or a
 * new one without sites. Instruction starts within the door's jump trap, as those within a
 * window's. A near window of two instructions of one byte each needs a rel8 that traps.
 */
#include "plan/plan_door.h"

#include <string.h>

#define JUMP_LENGTH 5
#define SHORT_LENGTH DOOR_SHORT
#define HOST_MIN (2 * JUMP_LENGTH)
#define HOST_MAX 30 /* bytes */

/* What a host costs, beyond the bytes of its door that must trap. */
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
static bool door_suits(const struct window *site, uint32_t door)
{
	const int64_t relative = (int64_t)door - (site->address + SHORT_LENGTH);
	return relative == (int8_t)relative && page_of(door) == page_of(door + JUMP_LENGTH - 1)
			&& page_of(door) == page_of(site->address)
			&& page_of(door) == page_of(site->address + SHORT_LENGTH - 1);
}

static bool short_traps(const struct plan *plan, const struct window *site, uint32_t door)
{
	const uint32_t behind = site->address + SHORT_LENGTH;
	return !(plan_text_insn(&plan->text, behind - 1) && site->count > 1)
			|| plan_byte_traps((uint8_t)(door - behind));
}

/* The first that is at an address or behind it; `count` if none is. */
static size_t door_behind(const struct doors *doors, uint32_t address)
{
	size_t low = 0;
	size_t high = doors->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (doors->found[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool door_is_free(const struct doors *doors, uint32_t door)
{
	const size_t behind = door_behind(doors, door + 1 > JUMP_LENGTH ? door + 1 - JUMP_LENGTH : 0);
	return behind == doors->count || doors->found[behind] >= door + JUMP_LENGTH;
}

/* Of the bytes behind the first one, those that an instruction starts at. */
static unsigned door_cost(const struct plan *plan, uint32_t door)
{
	unsigned cost = 0;
	for (unsigned i = 1; i < JUMP_LENGTH; i++)
		if (plan_text_insn(&plan->text, door + i))
			cost += i < JUMP_LENGTH - 1 ? 1 : COST_TOP;
	return cost;
}

/* Takes the best door in this host for the site, if it is better than what was found before. */
static void host_try(const struct plan *plan, const struct doors *doors, const struct window *site,
		const struct window *host, struct window *grown, unsigned cost, struct choice *choice)
{
	if (host->address < site->address + site->length
			&& site->address < host->address + host->length)
		return;
	for (unsigned at = JUMP_LENGTH; at + JUMP_LENGTH <= host->length; at++) {
		const uint32_t door = host->address + at;
		if (!door_suits(site, door) || plan_text_insn(&plan->text, door)
				|| !short_traps(plan, site, door) || !door_is_free(doors, door))
			continue;
		const unsigned all = cost + door_cost(plan, door);
		if (all < choice->cost)
			*choice = (struct choice){ all, *site, *host, grown, door };
	}
}

/* ---------------------------------------------------------------- hosts */

/* Takes in one more instruction. False: it cannot. */
static bool host_grow(const struct plan *plan, struct window *host)
{
	const struct insn *last = plan_text_insn(&plan->text, host->address);
	for (unsigned i = 1; i < host->count; i++)
		last = plan_next(plan, last);
	const struct insn *next = plan_next(plan, last);
	if (last->flags & INSN_ENDS || insn_calls(last) || !next
			|| host->address + host->length != next->address || host->count == WINDOW_INSNS_MAX
			|| host->length + next->length > HOST_MAX || insn_calls(next)
			|| !insn_fits(plan, next, true))
		return false;
	host->length += next->length;
	host->count++;
	return true;
}

static void window_try(const struct plan *plan, const struct doors *doors,
		const struct window *site, struct window *window, struct choice *choice)
{
	struct window host = *window;
	if (window->length < JUMP_LENGTH || window->tactic >= MADT_TACTIC_NEAR
			|| plan_text_insn(&plan->text, window->address)->hook)
		return;
	host_try(plan, doors, site, &host, window, COST_READY, choice);
	while (choice->cost > COST_GROWN && host_grow(plan, &host))
		host_try(plan, doors, site, &host, window, COST_GROWN, choice);
}

/* The first window at an address or behind it. */
static size_t window_behind(const struct plan *plan, uint32_t address)
{
	size_t low = 0;
	size_t high = plan->window_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (plan->windows[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Windows whose bytes are in reach. */
static void windows_try(struct plan *plan, struct doors *doors, const struct window *site,
		struct choice *choice)
{
	const uint32_t low = site->address > DOOR_REACH ? site->address - DOOR_REACH : 0;
	for (size_t i = window_behind(plan, low);
			i < plan->window_count && plan->windows[i].address < site->address + DOOR_REACH; i++)
		window_try(plan, doors, site, &plan->windows[i], choice);
	for (size_t i = doors->host_count;
			i-- > 0 && doors->hosts[i].address + 3 * DOOR_REACH > site->address;)
		window_try(plan, doors, site, &doors->hosts[i], choice);
}

/* Instructions in a row that no window has. */
static void new_try(const struct plan *plan, const struct doors *doors, const struct window *site,
		const struct insn *first, struct choice *choice)
{
	struct window host;
	if (!window_grow(plan, first, first, HOST_MIN, false, &host)
			|| host.count > WINDOW_INSNS_MAX / 2)
		return;
	host_try(plan, doors, site, &host, NULL, COST_NEW, choice);
	while (choice->cost > COST_NEW && host_grow(plan, &host))
		host_try(plan, doors, site, &host, NULL, COST_NEW, choice);
}

static void new_hosts_try(const struct plan *plan, const struct doors *doors,
		const struct window *site, struct choice *choice)
{
	const uint32_t low = site->address > DOOR_REACH ? site->address - DOOR_REACH : 0;
	for (uint32_t at = low; at < site->address + DOOR_REACH && choice->cost > COST_NEW; at++) {
		const struct insn *insn = plan_text_insn(&plan->text, at);
		if (insn)
			new_try(plan, doors, site, insn, choice);
	}
}

/* ---------------------------------------------------------------- a door for a window */

bool door_find(struct plan *plan, struct doors *doors, const struct window *windows, unsigned count,
		struct choice *choice)
{
	choice->cost = COST_NONE;
	for (unsigned i = 0; i < count; i++)
		windows_try(plan, doors, &windows[i], choice);
	for (unsigned i = 0; i < count && choice->cost > COST_NEW; i++)
		new_hosts_try(plan, doors, &windows[i], choice);
	return choice->cost < COST_NONE;
}

bool doors_reserve(struct doors *doors)
{
	return array_reserve(&doors->found, &doors->capacity, doors->count, sizeof *doors->found)
			&& array_reserve(&doors->hosts, &doors->host_capacity, doors->host_count + 1,
					sizeof *doors->hosts);
}

void door_take(struct plan *plan, struct doors *doors, const struct choice *choice,
		struct window *window)
{
	if (choice->grown)
		*choice->grown = choice->host;
	else
		doors->hosts[doors->host_count++] = choice->host;
	window_mark(plan, &choice->host);
	*window = choice->site;
	window->tactic = MADT_TACTIC_NEAR;
	window->door = (int16_t)(choice->door - window->address);
	window_mark(plan, window);
	const size_t at = door_behind(doors, choice->door);
	memmove(doors->found + at + 1, doors->found + at, (doors->count - at) * sizeof *doors->found);
	doors->found[at] = choice->door;
	doors->count++;
}
