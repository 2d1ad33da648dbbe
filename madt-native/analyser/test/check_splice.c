/*
 * Runs splice_cases.S as it is and spliced, with registers, flags and memory at random, and
 * compares:
 *  - what is recorded with what the code map says of each instruction that ran, word for word and
 *    in order;
 *  - every register, the flags, the xmm registers, the arena, the stack behind the call;
 *  - under the trap flag, the state at every boundary with the state before that instruction in the
 *    module as it is;
 *  - the same from every instruction within a patch, as if control had come there from elsewhere.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "plan_arrays.h"
#include "splice_world.h"

#define FSGSBASE 2 /* of AT_HWCAP2 */

static struct spliced *spliced;
static unsigned long strays;
static unsigned failures;

/* ---------------------------------------------------------------- cases */

/* How often each case is called, from other numbers each time. */
static uint64_t rounds;

static bool function_holds(const char *name, const void *function, uint64_t seed)
{
	static struct world before, wanted, got;
	world_make(&before, seed);
	bool good = world_watch(WATCH_ORIGINAL, &before, &wanted, function);
	good &= world_watch(WATCH_NOTHING, &before, &got, function);
	good &= accesses_equal(name) && worlds_equal(&wanted, &got, name);
	good &= world_watch(WATCH_SPLICED, &before, &got, function);
	good &= accesses_equal(name) && worlds_equal(&wanted, &got, name);
	world_enter(&before);
	if (!good)
		fprintf(stderr, "%s: fails with seed %lu, from module + 0x%tx\n", name, seed,
				(const uint8_t *)function - spliced->base);
	return good;
}

/* Code that keeps something on its stack cannot be entered in its midst. */
static bool may_be_entered(const struct case_ *item)
{
	static const char *const others[] = { "pushes", "frames", "calls", "chases", "thread_local",
		"thread_relative", "jumps", "floats", "states", "wide_exchanges", "switches", "translation",
		"loop_head_in_window", "evex", "vex", "derives_pushed", "overlap_own", "overlap_calls",
		"overlap_prefixes" };
	if (strncmp(item->name, "overlap_addresses", 17) == 0
			|| strncmp(item->name, "overlap_distances", 17) == 0)
		return false; /* what leads to the table has no other way to go */
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(item->name, others[i]) == 0)
			return false;
	return true;
}

static void strays_check(const struct case_ *item)
{
	const struct madt_plan_entry *entries = spliced->entries;
	for (uint32_t i = 0; i < spliced->plan->entries.count; i++) {
		const uint8_t *at = spliced->base + entries[i].address;
		if (at <= item->start || at >= item->end)
			continue;
		strays++;
		failures += !function_holds(item->name, at, 77 + i);
	}
}

/*
 * A pointer may be newer than the header of its record: "chases" follows pointers, and only what
 * does not depend on a load since the record's begin may join it. A word count for each site, in
 * order, of the record that begins there.
 */
static void templates_check(const struct case_ *item)
{
	static const uint32_t wanted[] = { 1, 1, 1, 1, 1, 2, 1, 1 };
	size_t count = 0;
	for (const uint8_t *at = item->start; at < item->end; at++) {
		struct madt_plan_templates templates = plan_templates(spliced->plan);
		while (madt_plan_templates_next(&templates)) {
			if (madt_plan_template_is_whole(templates.bytes[templates.next - 1])
					|| spliced->base + templates.word->address != at)
				continue;
			if (count >= sizeof wanted / sizeof *wanted || wanted[count++] != templates.now.words) {
				fprintf(stderr, "%s: the record at module + 0x%tx has %u words\n", item->name,
						at - spliced->base, templates.now.words);
				failures++;
			}
		}
	}
}

/*
 * So many words of the records that begin in the case "derives" follow from others: not its 32768.
 */
static void derived_check(const struct case_ *item)
{
	struct madt_plan_templates templates = plan_templates(spliced->plan);
	unsigned derived = 0, most = 0;
	while (madt_plan_templates_next(&templates)) {
		const uint8_t *at = spliced->base + templates.word->address;
		derived = templates.now.words - templates.now.stored;
		if (at == item->start && derived > most)
			most = derived;
	}
	if (most == 5)
		return;
	fprintf(stderr, "%s: %u words are derived\n", item->name, most);
	failures++;
}

static void case_check(const struct case_ *item)
{
	if (!processor_has(item->needs)) {
		printf("check_splice: %s is left out: the processor has no %s\n", item->name, item->needs);
		return;
	}
	for (uint64_t seed = 1; seed <= rounds; seed++)
		failures += !function_holds(item->name, item->start, seed);
	if (strcmp(item->name, "chases") == 0 && !(spliced->plan->flags & MADT_PLAN_STACK))
		templates_check(item);
	if (strcmp(item->name, "derives") == 0)
		derived_check(item);
	if (may_be_entered(item))
		strays_check(item);
}

static void variant_check(const char *path, const char *plan_path, unsigned variant, unsigned flags)
{
	const struct cases cases = world_load(path);
	struct map_file map = map_file_make(path, plan_path);
	spliced = splice_load(path, plan_path, variant, flags, cases.start);
	world_of(spliced);
	watch_set_up(spliced, &map);
	for (const struct case_ *item = cases.first; item < cases.end; item++)
		case_check(item);
	splice_unload(spliced);
	free(map.header);
}

/* Tries what reads the base of FS; where programs may use rdfsbase, both ways in many rounds. */
static void storage_check(const char *path, const char *plan_path)
{
	const unsigned flags = MADT_PLAN_STACK | MADT_PLAN_TLS;
	const bool reads = getauxval(AT_HWCAP2) & FSGSBASE;
	if (reads)
		variant_check(path, plan_path, MADT_PLAN_BELOW, flags);
	if (!reads || rounds > 1)
		variant_check(path, plan_path, MADT_PLAN_BELOW, flags | MADT_PLAN_KEPT);
}

int main(int count, char **arguments)
{
	if (count != 5)
		return 2;
	rounds = strtoul(arguments[4], NULL, 10);
	world_set_up();
	variant_check(arguments[1], arguments[3], MADT_PLAN_BELOW, 0);
	/* what is recorded with the stack is part of what is recorded with threads' storage as well */
	if (rounds > 1)
		variant_check(arguments[1], arguments[3], MADT_PLAN_BELOW, MADT_PLAN_STACK);
	storage_check(arguments[1], arguments[3]);
	variant_check(arguments[1], arguments[3], MADT_PLAN_FAR, 0);
	/* linked to lie where programs at fixed addresses do */
	variant_check(arguments[2], arguments[3], MADT_PLAN_ABOVE, 0);
	variant_check(arguments[2], arguments[3], MADT_PLAN_FAR, 0);
	printf("check_splice: %lu calls, %lu of them into patches; %lu accesses, %lu boundaries, %lu "
		   "steps with open flags, %lu traps, %lu guard pages met; "
		   "%u failed\n",
			world_calls, strays * 3, world_compared, watched_boundaries, watched_open, traps,
			guard_hits, failures);
	return failures != 0;
}
