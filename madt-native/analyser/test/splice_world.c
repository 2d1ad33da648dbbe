#include "splice_world.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

unsigned long world_calls, world_compared;

static struct spliced *spliced;
static uint8_t *stack;
static uint8_t *data;
static uint64_t random_state;

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

void world_make(struct world *world, uint64_t seed)
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
	memcpy(world->data, data, DATA_BYTES);
}

void world_enter(const struct world *world)
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

bool world_watch(enum watch watch, const struct world *before, struct world *after,
		const void *function)
{
	after->state = before->state;
	splice_patch(spliced, watch != WATCH_ORIGINAL);
	world_enter(before);
	splice_forget();
	bool good = watch_call(watch, &after->state, function, stack + STACK_SIZE - 4096);
	splice_drain();
	world_leave(after);
	world_calls++;
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

bool worlds_equal(const struct world *one, const struct world *other, const char *name)
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

bool accesses_equal(const char *name)
{
	size_t count = expected.count < recorded.count ? expected.count : recorded.count;
	world_compared += expected.count;
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

/* Returns whether the processor has what a case needs beyond the first x86-64. */
bool processor_has(const char *feature)
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

struct cases world_load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	struct cases cases = { library ? dlsym(library, "splice_cases") : NULL,
		library ? dlsym(library, "splice_cases_end") : NULL, NULL };
	Dl_info place;
	if (!cases.first || !cases.end || !dladdr(cases.first, &place)) {
		fprintf(stderr, "%s: no cases: %s\n", path, dlerror());
		exit(1);
	}
	data = dlsym(library, "shared");
	cases.start = place.dli_fbase;
	return cases;
}

void world_of(struct spliced *module)
{
	spliced = module;
}

void world_set_up(void)
{
	if (mmap((void *)ARENA, ARENA_SIZE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)
			== MAP_FAILED) {
		perror("arena");
		exit(1);
	}
	stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
