/*
 * Runs splice_cases.S as it is and spliced, with registers, flags and memory at random, and
 * compares:
 *  - what is recorded with what the code map says of each instruction that ran, word for word and
 *    in order;
 *  - every register, the flags, the xmm registers, the arena, the stack behind the call;
 *  - under the trap flag, the state at every boundary with the state before that instruction in the
 *    module as it is;
 *  - the same from every instruction within a window, as if control had come there from elsewhere.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "plan_arrays.h"
#include "splice_watch.h"

/* where neither the heap nor an area of the low copy may lie */
#define ARENA UINT64_C(0x60000000)
#define ARENA_SIZE (1u << 20)
#define STACK_SIZE (1u << 16)
#define ROUNDS 5
#define DATA_BYTES 64

struct case_ {
	const uint8_t *start, *end;
	const char *name, *needs;
};

/* Everything that a function may change. */
struct world {
	struct splice_state state;
	uint8_t arena[ARENA_SIZE];
	uint8_t stack[STACK_SIZE];
	uint8_t data[DATA_BYTES];
};

static struct spliced *spliced;
static uint8_t *stack;
static uint8_t *data;
static uint64_t random_state;
static unsigned long calls, strays, compared;
static unsigned failures;

static uint64_t random_next(void)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return random_state >> 21;
}

static uint64_t arena_pointer(void)
{
	return ARENA + (ARENA_SIZE >> 2) + random_next() % (ARENA_SIZE >> 1) / 8 * 8;
}

static void pointers_fill(uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i += 8) {
		uint64_t pointer = arena_pointer();
		memcpy(bytes + i, &pointer, 8);
	}
}

static void world_make(struct world *world, uint64_t seed)
{
	static const uint8_t fx_start[] = { 0x7f, 0x03 };
	random_state = seed;
	memset(&world->state, 0, sizeof world->state);
	for (unsigned i = 0; i < 16; i++)
		world->state.general[i] = arena_pointer();
	world->state.general[1] = random_next() % 8;
	world->state.general[2] = random_next() % 8;
	world->state.flags = (random_next() & 0x8d5) | 0x202;
	memcpy(world->state.fx, fx_start, sizeof fx_start);
	memcpy(world->state.fx + 24, "\x80\x1f\0\0\xff\xff", 6); /* MXCSR and its mask */
	for (size_t i = 160; i < 416; i++)
		world->state.fx[i] = (uint8_t)random_next();
	pointers_fill(world->arena, ARENA_SIZE);
	pointers_fill(world->stack, STACK_SIZE);
}

static void world_enter(const struct world *world)
{
	memcpy((void *)ARENA, world->arena, ARENA_SIZE);
	memcpy(stack, world->stack, STACK_SIZE);
	memcpy(data, world->data, DATA_BYTES);
}

static void world_leave(struct world *world)
{
	memcpy(world->arena, (void *)ARENA, ARENA_SIZE);
	memcpy(world->stack, stack, STACK_SIZE);
	memcpy(world->data, data, DATA_BYTES);
}

static bool watch_world(enum watch watch, const struct world *before, struct world *after,
		const void *function)
{
	after->state = before->state;
	splice_patch(spliced, watch != WATCH_ORIGINAL);
	world_enter(before);
	splice_forget();
	bool good = watch_call(watch, &after->state, function, stack + STACK_SIZE - 4096);
	splice_drain();
	world_leave(after);
	calls++;
	return good;
}

/* ---------------------------------------------------------------- comparing */

static bool bytes_equal(const char *name, const char *what, const uint8_t *one,
		const uint8_t *other, size_t size)
{
	size_t differ = 0, first = 0;
	for (size_t i = size; i-- > 0;)
		if (one[i] != other[i]) {
			first = i;
			differ++;
		}
	if (differ)
		fprintf(stderr, "%s: %zu bytes of %s differ, the first at %zu: 0x%02x, not 0x%02x\n", name,
				differ, what, first, other[first], one[first]);
	return !differ;
}

static bool worlds_equal(const struct world *one, const struct world *other, const char *name)
{
	bool equal = true;
	for (unsigned i = 0; i < 16; i++)
		if (one->state.general[i] != other->state.general[i]) {
			fprintf(stderr, "%s: register %u ends as 0x%lx, not 0x%lx\n", name, i,
					other->state.general[i], one->state.general[i]);
			equal = false;
		}
	if (!watch_flags_equal(one->state.flags, other->state.flags)) {
		fprintf(stderr, "%s: the flags end as 0x%lx, not 0x%lx\n", name, other->state.flags,
				one->state.flags);
		equal = false;
	}
	equal &= bytes_equal(name, "the floating-point and vector state", one->state.fx + 160,
			other->state.fx + 160, 256);
	equal &= bytes_equal(name, "the arena", one->arena, other->arena, ARENA_SIZE);
	equal &= bytes_equal(name, "the module's data", one->data, other->data, DATA_BYTES);
	equal &= bytes_equal(name, "the stack behind the call", one->stack + STACK_SIZE - 4096,
			other->stack + STACK_SIZE - 4096, 4096);
	return equal;
}

static void access_print(const char *what, const struct access *access)
{
	fprintf(stderr, "  %s %c%u 0x%lx at module + 0x%x\n", what, " LSM"[access->access],
			access -> size, access -> address, access -> code);
}

static bool accesses_equal(const char *name)
{
	size_t count = expected.count < recorded.count ? expected.count : recorded.count;
	compared += expected.count;
	for (size_t i = 0; i < count; i++) {
		const struct access *wanted = &expected.items[i];
		const struct access *got = &recorded.items[i];
		if (wanted->address == got->address && wanted->code == got->code
				&& wanted->size == got->size && wanted->access == got->access
				&& wanted->operand == got->operand)
			continue;
		fprintf(stderr, "%s: access %zu differs\n", name, i);
		access_print("expected", wanted);
		access_print("recorded", got);
		return false;
	}
	if (expected.count != recorded.count)
		fprintf(stderr, "%s: %zu accesses recorded, not %zu\n", name, recorded.count,
				expected.count);
	return expected.count == recorded.count;
}

/* ---------------------------------------------------------------- cases */

static bool function_holds(const char *name, const void *function, uint64_t seed)
{
	static struct world before, wanted, got;
	world_make(&before, seed);
	memcpy(before.data, data, DATA_BYTES);
	bool good = watch_world(WATCH_ORIGINAL, &before, &wanted, function);
	good &= watch_world(WATCH_NOTHING, &before, &got, function);
	good &= accesses_equal(name) && worlds_equal(&wanted, &got, name);
	good &= watch_world(WATCH_SPLICED, &before, &got, function);
	good &= accesses_equal(name) && worlds_equal(&wanted, &got, name);
	world_enter(&before);
	if (!good)
		fprintf(stderr, "%s: fails with seed %lu, from module + 0x%tx\n", name, seed,
				(const uint8_t *)function - spliced->base);
	return good;
}

/* What a case needs beyond the first x86-64. */
static bool processor_has(const char *feature)
{
	__builtin_cpu_init();
	return !*feature || (strcmp(feature, "avx2") == 0 && __builtin_cpu_supports("avx2"))
			|| (strcmp(feature, "bmi2") == 0 && __builtin_cpu_supports("bmi")
					&& __builtin_cpu_supports("bmi2"))
			|| (strcmp(feature, "movbe") == 0 && __builtin_cpu_supports("movbe"))
			|| (strcmp(feature, "osxsave") == 0 && __builtin_cpu_supports("osxsave"))
			|| (strcmp(feature, "avx512") == 0 && __builtin_cpu_supports("avx512f")
					&& __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"));
}

/* Code that keeps something on its stack cannot be entered in its midst. */
static bool may_be_entered(const struct case_ *item)
{
	static const char *const others[] = { "pushes", "frames", "calls", "chases", "thread_local",
		"jumps", "floats", "states", "wide_exchanges", "switches", "translation",
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
 * A pointer may be newer than the header of its run: "chases" follows pointers, and only what does
 * not depend on a load since the run's begin may join it. A word count for each site, in order, of
 * the run that begins there.
 */
static void runs_check(const struct case_ *item)
{
	static const uint32_t wanted[] = { 1, 1, 1, 1, 1, 2, 1, 1 };
	size_t count = 0;
	for (const uint8_t *at = item->start; at < item->end; at++) {
		struct madt_plan_runs runs = plan_runs(spliced->plan);
		while (madt_plan_runs_next(&runs)) {
			if (madt_plan_run_is_whole(runs.bytes[runs.next - 1])
					|| spliced->base + runs.word->address != at)
				continue;
			if (count >= sizeof wanted / sizeof *wanted || wanted[count++] != runs.run.words) {
				fprintf(stderr, "%s: the run at module + 0x%tx has %u words\n", item->name,
						at - spliced->base, runs.run.words);
				failures++;
			}
		}
	}
}

/* So many words of the runs that begin in the case "derives" follow from others: not its 32768. */
static void derived_check(const struct case_ *item)
{
	struct madt_plan_runs runs = plan_runs(spliced->plan);
	unsigned derived = 0, most = 0;
	while (madt_plan_runs_next(&runs)) {
		const uint8_t *at = spliced->base + runs.word->address;
		derived = runs.run.words - runs.run.stored;
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
	for (uint64_t seed = 1; seed <= ROUNDS; seed++)
		failures += !function_holds(item->name, item->start, seed);
	if (strcmp(item->name, "chases") == 0 && !(spliced->plan->flags & MADT_PLAN_STACK))
		runs_check(item);
	if (strcmp(item->name, "derives") == 0)
		derived_check(item);
	if (may_be_entered(item))
		strays_check(item);
}

static void variant_check(const char *path, const char *plan_path, unsigned variant, unsigned flags)
{
	void *library = dlopen(path, RTLD_NOW);
	const struct case_ *first = library ? dlsym(library, "splice_cases") : NULL;
	const struct case_ *end = library ? dlsym(library, "splice_cases_end") : NULL;
	Dl_info place;
	if (!first || !end || !dladdr(first, &place)) {
		fprintf(stderr, "%s: no cases: %s\n", path, dlerror());
		exit(1);
	}
	struct map_file map = map_file_make(path, plan_path);
	spliced = splice_load(path, plan_path, variant, flags, place.dli_fbase);
	data = dlsym(library, "shared");
	watch_set_up(spliced, &map);
	for (const struct case_ *item = first; item < end; item++)
		case_check(item);
	splice_unload(spliced);
	free(map.header);
}

int main(int count, char **arguments)
{
	if (count != 4)
		return 2;
	if (mmap((void *)ARENA, ARENA_SIZE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)
			== MAP_FAILED) {
		perror("arena");
		return 1;
	}
	stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	variant_check(arguments[1], arguments[3], MADT_PLAN_BELOW, 0);
	variant_check(arguments[1], arguments[3], MADT_PLAN_BELOW, MADT_PLAN_STACK);
	variant_check(arguments[1], arguments[3], MADT_PLAN_FAR, 0);
	/* linked to lie where programs at fixed addresses do */
	variant_check(arguments[2], arguments[3], MADT_PLAN_ABOVE, 0);
	printf("check_splice: %lu calls, %lu of them into windows; %lu accesses, %lu boundaries, %lu "
		   "steps with open flags, %lu traps, %lu guard pages met; "
		   "%u failed\n",
			calls, strays * 3, compared, watched_boundaries, watched_open, traps, guard_hits,
			failures);
	return failures != 0;
}
