/*
 * Runs splice_cases.S with probes at every block and every instruction of all cases, in front of
 * them and behind them, and compares their words, one by one and in order, with what the trap flag
 * shows of the module as it is: registers, and memory as the kernel reads it (all ones where it
 * cannot). Accesses are recorded as without probes, and what the cases leave is the same.
 *
 * Which instructions begin and end blocks is what the plan takes for that:
 * check_blocks.c decides it anew.
 */
#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "guard_model.h"
#include "madtcode.h"
#include "plan_arrays.h"
#include "splice_world.h"

#define PROBES_MAX 16
#define TEXT_MAX (1u << 20)
#define ANYTHING UINT64_C(0x5a5a5a5a5a5a5a5a)

enum { COUNT_FIRST = 5, COUNT_SECOND = SPLICE_COUNTS - 1, GUARDED = 24 };

/* The payloads by where they stand in `words`; a time, if any, first. Guards are put in front. */
static struct madtcode_word words[] = {
	{ .kind = MADT_PAYLOAD_TIME },
	{ .kind = MADT_PAYLOAD_VALUE, .place = 0 },
	{ .kind = MADT_PAYLOAD_MEMORY, .place = 7, .loads = 1, .displacement = { 8 } },
	{ .kind = MADT_PAYLOAD_MEMORY, .place = 0, .loads = 3, .displacement = { 0, 16, -8 } },
	{ .kind = MADT_PAYLOAD_COUNTER, .place = 3 },
	{ .kind = MADT_PAYLOAD_VALUE, .place = 2 },
	{ .kind = MADT_PAYLOAD_ADDRESS, .place = 12, .displacement = { -24 } },
	{ .kind = MADT_PAYLOAD_VALUE, .place = MADT_VALUE_STACK },
	{ .kind = MADT_PAYLOAD_MEMORY, .place = 4, .loads = 2, .displacement = { 0, 0 } },
	{ .kind = MADT_PAYLOAD_ANSWER, .place = MADT_CALL_STATE, .displacement = { 71 } },
	{ .kind = MADT_PAYLOAD_TEXT, .place = 7, .displacement = { 3 } },
	{ .kind = MADT_PAYLOAD_TEXT, .place = 7, .piece = 1, .displacement = { 3 } },
	{ .kind = MADT_PAYLOAD_VALUE, .place = MADT_VALUE_VECTOR },
	{ .kind = MADT_PAYLOAD_TEXT, .place = 0, .piece = 8, .displacement = { -(1 << 16) } },
	{ .kind = MADT_PAYLOAD_TEXT, .place = 13, .loads = 2, .displacement = { 0, 8, 5 } },
	{ .kind = MADT_PAYLOAD_VALUE, .place = 1 },
	{ .kind = MADT_PAYLOAD_MEMORY, .place = 7, .loads = 1, .piece = 1, .displacement = { 8 } },
	{ .kind = MADT_PAYLOAD_MEMORY, .place = 0, .loads = 2, .piece = 4, .displacement = { 0, 4 } },
	{ .kind = MADT_PAYLOAD_MEMORY, .place = 13, .loads = 1, .piece = 2 },
	{ .kind = MADT_PAYLOAD_COUNT, .displacement = { COUNT_FIRST } },
	{ .kind = MADT_PAYLOAD_COUNT, .displacement = { COUNT_SECOND } },
	[GUARDED] = { .kind = MADT_PAYLOAD_GUARD },
	[GUARDED + GUARD_ROOM] = { .kind = MADT_PAYLOAD_VALUE, .place = 1 },
	{ .kind = MADT_PAYLOAD_MEMORY, .place = 0, .loads = 1, .displacement = { 8 } },
	{ .kind = MADT_PAYLOAD_COUNT, .displacement = { COUNT_FIRST } },
	{ .kind = MADT_PAYLOAD_COUNT, .displacement = { COUNT_SECOND } },
};
enum { WORDS = sizeof words / sizeof *words };

struct choice {
	struct madtcode_choice head;
	struct madtcode_probe probes[PROBES_MAX];
	unsigned parts; /* of the text, one after the other: the areas of a small module are small */
};

/* What stands at an instruction: a bit for each probe of the choice. */
static uint8_t standing[TEXT_MAX];
static uint8_t lengths[TEXT_MAX];
static const struct choice *chosen;
static const struct spliced *now;
static struct accesses wanted;
static uint32_t last;
static uint64_t counter;
static unsigned failures;
/* How often each case is called, from other numbers each time. */
static uint64_t rounds;
static unsigned long compared, counted, guarded;
static uint64_t hits; /* of instruments that count */
static bool vague;    /* a guard depends on what is not known */

/* ---------------------------------------------------------------- what is expected */

static bool can_read(uint64_t address, size_t size)
{
	uint64_t value;
	const struct iovec here = { &value, size }, there = { (void *)address, size };
	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size;
}

static uint64_t short_read(uint64_t address, size_t size)
{
	uint64_t value = 0;
	const struct iovec here = { &value, size }, there = { (void *)address, size };
	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)size ? value : UINT64_MAX;
}

static uint64_t memory_read(uint64_t address)
{
	uint64_t value = UINT64_MAX;
	const struct iovec here = { &value, sizeof value }, there = { (void *)address, sizeof value };
	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == sizeof value ? value : UINT64_MAX;
}

/*
 * Returns whether it is the module's code, which has patches when the loads are made, or this
 * program's memory, which a wild pointer may lead to.
 */
static bool is_other(uint64_t address)
{
	extern const char __executable_start[], _end[];
	const uint64_t at = address - (uint64_t)now->base;
	return (at + 8 > now->first && at < now->end)
			|| (address + 8 > (uint64_t)__executable_start && address < (uint64_t)_end);
}

static enum guard_memory memory_of(uint64_t address, size_t size, uint64_t *value)
{
	if (is_other(address))
		return GUARD_MEMORY_VAGUE;
	if (!can_read(address, size))
		return GUARD_MEMORY_NONE;
	*value = short_read(address, size);
	return GUARD_MEMORY_READ;
}

static uint64_t chain_read(const struct madtcode_word *word, uint64_t base)
{
	for (unsigned i = 0; i < word->loads; i++) {
		const uint64_t at = base + (uint64_t)(int64_t)word->displacement[i];
		const bool is_short = i + 1u == word->loads && word->kind == MADT_PAYLOAD_MEMORY;
		const size_t size = is_short && word->piece ? word->piece : sizeof base;
		if (is_other(at))
			return ANYTHING;
		if (!can_read(at, size))
			return UINT64_MAX;
		base = short_read(at, size);
	}
	return base;
}

static uint64_t text_expect(const struct madtcode_word *word, uint64_t base)
{
	const uint64_t from = chain_read(word, base);
	const uint64_t at = (from + (uint64_t)(int64_t)word->displacement[word->loads]) / 8 * 8
			+ UINT64_C(8) * word->piece;
	if (word->loads && (from == ANYTHING || from == UINT64_MAX))
		return from;
	return is_other(at) ? ANYTHING : memory_read(at);
}

/* `code`: the instruction that comes next, in the module. */
static uint64_t answer(const struct madt_probe_state *state, uint64_t code, uint64_t operand)
{
	return madt_probe_state_sum(state) * 31 + code * 31 + operand;
}

static uint64_t word_expect(const struct madtcode_word *word, const uint64_t *general,
		uint32_t code)
{
	struct madt_probe_state state;
	switch (word->kind) {
	case MADT_PAYLOAD_VALUE:
		return word->place < 16 ? general[word->place]
				: madt_value_vector(word->place) >= 0
				? ANYTHING
				: memory_read(general[4] + 8u * (word->place - MADT_VALUE_STACK + 1u));
	case MADT_PAYLOAD_ADDRESS:
		return general[word->place] + (uint64_t)(int64_t)word->displacement[0];
	case MADT_PAYLOAD_MEMORY:
		return chain_read(word, general[word->place]);
	case MADT_PAYLOAD_TEXT:
		return text_expect(word, general[word->place]);
	case MADT_PAYLOAD_COUNTER:
		return ++counter;
	case MADT_PAYLOAD_ANSWER:
		memcpy(state.general, general, sizeof state.general);
		return answer(&state, code, (uint64_t)word->displacement[0]);
	default:
		return 0;
	}
}

static uint32_t guards(const struct madtcode_probe *probe)
{
	uint32_t count = 0;
	while (count < probe->words && words[probe->word + count].kind == MADT_PAYLOAD_GUARD)
		count++;
	return count;
}

static uint32_t counts(const struct madtcode_probe *probe)
{
	uint32_t count = 0;
	while (count < probe->words
			&& words[probe->word + probe->words - count - 1].kind == MADT_PAYLOAD_COUNT)
		count++;
	return count;
}

/* The words of its records. */
static uint32_t stored(const struct madtcode_probe *probe)
{
	return probe->words - guards(probe) - counts(probe);
}

/* From its last word to its first, as the code does, so that counters agree. */
static void probe_expect(const struct madtcode_probe *probe, uint32_t address,
		const uint64_t *general)
{
	const struct madtcode_word *payload = &words[probe->word + guards(probe)];
	const uint32_t code = address + (probe->after ? lengths[address] : 0u);
	uint64_t values[WORDS];
	if (!guard_takes(&words[probe->word], guards(probe), general, memory_of, &vague))
		return;
	hits += probe->kind == MADT_PROBE_INSTRUMENT && counts(probe);
	for (uint32_t i = stored(probe); i-- > 0;)
		values[i] = word_expect(&payload[i], general, code);
	accesses_add(&wanted, (struct access){ general[4], address, 8, (uint8_t)probe->kind, 0 });
	for (uint32_t i = 0; i < stored(probe); i++)
		accesses_add(&wanted, (struct access){ values[i], address, 8, payload[i].kind, 0 });
}

static void probes_expect(uint32_t address, bool after, const uint64_t *general)
{
	for (uint32_t i = 0; i < chosen->head.count; i++)
		if (standing[address] >> i & 1 && chosen->probes[i].after == after)
			probe_expect(&chosen->probes[i], address, general);
}

/* An instruction that is repeated has one probe in front of it, and one behind it. */
static void stopped(uint32_t address, const uint64_t general[16])
{
	if (address >= TEXT_MAX || address == last)
		return;
	if (last && last + lengths[last] == address)
		probes_expect(last, true, general);
	probes_expect(address, false, general);
	last = address;
}

/* ---------------------------------------------------------------- comparing */

static bool word_equals(const struct access *want, const struct access *got)
{
	return want->code == got->code && want->access == got->access
			&& (want->address == got->address || want->address == ANYTHING
					|| (want->access == MADT_PAYLOAD_TIME && got->address));
}

static bool probes_equal(const char *name)
{
	const size_t count = wanted.count < probed.count ? wanted.count : probed.count;
	uint64_t time = 0;
	for (size_t i = 0; i < count; i++) {
		const struct access *want = &wanted.items[i], *got = &probed.items[i];
		const bool late = got->access != MADT_PAYLOAD_TIME || got->address >= time;
		time = got->access == MADT_PAYLOAD_TIME ? got->address : time;
		if (word_equals(want, got) && late)
			continue;
		fprintf(stderr,
				"%s: word %zu of probes is 0x%lx, kind %u, at module + 0x%x, not 0x%lx, kind %u, "
				"at module + 0x%x\n",
				name, i, got->address, got->access, got->code, want->address, want->access,
				want->code);
		return false;
	}
	if (wanted.count != probed.count)
		fprintf(stderr, "%s: %zu words of probes, not %zu\n", name, probed.count, wanted.count);
	compared += count;
	return wanted.count == probed.count;
}

/* Instruments without records stand where no template tells of them. */
static bool counts_hold(const char *name)
{
	const struct madtcode_probe *probe = &chosen->probes[chosen->head.count - 1];
	const uint64_t first = splice_counts[COUNT_FIRST], second = splice_counts[COUNT_SECOND];
	const bool known = !counts(probe) || stored(probe);
	counted += first;
	guarded += guards(probe) ? hits : 0;
	if (first == second && (!known || first == hits || vague))
		return true;
	fprintf(stderr, "%s: counts are %lu and %lu, not %lu\n", name, first, second, hits);
	return false;
}

static bool function_holds(const struct case_ *item, uint64_t seed)
{
	static struct world before, want, got;
	world_make(&before, seed);
	wanted.count = 0;
	last = 0;
	counter = hits = 0;
	vague = false;
	guard_model_begin();
	watch_stopped = stopped;
	bool good = world_watch(WATCH_ORIGINAL, &before, &want, item->start);
	watch_stopped = NULL;
	const enum watch ways[] = { WATCH_NOTHING, WATCH_SPLICED };
	for (unsigned i = 0; i < 2; i++) {
		splice_counts[COUNT_FIRST] = splice_counts[COUNT_SECOND] = splice_counts[GUARD_COUNT] = 0;
		memset(splice_switches, 0, sizeof splice_switches);
		good &= world_watch(ways[i], &before, &got, item->start);
		good &= counts_hold(item->name);
		good &= (vague || probes_equal(item->name)) && worlds_equal(&want, &got, item->name);
		if (chosen->probes[0].kind == MADT_PROBE_ACCESS)
			good &= accesses_equal(item->name);
	}
	world_enter(&before);
	if (!good)
		fprintf(stderr, "%s: fails with seed %lu\n", item->name, seed);
	return good;
}

/* ---------------------------------------------------------------- where probes stand */

/* Instruments of one place have numbers. */
static bool is_number(uint32_t probe, unsigned operand)
{
	unsigned number = 0;
	for (uint32_t i = 0; i < probe; i++)
		number += chosen->probes[i].kind == MADT_PROBE_INSTRUMENT
				&& chosen->probes[i].after == chosen->probes[probe].after;
	return chosen->probes[probe].kind != MADT_PROBE_INSTRUMENT
			|| operand == (number << 1 | chosen->probes[probe].after);
}

static void standing_read(const struct spliced *spliced)
{
	struct madt_plan_templates templates = plan_templates(spliced->plan);
	memset(standing, 0, sizeof standing);
	while (madt_plan_templates_next(&templates)) {
		if (madt_is_access(templates.word->access) || templates.word->address >= TEXT_MAX)
			continue;
		for (uint32_t i = 0; i < chosen->head.count; i++)
			if (chosen->probes[i].kind == templates.word->access
					&& stored(&chosen->probes[i]) + 1 == templates.now.words
					&& is_number(i, templates.word->operand)
					&& chosen->probes[i].start <= templates.word->address
					&& templates.word->address < chosen->probes[i].end)
				standing[templates.word->address] |= (uint8_t)(1u << i);
		lengths[templates.word->address] = templates.word->length;
	}
}

/* Behind a system call the processor's trap comes one instruction late. */
static bool is_seen(const struct case_ *item)
{
	return strcmp(item->name, "systems") != 0
			|| (chosen->probes[chosen->head.count - 1].kind != MADT_PROBE_INSTRUCTION
					&& chosen->probes[chosen->head.count - 1].kind != MADT_PROBE_INSTRUMENT);
}

static void case_check(const struct case_ *item)
{
	if (!processor_has(item->needs) || !is_seen(item))
		return;
	for (uint64_t seed = 1; seed <= rounds; seed++)
		failures += !function_holds(item, seed);
}

/* Probes but those of accesses stand in a part of the text. */
static void part_choose(struct choice *choice, const struct cases *cases, unsigned part)
{
	const uint32_t size = (uint32_t)(cases->end[-1].end - cases->start) + 1;
	for (uint32_t i = 0; i < choice->head.count; i++)
		if (choice->probes[i].kind != MADT_PROBE_ACCESS) {
			choice->probes[i].start = size * part / choice->parts;
			choice->probes[i].end = size * (part + 1) / choice->parts;
		}
}

static bool is_within(const struct case_ *item, const struct spliced *spliced,
		const struct choice *choice)
{
	const struct madtcode_probe *probe = &choice->probes[choice->head.count - 1];
	return item->start < spliced->base + probe->end && item->end > spliced->base + probe->start;
}

static void part_check(const char *path, const char *plan_path, struct choice *choice,
		unsigned part)
{
	const struct cases cases = world_load(path);
	part_choose(choice, &cases, part);
	struct map_file map = map_file_make(path, plan_path);
	struct {
		struct choice choice;
		struct madtcode_word words[WORDS];
	} flat = { .choice = *choice };
	words[0].place = part & MADT_TIME_ORDERED;
	/* the words follow the probes that there are */
	memcpy((char *)&flat + offsetof(struct choice, probes)
					+ choice->head.count * sizeof *choice->probes,
			words, sizeof words);
	flat.choice.head.words = WORDS;
	struct spliced *spliced = splice_load_chosen(path, plan_path, &flat.choice.head, cases.start);
	chosen = choice;
	now = spliced;
	standing_read(spliced);
	world_of(spliced);
	watch_set_up(spliced, &map);
	for (const struct case_ *item = cases.first; item < cases.end; item++)
		if (is_within(item, spliced, choice))
			case_check(item);
	splice_unload(spliced);
	free(map.header);
}

/* Another guard in front of the payload behind it, by its number. */
static void guard_choose(struct choice *choice, unsigned number)
{
	struct madtcode_probe *probe = &choice->probes[choice->head.count - 1];
	if (probe->word < GUARDED || probe->kind != MADT_PROBE_INSTRUMENT)
		return;
	struct madtcode_word guard[GUARD_ROOM];
	const unsigned steps = guard_make(guard, number);
	probe->word = GUARDED + GUARD_ROOM - steps;
	memcpy(&words[probe->word], guard, steps * sizeof *guard);
	probe->words = WORDS - probe->word;
}

bool splice_out(const void *before, void *after);

/* In the place of libmadt.so's. Leaves nothing as it was that it can reach. */
uint64_t call_out(uint64_t argument, const struct madt_probe_state *state)
{
	const uint64_t number = argument & ((1u << MADT_CALL_BITS) - 1);
	const uint64_t sum = number == MADT_CALL_STATE
			? answer(state, state->code - (uint64_t)now->base, argument >> MADT_CALL_BITS)
			: MADT_WORD_NONE;
	__asm__ volatile("fld1\n\tfldpi\n\tpcmpeqd %%xmm0, %%xmm0\n\tmovdqa %%xmm0, %%xmm1\n\t"
					 "movdqa %%xmm0, %%xmm7\n\tmovdqa %%xmm0, %%xmm8\n\tmovdqa %%xmm0, %%xmm15\n\t"
					 "xorl %%ecx, %%ecx\n\tmovl $-1, %%edx\n\taddl $1, %%edx\n\tstd\n\tcld"
					 :
					 :
					 : "rcx", "rdx", "cc", "xmm0", "xmm1", "xmm7", "xmm8", "xmm15");
	return sum;
}

/* Random numbers in a part of the extended state, by its number; those that programs use. */
static void part_fill(uint8_t *state, unsigned part)
{
	unsigned size, offset, c, d;
	__cpuid_count(0xd, part, size, offset, c, d);
	for (unsigned i = 0; i < size; i++)
		state[offset + i] = (uint8_t)(rand() >> 8);
}

/* x87, SSE, AVX and AVX-512, as far as they are among `parts`, and the red zone. */
static bool state_is_kept(uint64_t parts)
{
	enum { X87 = 32, SSE = 160, LEGACY = 416, HEADER = 512 };
	static uint8_t before[16384] __attribute__((aligned(64)));
	static uint8_t after[16384] __attribute__((aligned(64)));
	unsigned low, high, size, b, c, d;
	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	__cpuid_count(0xd, 0, b, size, c, d);
	low &= 0xe7 & (unsigned)parts;
	memcpy(before, "\x7f\x03\0\0\xff", 5);
	memcpy(before + 24, "\x80\x1f", 2);
	for (unsigned i = X87; i < LEGACY; i++)
		before[i] = (uint8_t)(i < SSE && i % 16 >= 10 ? 0 : rand() >> 8);
	for (unsigned part = 2; part < 8; part++)
		if (low >> part & 1)
			part_fill(before, part);
	memcpy(before + HEADER, &low, sizeof low);
	bool kept = splice_out(before, after);
	kept &= memcmp(before, after, 5) == 0 && memcmp(before + 24, after + 24, 4) == 0;
	kept &= memcmp(before + X87, after + X87, LEGACY - X87) == 0;
	for (unsigned part = 2; part < 8; part++) {
		__cpuid_count(0xd, part, size, b, c, d);
		kept &= !(low >> part & 1) || memcmp(before + b, after + b, size) == 0;
	}
	if (!kept)
		fprintf(stderr, "a call out changes the extended state or the red zone\n");
	return kept;
}

#define EVERYWHERE .end = UINT32_MAX
#define ACCESSES                              \
	{                                         \
		.kind = MADT_PROBE_ACCESS, EVERYWHERE \
	}

int main(int count, char **arguments)
{
	static struct choice choices[] = {
		{ { .count = 2 },
				{ ACCESSES, { .kind = MADT_PROBE_INSTRUCTION, EVERYWHERE, .word = 9, .words = 1 } },
				16 },
		{ { .count = 2 }, { ACCESSES, { .kind = MADT_PROBE_BLOCK, EVERYWHERE } }, 3 },
		{ { .count = 3, .flags = MADT_PLAN_STACK },
				{ ACCESSES, { .kind = MADT_PROBE_BLOCK, EVERYWHERE, .words = 5 },
						{ .kind = MADT_PROBE_BLOCK_END, EVERYWHERE, .word = 1, .words = 8 } },
				8 },
		{ { .count = 2 }, { ACCESSES, { .kind = MADT_PROBE_INSTRUCTION, EVERYWHERE, .words = 9 } },
				8 },
		{ { .count = 2 },
				{ ACCESSES,
						{ .kind = MADT_PROBE_INSTRUCTION, EVERYWHERE, .word = 10, .words = 5 } },
				16 },
		{ { .count = 2 },
				{ { .kind = MADT_PROBE_INSTRUCTION, EVERYWHERE, .word = 4, .words = 2 },
						{ .kind = MADT_PROBE_INSTRUCTION,
								.after = 1,
								EVERYWHERE,
								.word = 1,
								.words = 3 } },
				12 },
		{ { .count = 2 },
				{ ACCESSES,
						{ .kind = MADT_PROBE_INSTRUCTION, .after = 1, EVERYWHERE, .words = 7 } },
				8 },
		{ { .count = 2 },
				{ ACCESSES, { .kind = MADT_PROBE_INSTRUMENT, EVERYWHERE, .word = 15, .words = 6 } },
				8 },
		{ { .count = 1 }, { { .kind = MADT_PROBE_INSTRUMENT, EVERYWHERE, .word = 19, .words = 2 } },
				4 },
		{ { .count = 2 },
				{ ACCESSES, { .kind = MADT_PROBE_INSTRUMENT, EVERYWHERE, .word = GUARDED } }, 16 },
		{ { .count = 2 },
				{ { .kind = MADT_PROBE_INSTRUMENT, EVERYWHERE, .word = 1, .words = 2 },
						{ .kind = MADT_PROBE_INSTRUMENT, EVERYWHERE, .word = GUARDED } },
				16 },
		{ { .count = 1 },
				{ { .kind = MADT_PROBE_INSTRUMENT, .after = 1, EVERYWHERE, .word = GUARDED } },
				14 },
	};
	if (count != 4)
		return 2;
	rounds = strtoul(arguments[3], NULL, 10);
	/* one round is of half the instructions: those of one choice are not those of the next */
	const unsigned step = rounds > 1 ? 1 : 2;

	world_set_up();
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
		for (unsigned part = i % step; part < choices[i].parts; part += step) {
			guard_choose(&choices[i], part + 10 * (unsigned)i);
			part_check(arguments[1], arguments[2], &choices[i], part);
		}
	failures += !state_is_kept(UINT64_MAX);
	splice_calls_save(false);
	failures += !state_is_kept(3);
	if (!counted || !guarded)
		failures++;
	printf("check_probes: %lu calls, %lu words of probes, %lu hits counted, %lu of them guarded, "
		   "%lu loads that found nothing, %lu accesses, %lu traps; %u failed\n",
			world_calls, compared, counted, guarded, unread, world_compared, traps, failures);
	return failures != 0;
}
