#include "splice_watch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/insn.h"
#include "splice_flags.h"

#define STOPS_MAX ((size_t)1 << 21)
#define FLAGS_COMPARED 0xcd5u /* CF PF AF ZF SF DF OF */

/* The state before an instruction. */
struct stop {
	uint64_t code;
	uint64_t general[16];
	uint64_t flags;
	uint32_t open; /* flags that the architecture does not define here */
};

struct accesses expected;
unsigned long watched_steps, watched_boundaries, watched_open;
void (*watch_stopped)(uint32_t address, const uint64_t general[16]);

extern const uint8_t splice_returned[];

static struct spliced *spliced;
static const struct map_file *map;
static enum watch watch;
static struct stop *stops;
static size_t stop_count;
static size_t reached; /* WATCH_SPLICED: the stop seen last */
static bool astray;
static ZydisDecoder decoder;

static struct stop stop_of(const ucontext_t *context, uint64_t code)
{
	struct stop stop = { .code = code,
		.flags = (uint64_t)context->uc_mcontext.gregs[REG_EFL] & FLAGS_COMPARED };
	for (unsigned i = 0; i < 16; i++)
		stop.general[i] = (uint64_t)context->uc_mcontext.gregs[splice_registers[i]];
	return stop;
}

static bool code_is_of_module(uint64_t code)
{
	uint64_t offset = code - (uint64_t)spliced->base;
	return offset >= spliced->plan->module_start && offset < spliced->plan->module_end;
}

/* ---------------------------------------------------------------- the module as it is */

static void operand_expect(const struct madt_code_entry *entry,
		const struct madt_code_operand *operand, const ucontext_t *context)
{
	uint64_t words[64];
	uint32_t count = splice_words(operand, context, words);
	for (uint32_t i = 0; i < count; i++)
		if (words[i] != MADT_WORD_NONE)
			accesses_add(&expected,
					(struct access){ words[i], entry->offset, operand->size, operand->access,
							operand->number });
}

static bool counts_to_zero(const struct madt_code_entry *entry, const ucontext_t *context)
{
	uint64_t count = (uint64_t)context->uc_mcontext.gregs[REG_RCX];
	bool narrow = map->operands[entry->first_operand].flags & MADT_OPERAND_ADDRESS32;
	return entry->flags & MADT_CODE_REP && (narrow ? (uint32_t)count : count) == 0;
}

/* Decodes an instruction of the module as it is. */
static bool original_decode(uint64_t code, struct decoded *decoded)
{
	uint8_t bytes[15];
	for (uint32_t i = 0; i < sizeof bytes; i++)
		bytes[i] = *splice_original(spliced, (uint32_t)(code - (uint64_t)spliced->base) + i);
	decoded->address = code - (uint64_t)spliced->base;
	return ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, bytes, sizeof bytes, &decoded->instruction,
			decoded->operands));
}

/* The flags that are not defined in front of `code`, where `before` was passed last. */
static uint32_t flags_open(const struct stop *before, uint64_t code)
{
	struct decoded decoded;
	if (!original_decode(before->code, &decoded))
		return STATUS_FLAGS;
	if (before->code == code && flags_float_in(&decoded.instruction))
		return STATUS_FLAGS;
	return STATUS_FLAGS
			& ~flags_defined_behind(&decoded.instruction, before->general[1],
					STATUS_FLAGS & ~before->open);
}

/* Returns whether the instruction in between is said to write each register that it has changed. */
static bool changes_are_known(const struct stop *before, const struct stop *after)
{
	struct decoded decoded;
	struct insn insn;
	register_set changed = 0;
	if (!original_decode(before->code, &decoded))
		return true;
	insn_describe(&decoded, &insn);
	for (unsigned i = 0; i < 16; i++)
		if (before->general[i] != after->general[i])
			changed |= (register_set)(1u << i);
	if (changed & ~insn.writes && insn.kind == INSN_PLAIN)
		fprintf(stderr, "module + 0x%lx: registers 0x%x change, 0x%x are known to\n",
				before->code - (uint64_t)spliced->base, changed, insn.writes);
	return !(changed & ~insn.writes) || insn.kind != INSN_PLAIN;
}

static void original_step(const ucontext_t *context, uint64_t code)
{
	const struct madt_code_entry *entry = map_file_entry(map, code - (uint64_t)spliced->base);
	if (stop_count == STOPS_MAX)
		abort();
	stops[stop_count] = stop_of(context, code);
	if (stop_count) {
		stops[stop_count].open = flags_open(&stops[stop_count - 1], code);
		astray |= !changes_are_known(&stops[stop_count - 1], &stops[stop_count]);
	}
	watched_open += stops[stop_count].open != 0;
	if (watch_stopped)
		watch_stopped((uint32_t)(code - (uint64_t)spliced->base), stops[stop_count].general);
	stop_count++;
	if (!entry || (entry->operands && counts_to_zero(entry, context)))
		return;
	for (unsigned i = 0; i < entry->operands; i++)
		operand_expect(entry, &map->operands[entry->first_operand + i], context);
}

/* ---------------------------------------------------------------- the spliced module */

/* The registers that an instruction of the module reads. */
static register_set registers_read(uint64_t code)
{
	struct decoded decoded;
	struct insn insn;
	if (!original_decode(code, &decoded))
		return REGISTERS_ALL;
	insn_describe(&decoded, &insn);
	return insn.reads;
}

static bool flags_match(const struct stop *wanted, uint64_t flags)
{
	return ((wanted->flags ^ flags) & ~(uint64_t)wanted->open) == 0;
}

/*
 * A register may differ if the instruction does not read it: it is dead, or the end will show.
 * Those that are held may not.
 */
static bool stop_matches(const struct stop *wanted, const struct stop *got, register_set held)
{
	register_set differ = 0;
	if (wanted->code != got->code || !flags_match(wanted, got->flags))
		return false;
	for (unsigned i = 0; i < 16; i++)
		if (wanted->general[i] != got->general[i])
			differ |= (register_set)(1u << i);
	return !differ
			|| (!(differ & 1u << REGISTER_RSP) && !(differ & held)
					&& !(differ & registers_read(wanted->code)));
}

static void complain(const struct stop *got, uint64_t place)
{
	const struct stop *wanted = &stops[reached + 1 < stop_count ? reached + 1 : reached];
	fprintf(stderr, "spliced: at 0x%lx for 0x%lx; behind 0x%lx comes 0x%lx\n", place,
			got->code - (uint64_t)spliced->base, stops[reached].code - (uint64_t)spliced->base,
			wanted->code - (uint64_t)spliced->base);
	for (unsigned i = 0; i < 16; i++)
		if (got->general[i] != wanted->general[i])
			fprintf(stderr, "  register %u is 0x%lx, not 0x%lx\n", i, got->general[i],
					wanted->general[i]);
	if (!flags_match(wanted, got->flags))
		fprintf(stderr, "  flags are 0x%lx, not 0x%lx (compared but for 0x%x)\n", got->flags,
				wanted->flags, wanted->open);
}

static bool openness_holds(const struct madt_plan_boundary *boundary)
{
	bool unknown;
	bool open = splice_record_is_open(boundary->address, &unknown);
	return unknown || open == boundary->open;
}

/* Gives the registers that spill slots stand for the target's values. Returns which they are. */
static register_set held_restore(const struct madt_plan_boundary *boundary, struct stop *stop)
{
	register_set held = 0;
	for (unsigned i = 0; i < 2; i++)
		if (boundary->held[i] != MADT_REGISTER_NONE) {
			stop->general[boundary->held[i]] = splice_spilled(i);
			held |= (register_set)(1u << boundary->held[i]);
		}
	return held;
}

/*
 * Behind a system call the processor's trap comes one instruction late; that of a spliced one comes
 * in the code that makes it.
 */
static bool behind_call(uint64_t code)
{
	static const uint8_t system[] = { 0x0f, 0x05 };
	uint32_t last = (uint32_t)(stops[reached].code - (uint64_t)spliced->base);
	return stops[reached].code + sizeof system == code
			&& *splice_original(spliced, last) == system[0]
			&& *splice_original(spliced, last + 1) == system[1];
}

/*
 * Each instruction is seen once at least, at its copy's boundary or at its own place; some twice.
 * One may be jumped over where a trap led behind the boundary.
 */
static void spliced_step(const ucontext_t *context, uint64_t place)
{
	bool inside;
	const struct madt_plan_boundary *boundary = splice_boundary(place, &inside);
	if (astray || (inside && !boundary) || (!inside && !code_is_of_module(place)))
		return;
	uint64_t code = boundary ? (uint64_t)spliced->base + boundary->address
							 : splice_behind_springboard(place);
	struct stop got = stop_of(context, code);
	register_set held = boundary ? held_restore(boundary, &got) : 0;
	watched_boundaries += boundary != NULL;
	if (boundary && !openness_holds(boundary)) {
		fprintf(stderr, "spliced: at 0x%lx the record is not %s\n", place,
				boundary->open ? "open" : "closed");
		astray = true;
	}
	for (size_t next = reached; next < stop_count && next <= reached + 2; next++)
		if (stop_matches(&stops[next], &got, held)) {
			reached = next;
			return;
		}
	if (!code_is_of_module(code) || behind_call(code))
		return;
	astray = true;
	complain(&got, place);
}

/* ---------------------------------------------------------------- handlers */

static void fatal(int number, const ucontext_t *context, const void *address)
{
	uint64_t place = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	fprintf(stderr, "signal %d at 0x%lx (module + 0x%lx), address %p\n", number, place,
			place - (uint64_t)spliced->base, address);
	_Exit(1);
}

static void on_step(ucontext_t *context)
{
	uint64_t place = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	watched_steps++;
	if (place == (uint64_t)splice_returned)
		context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
	else if (watch == WATCH_ORIGINAL && code_is_of_module(place))
		original_step(context, place);
	else if (watch == WATCH_SPLICED)
		spliced_step(context, place);
}

/* Virtual machines lose now and then why a debug exception came: then it is TRAP_BRKPT. */
static bool is_step(const siginfo_t *info, const ucontext_t *context)
{
	return info->si_code == TRAP_TRACE
			|| (info->si_code == TRAP_BRKPT && context->uc_mcontext.gregs[REG_EFL] & TRAP_FLAG);
}

static void on_signal(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;
	uint64_t place = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	if (number == SIGTRAP && is_step(info, context))
		on_step(context);
	else if (!(number == SIGTRAP && splice_trap(context, place - 1))
			&& !(number == SIGILL && splice_trap(context, place))
			&& !(number == SIGSEGV && splice_unread(context))
			&& !(number == SIGSEGV && splice_guard(context, (uint64_t)info->si_addr)))
		fatal(number, context, info->si_addr);
}

bool watch_flags_equal(uint64_t wanted, uint64_t got)
{
	uint64_t compared = FLAGS_COMPARED & ~(stop_count ? (uint64_t)stops[stop_count - 1].open : 0);
	return ((wanted ^ got) & compared) == 0;
}

void watch_set_up(struct spliced *module, const struct map_file *code_map)
{
	static uint8_t handler_stack[1 << 17];
	static const int numbers[] = { SIGTRAP, SIGILL, SIGSEGV, SIGBUS, SIGFPE };
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
	action.sa_sigaction = on_signal;
	sigaltstack(&(stack_t){ .ss_sp = handler_stack, .ss_size = sizeof handler_stack }, NULL);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaction(numbers[i], &action, NULL);
	spliced = module;
	map = code_map;
	if (!stops) {
		stops = space_take(STOPS_MAX * sizeof *stops);
		ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	}
}

bool watch_call(enum watch what, struct splice_state *state, const void *function, void *stack)
{
	watch = what;
	astray = false;
	reached = 0;
	if (what == WATCH_ORIGINAL) {
		stop_count = 0;
		expected.count = 0;
	}
	if (what != WATCH_NOTHING)
		state->flags |= TRAP_FLAG;
	splice_call(state, function, stack);
	state->flags &= ~(uint64_t)TRAP_FLAG;
	bool ended = what != WATCH_SPLICED || stop_count == 0 || reached + 1 >= stop_count;
	if (!ended && !astray)
		fprintf(stderr, "spliced: ends after %zu of %zu instructions\n", reached + 1, stop_count);
	return ended && !astray;
}
