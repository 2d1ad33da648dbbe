/*
 * Splices libraries of the system, copies of their own, and calls into them: what is recorded is
 * what the code map says of every instruction that ran, the results are those of the library as it
 * is, and each boundary shows the state that the library as it is has there. A path names a module
 * of the checks' own.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "splice_watch.h"

#define MEMORY_SIZE (1u << 16)
#define STACK_SIZE (1u << 20)
#define ITEMS 97

/* What a call works on: arguments, and memory that the results go to. */
struct memory {
	uint8_t from[8192];
	uint8_t to[8192];
	uint64_t items[ITEMS];
	uint64_t length;
	char text[400];
};

struct call {
	const char *library;
	const char *function;
	void (*prepare)(struct splice_state *state);
};

static struct memory *memory;
static uint8_t *stack;
static unsigned failures, calls;
static unsigned long compared;

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9 };

static int items_compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a;
	uint64_t right = *(const uint64_t *)b;
	return (left > right) - (left < right);
}

static void argument_set(struct splice_state *state, unsigned number, const void *value)
{
	state->general[number] = (uint64_t)value;
}

static void real_set(struct splice_state *state, unsigned number, double value)
{
	memcpy(state->fx + 160 + 16 * number, &value, sizeof value);
}

static void sort_prepare(struct splice_state *state)
{
	argument_set(state, RDI, memory->items);
	state->general[RSI] = ITEMS;
	state->general[RDX] = sizeof *memory->items;
	argument_set(state, RCX, (const void *)items_compare);
}

static void checksum_prepare(struct splice_state *state)
{
	state->general[RDI] = 1;
	argument_set(state, RSI, memory->from);
	state->general[RDX] = 1001;
}

static void compress_prepare(struct splice_state *state)
{
	memory->length = sizeof memory->to;
	argument_set(state, RDI, memory->to);
	argument_set(state, RSI, &memory->length);
	argument_set(state, RDX, memory->from);
	state->general[RCX] = 307;
	state->general[R8] = 6;
}

/* (destination, &length, source, source length, block size, verbosity, work factor) */
static void block_sort_prepare(struct splice_state *state)
{
	memory->length = sizeof memory->to;
	argument_set(state, RDI, memory->to);
	argument_set(state, RSI, &memory->length);
	argument_set(state, RDX, memory->from);
	state->general[RCX] = 501;
	state->general[R8] = 1;
	state->general[R9] = 0;
}

static void real_prepare(struct splice_state *state)
{
	real_set(state, 0, 1.7320508);
	real_set(state, 1, 2.5);
}

static void text_prepare(struct splice_state *state)
{
	strcpy(memory->text, "  -12345.6789e3 and more");
	argument_set(state, RDI, memory->text);
	argument_set(state, RSI, &memory->length);
	state->general[RDX] = 10;
}

static void search_prepare(struct splice_state *state)
{
	strcpy(memory->text, "a needle in a haystack of needles");
	strcpy(memory->text + 100, "needles");
	argument_set(state, RDI, memory->text);
	argument_set(state, RSI, memory->text + 100);
	state->general[RDX] = 20;
}

static void print_prepare(struct splice_state *state)
{
	strcpy(memory->text, "%d %s %.5g %#lx %c");
	strcpy(memory->text + 100, "text");
	argument_set(state, RDI, memory->to);
	state->general[RSI] = sizeof memory->to;
	argument_set(state, RDX, memory->text);
	state->general[RCX] = 1999993;
	argument_set(state, R8, memory->text + 100);
	state->general[R9] = 0xfeed;
	state->general[RAX] = 1;
	real_set(state, 0, -271.828);
}

static void copy_prepare(struct splice_state *state)
{
	argument_set(state, RDI, memory->to);
	argument_set(state, RSI, memory->from);
	state->general[RDX] = 1237;
}

static void throw_prepare(struct splice_state *state)
{
	argument_set(state, RDI, memory->items);
	argument_set(state, RSI, memory->to);
}

static const struct call list[] = {
	{ "splice_throw.so", "throw_and_catch", throw_prepare },
	{ "libz.so.1", "crc32", checksum_prepare },
	{ "libz.so.1", "adler32", checksum_prepare },
	{ "libz.so.1", "compress2", compress_prepare },
	{ "libbz2.so.1.0", "BZ2_bzBuffToBuffCompress", block_sort_prepare },
	{ "libm.so.6", "sin", real_prepare },
	{ "libm.so.6", "pow", real_prepare },
	{ "libm.so.6", "tgamma", real_prepare },
	{ "libm.so.6", "j0", real_prepare },
	{ "libc.so.6", "qsort", sort_prepare },
	{ "libc.so.6", "strtod", text_prepare },
	{ "libc.so.6", "strtol", text_prepare },
	{ "libc.so.6", "strlen", text_prepare },
	{ "libc.so.6", "strstr", search_prepare },
	{ "libc.so.6", "strncmp", search_prepare },
	{ "libc.so.6", "strspn", search_prepare },
	{ "libc.so.6", "snprintf", print_prepare },
	{ "libc.so.6", "memcpy", copy_prepare },
	{ "libc.so.6", "memmove", copy_prepare },
	{ "libc.so.6", "memcmp", copy_prepare },
	{ "libc.so.6", "memset", copy_prepare },
};

/* ---------------------------------------------------------------- calling */

static void memory_fill(void)
{
	uint64_t value = 1999993;
	memset(memory, 0, sizeof *memory);
	for (size_t i = 0; i < sizeof memory->from; i++) {
		value = value * UINT64_C(6364136223846793005) + 1442695040888963407u;
		memory->from[i] = (uint8_t)("etaoin shrdlu"[(value >> 40) % 13]);
		memory->items[i % ITEMS] = value >> 11;
	}
	memset(stack, 0, STACK_SIZE);
}

static bool function_call(enum watch watch, struct spliced *spliced, const struct call *call,
		const void *function, struct splice_state *state)
{
	memory_fill();
	memset(state, 0, sizeof *state);
	state->flags = 0x202;
	memcpy(state->fx, "\x7f\x03", 2);
	memcpy(state->fx + 24, "\x80\x1f\0\0\xff\xff", 6);
	call->prepare(state);
	splice_patch(spliced, watch != WATCH_ORIGINAL);
	splice_forget();
	bool good = watch_call(watch, state, function, stack + STACK_SIZE - 64);
	splice_drain();
	splice_patch(spliced, false);
	calls++;
	return good;
}

static bool accesses_equal(const char *name)
{
	size_t count = expected.count < recorded.count ? expected.count : recorded.count;
	for (size_t i = 0; i < count; i++)
		if (memcmp(&expected.items[i], &recorded.items[i], sizeof expected.items[i]) != 0) {
			fprintf(stderr, "%s: access %zu: 0x%lx at module + 0x%x, recorded 0x%lx at 0x%x\n",
					name, i, expected.items[i].address, expected.items[i].code,
					recorded.items[i].address, recorded.items[i].code);
			return false;
		}
	if (expected.count != recorded.count)
		fprintf(stderr, "%s: %zu accesses recorded, not %zu\n", name, recorded.count,
				expected.count);
	compared += count;
	return expected.count == recorded.count;
}

static bool results_equal(const char *name, const struct splice_state *one,
		const struct memory *before, const struct splice_state *other)
{
	static const unsigned kept[] = { RAX, RBX, RSP, RBP, 12, 13, 14, 15 };
	const uint8_t *wanted = (const void *)before, *got = (const void *)memory;
	bool equal = true;
	for (size_t i = 0; i < sizeof *memory && equal; i++)
		if (wanted[i] != got[i]) {
			fprintf(stderr, "%s: byte %zu of the memory is 0x%02x, not 0x%02x\n", name, i, got[i],
					wanted[i]);
			equal = false;
		}
	if (memcmp(one->fx + 160, other->fx + 160, 16) != 0) {
		fprintf(stderr, "%s: xmm0 differs\n", name);
		equal = false;
	}
	for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
		if (one->general[kept[i]] != other->general[kept[i]]) {
			fprintf(stderr, "%s: register %u ends as 0x%lx, not 0x%lx\n", name, kept[i],
					other->general[kept[i]], one->general[kept[i]]);
			equal = false;
		}
	return equal;
}

/*
 * Called some times before, so that lazy binding is over and malloc gives the same blocks each
 * time.
 */
static void call_check(struct spliced *spliced, const struct call *call, const void *function)
{
	static struct memory after;
	static struct splice_state wanted, got;
	for (unsigned i = 0; i < 4; i++)
		function_call(WATCH_NOTHING, spliced, call, function, &wanted);
	bool good = function_call(WATCH_ORIGINAL, spliced, call, function, &wanted);
	after = *memory;
	good &= function_call(WATCH_NOTHING, spliced, call, function, &got);
	good &= results_equal(call->function, &wanted, &after, &got) && accesses_equal(call->function);
	good &= function_call(WATCH_SPLICED, spliced, call, function, &got);
	good &= results_equal(call->function, &wanted, &after, &got) && accesses_equal(call->function);
	if (!good)
		fprintf(stderr, "%s: fails, called at module + 0x%tx\n", call->function,
				(const uint8_t *)function - spliced->base);
	failures += !good;
}

static void library_check(const char *name, const char *plan_path)
{
	void *library = dlmopen(LM_ID_NEWLM, name, RTLD_NOW);
	struct link_map *link;
	Dl_info place;
	if (!library || dlinfo(library, RTLD_DI_LINKMAP, &link) != 0 || !dladdr(link->l_ld, &place)) {
		fprintf(stderr, "%s: %s\n", name, dlerror());
		failures++;
		return;
	}
	struct map_file map = map_file_make(link->l_name, plan_path);
	struct spliced *spliced = splice_load(link->l_name, plan_path, MADT_PLAN_BELOW, 0,
			place.dli_fbase);
	watch_set_up(spliced, &map);
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (strcmp(list[i].library, basename(name)) == 0)
			call_check(spliced, &list[i], dlsym(library, list[i].function));
	splice_unload(spliced);
	free(map.header);
}

int main(int count, char **arguments)
{
	if (count < 3)
		return 2;
	memory = mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 2; i < count; i++)
		library_check(arguments[i], arguments[1]);
	printf("check_libraries: %u calls; %lu accesses, %lu boundaries, %lu traps, %lu guard pages "
		   "met; %u failed\n",
			calls, compared, watched_boundaries, traps, guard_hits, failures);
	return failures != 0;
}
