/*
 * A chain is put together from the inside outwards: by rules, until a frame is met that the last
 * chain of the thread has, with the same code, rsp and rbp. What is outside of it is then read at
 * the places where it was read then. Where all that is the same, so is the chain from there on.
 *
 * Of a stack that is deeper than is to be told, up to twice as much is told, so that the outermost
 * frame can stay the same while the innermost come and go.
 */
#include "chain/chain.h"

#include "chain/chain_nodes.h"
#include "chain/chain_registers.h"
#include "chain/chain_rule.h"

#include "base/load.h"
#include "base/state.h"
#include "module/module.h"
#include "session/session.h"
#include "text/text.h"
#include "text/text_plan.h"

/* Registers that calls keep, as instructions number them. */
enum { NUMBER_RBX = 3, NUMBER_RSP = 4, NUMBER_RBP = 5, NUMBER_R12 = 12 };

#define FRAME_MOST (1u << 20) /* bytes of a frame of code without a table */
#define CALL_MOST 8           /* bytes in front of an address in which a call may be seen */
/* Bytes of a function of Go's that changes stacks, and of the frame of its caller. */
#define SWITCH_CODE_MOST 1024
#define SWITCH_FRAME_MOST 4096

/* How it goes on behind a frame. */
enum outcome { WALK_OUT, WALK_END, WALK_CUT, WALK_DEEP, WALK_OTHER };

struct walk {
	struct chain_part *part;
	uint32_t at;    /* in the last chain, behind the innermost frame that may come again */
	uint32_t shown; /* fresh frames that are not MadT's own */
	uint32_t wanted, taken, most; /* of those: to be told, where it stops, and what may be */
	uintptr_t caller, frame;      /* as chain_of has them */
	const struct madt_probe_state *state; /* of a probe, instead of these; else NULL */
};

static bool ready, of_allocations;

void chain_set_up(void)
{
	const struct madt_session *page = session.page;
	bool told = page->chain > 1 && page->chain <= MADT_CHAIN_CALLS;

	ready = (told || page->switches) && rules_set_up();
	of_allocations = ready && told;
}

void chain_after_fork(void)
{
	nodes_after_fork();
	self.chain.count = 0;
}

static bool is_own(const struct chain_frame *frame)
{
	return frame->rule & RULE_OWN;
}

/* ---------------------------------------------------------------- by rules */

/* The interrupted code, behind a handler: its context lies where the handler's return address was. */
static enum outcome out_of_handler(const struct chain_frame *frame, struct chain_frame *outer)
{
	struct registers registers;

	if (!registers_interrupted(&registers, frame->stack))
		return WALK_CUT;
	*outer = (struct chain_frame){ .code = registers_code(&registers),
		.stack = registers.value[COLUMN_RSP],
		.base = registers.value[COLUMN_RBP],
		.exact = true };
	return WALK_OUT;
}

/* Returns where the frame's caller left rsp; 0: that cannot be read. */
static uintptr_t cfa_of(const struct chain_frame *frame)
{
	uint64_t distance = (uint64_t)rule_frame_distance(frame->rule), cfa;

	switch (rule_frame(frame->rule)) {
	case RULE_STACK:
		return frame->stack + distance;
	case RULE_BASE:
		return frame->base + distance;
	default:
		return load_word(frame->base + distance, &cfa) ? cfa : 0;
	}
}

/*
 * Returns whether a call ends these bytes (Intel SDM volume 2, CALL): relative, or through a register
 * or memory, whose operand has up to seven bytes.
 */
static bool ends_in_call(const uint8_t bytes[CALL_MOST])
{
	static const struct {
		uint8_t before, mask, is; /* the byte behind ff, so many in front of the end */
	} forms[] = { { 1, 0xf8, 0xd0 }, { 1, 0xf8, 0x10 }, { 2, 0xf8, 0x50 }, { 2, 0xff, 0x14 },
		{ 3, 0xff, 0x54 }, { 5, 0xf8, 0x90 }, { 5, 0xff, 0x15 }, { 6, 0xff, 0x94 } };

	if (bytes[3] == 0xe8)
		return true;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		const uint8_t *operand = bytes + CALL_MOST - forms[i].before;

		if (operand[-1] == 0xff && (*operand & forms[i].mask) == forms[i].is)
			return true;
	}
	return false;
}

/*
 * The bytes in front of an address that a call ends, as the module has them: a patch may lie there.
 * False: no call does.
 */
static bool call_read(uintptr_t code, uint8_t bytes[CALL_MOST])
{
	const struct range there = { code - CALL_MOST, code };
	const struct module *module;
	uint64_t word;

	if (!load_word(there.start, &word))
		return false;
	bytes_copy(bytes, &word, CALL_MOST);
	module = module_of(there.start);
	if (module && module == module_of(code) && text_may_be_met(module))
		own_text_copy(module, there, bytes);
	return ends_in_call(bytes);
}

static bool is_above(const struct chain_frame *frame)
{
	return frame->base >= frame->stack && frame->base - frame->stack <= FRAME_MOST;
}

/* Returns whether Go's runtime is in it, whose allocator is known. */
static bool is_of_go(const struct module *module)
{
	const struct madt_plan_hook *hook = module && module->plan
			? plan_table(module->plan, module->plan->hooks)
			: NULL;

	for (uint32_t i = 0; hook && i < module->plan->hooks.count; i++)
		if (madt_is_go(hook[i].function))
			return true;
	return false;
}

/* Returns whether it is the address behind a call of the function that this code is in. */
static bool returns_from(uintptr_t code, uintptr_t callee)
{
	uint8_t bytes[CALL_MOST];
	int32_t distance;

	if (!call_read(code, bytes) || bytes[3] != 0xe8)
		return false;
	bytes_copy(&distance, bytes + 4, sizeof distance);
	return callee - (code + (uintptr_t)(intptr_t)distance) < SWITCH_CODE_MOST;
}

/*
 * Go calls C, and parts of its runtime, on another stack: runtime.asmcgocall and runtime.systemstack
 * have no frame, change rsp, and keep rbp, which is that of their caller. Where that goes on lies
 * below what rbp points to.
 */
static enum outcome out_of_switch(struct chain_frame *frame, struct chain_frame *outer)
{
	const struct module *module = module_of(frame->code);
	uintptr_t at = frame->base - sizeof at;
	uint64_t code;

	if (frame->base % sizeof at || !is_of_go(module))
		return WALK_CUT;
	for (; frame->base - at <= SWITCH_FRAME_MOST && load_word(at, &code); at -= sizeof at)
		if (module_of(code) == module && returns_from(code, frame->code)) {
			frame->code_at = at;
			*outer = (struct chain_frame){
				.code = code - 1, .stack = at + sizeof at, .base = frame->base
			};
			return WALK_OUT;
		}
	return WALK_CUT;
}

/*
 * Code without a table that keeps rbp as the begin of its frame, as most runtimes do in the code
 * that they make, and Go in all of its own. The caller's must lie above, and its code go on behind a
 * call; in the outermost frame, which nobody called, rbp was 0 (System V ABI, x86-64, 3.4.1).
 */
static enum outcome out_by_base(struct chain_frame *frame, struct chain_frame *outer)
{
	uint8_t bytes[CALL_MOST];
	uint64_t code, base;

	if (!is_above(frame))
		return out_of_switch(frame, outer);
	if (frame->base % sizeof base || !load_word(frame->base, &base)
			|| !load_word(frame->base + sizeof base, &code))
		return WALK_CUT;
	if (!call_read(code, bytes))
		return base ? WALK_CUT : WALK_END;
	frame->base_at = frame->base;
	frame->code_at = frame->base + sizeof base;
	*outer = (struct chain_frame){
		.code = code - 1, .stack = frame->base + 2 * sizeof base, .base = base
	};
	return WALK_OUT;
}

/* The caller's frame, without rule and node; notes where it was found. */
static enum outcome step_out(struct chain_frame *frame, struct chain_frame *outer)
{
	uintptr_t cfa, base_at = 0;
	uint64_t code, base = frame->base;

	frame->code_at = frame->base_at = 0;
	switch (rule_frame(frame->rule)) {
	case RULE_SIGNAL:
		return out_of_handler(frame, outer);
	case RULE_END:
		return WALK_END;
	case RULE_OTHER:
		return WALK_OTHER;
	case RULE_NO_TABLE:
		return out_by_base(frame, outer);
	default:
		break;
	}
	cfa = cfa_of(frame);
	if (rule_base(frame->rule) != BASE_KEPT)
		base_at = (rule_base(frame->rule) == BASE_AT_CFA ? cfa : frame->base)
				+ (uintptr_t)rule_base_distance(frame->rule);
	if (cfa <= frame->stack || !load_word(cfa - 8, &code)
			|| (base_at && !load_word(base_at, &base)))
		return WALK_CUT;
	if (rule_frame(frame->rule) != RULE_STORED)
		frame->code_at = cfa - 8;
	frame->base_at = base_at;
	*outer = (struct chain_frame){ .code = code - 1, .stack = cfa, .base = base };
	return code ? WALK_OUT : WALK_END;
}

static bool is_same(const struct chain_frame *one, const struct chain_frame *other)
{
	return one->code == other->code && one->stack == other->stack && one->base == other->base
			&& one->exact == other->exact;
}

/* The frame's caller is the one that it was: `outer`, which is no interrupted code. */
static bool same_caller(const struct chain_frame *frame, const struct chain_frame *outer)
{
	uint64_t code, base = outer->base;

	return frame->code_at && load_word(frame->code_at, &code) && code == outer->code + 1
			&& (!frame->base_at || (load_word(frame->base_at, &base) && base == outer->base));
}

/*
 * Returns how many frames of the last chain are outside of those that are as they were, from the
 * one in front of `at` on: 0 if all are. Nothing is said of the caller of the outermost one.
 */
static uint32_t same_from(struct chain_part *part, uint32_t at)
{
	struct chain_frame outer;

	while (--at > 0) {
		struct chain_frame *frame = &part->frame[at];

		if (!same_caller(frame, &part->frame[at - 1])
				&& (step_out(frame, &outer) != WALK_OUT || !is_same(&outer, &part->frame[at - 1])))
			return at;
	}
	return 0;
}

/* False: so many are not to be told. */
static bool take(struct walk *walk, const struct chain_frame *frame)
{
	struct chain_part *part = walk->part;

	if (part->fresh_count == CHAIN_FRAMES || (!is_own(frame) && walk->shown == walk->taken))
		return false;
	part->fresh[part->fresh_count++] = *frame;
	walk->shown += !is_own(frame);
	return true;
}

/* Takes the frames of the last chain that are in front of `at`, down to `end`, as fresh ones. */
static bool take_again(struct walk *walk, uint32_t end)
{
	while (walk->at > end)
		if (!take(walk, &walk->part->frame[--walk->at]))
			return false;
	return true;
}

/* Returns whether the frame is the one in front of `at` in the last chain, which is found. */
static bool found_again(struct walk *walk, const struct chain_frame *frame)
{
	const struct chain_part *part = walk->part;

	while (walk->at && part->frame[walk->at - 1].stack < frame->stack)
		walk->at--;
	return walk->at && is_same(&part->frame[walk->at - 1], frame);
}

static enum madt_cut cut_of(enum outcome outcome)
{
	return outcome == WALK_END     ? MADT_CUT_NONE
			: outcome == WALK_DEEP ? MADT_CUT_DEPTH
								   : MADT_CUT_TABLE;
}

/*
 * The chain goes on as the last one did, and ends with it, for the same reason: its frames need not
 * be fresh.
 */
static bool ends_alike(const struct walk *walk)
{
	struct chain_part *part = walk->part;
	uint32_t shown = walk->shown + part->frame[walk->at - 1].shown;
	struct chain_frame outer;

	if (part->fresh_count + walk->at > CHAIN_FRAMES)
		return false;
	if (part->cut == MADT_CUT_DEPTH)
		return shown >= walk->wanted && shown <= walk->most;
	return shown <= walk->most && cut_of(step_out(&part->frame[0], &outer)) == part->cut;
}

/*
 * Goes outwards from a frame, until the end or until the frames in front of `at` are the rest of
 * the chain. Returns what ended it; WALK_OUT in the second case.
 */
static enum outcome walk_by_rules(struct walk *walk, struct chain_frame frame)
{
	struct chain_part *part = walk->part;
	struct chain_frame *last;
	enum outcome outcome;

	do {
		if (found_again(walk, &frame)) {
			uint32_t end = same_from(part, walk->at);

			if (!end && ends_alike(walk))
				return WALK_OUT;
			if (!take_again(walk, end))
				return WALK_DEEP;
		} else {
			frame.rule = rule_at(frame.code);
			if (!take(walk, &frame))
				return WALK_DEEP;
		}
		last = &part->fresh[part->fresh_count - 1];
		outcome = step_out(last, &frame);
	} while (outcome == WALK_OUT);
	walk->at = 0;
	return outcome;
}

/* ---------------------------------------------------------------- with all registers */

/* Fills them in as they are in front of the instruction that comes next. */
static void registers_of_probe(const struct madt_probe_state *state, struct registers *registers)
{
	registers->value[COLUMN_RBX] = state->general[NUMBER_RBX];
	registers->value[COLUMN_RBP] = state->general[NUMBER_RBP];
	registers->value[COLUMN_RSP] = state->general[NUMBER_RSP];
	for (int i = 0; i < 4; i++)
		registers->value[COLUMN_R12 + i] = state->general[NUMBER_R12 + i];
	registers->value[COLUMN_RETURN] = state->code;
}

/* The registers of the frame that calls the allocator. */
static bool registers_of_caller(const struct walk *walk, struct registers *registers)
{
	registers->exact = true;
	if (walk->state)
		return true;
	for (int frames = 0; frames < 16; frames++) {
		if (registers->value[COLUMN_RETURN] == walk->caller
				&& registers->value[COLUMN_RSP] == walk->frame + 16)
			return true;
		if (!registers_out(registers))
			return false;
	}
	return false;
}

static struct chain_frame frame_of(const struct registers *registers)
{
	return (struct chain_frame){ .code = registers_code(registers),
		.stack = registers->value[COLUMN_RSP],
		.base = registers->value[COLUMN_RBP],
		.exact = registers->exact };
}

static bool registers_step(struct registers *registers, uint64_t rule)
{
	uint64_t stack = registers->value[COLUMN_RSP];

	if (rule_frame(rule) == RULE_SIGNAL)
		return registers_interrupted(registers, stack);
	return registers_out(registers) && (registers->exact || registers->value[COLUMN_RSP] > stack);
}

struct whole_walk {
	struct walk *walk;
	struct registers *registers;
	enum outcome outcome;
};

static void walk_on(void *argument)
{
	struct whole_walk *whole = argument;
	struct walk *walk = whole->walk;
	struct registers *registers = whole->registers;
	struct chain_frame frame;

	whole->outcome = WALK_CUT;
	if (!registers_of_caller(walk, registers))
		return;
	do {
		frame = frame_of(registers);
		frame.rule = rule_at(frame.code);
		if (!take(walk, &frame))
			whole->outcome = WALK_DEEP;
		else if (rule_frame(frame.rule) == RULE_END)
			whole->outcome = WALK_END;
	} while (whole->outcome == WALK_CUT && registers_step(registers, frame.rule)
			&& registers->value[COLUMN_RETURN]);
	if (!registers->value[COLUMN_RETURN])
		whole->outcome = WALK_END;
}

static enum outcome walk_with_registers(struct walk *walk)
{
	struct registers registers = { 0 };
	struct whole_walk whole = { walk, &registers, WALK_CUT };

	walk->part->fresh_count = walk->shown = walk->at = 0;
	if (walk->state)
		registers_of_probe(walk->state, &registers);
	else
		REGISTERS_HERE(&registers);
	on_own_stack(walk_on, &whole);
	return whole.outcome;
}

/* ---------------------------------------------------------------- the chain */

/* Gives the frame, whose callers are in front of it, its node; false: there is no room. */
static bool frame_tell(struct chain_part *part, struct chain_frame *frame)
{
	const struct chain_frame *outer = frame == part->frame ? NULL : frame - 1;
	uint64_t code = frame->exact ? frame->code | MADT_CODE_EXACT : frame->code + 1;

	frame->node = outer ? outer->node : 0;
	frame->shown = outer ? outer->shown : 0;
	if (is_own(frame))
		return true;
	frame->shown++;
	frame->node = node_of(frame->node, code,
			frame->node ? MADT_CUT_NONE : (enum madt_cut)part->cut);
	return frame->node;
}

/* The fresh frames come behind those of the last chain in front of `at`. Returns the node. */
static uint32_t fresh_tell(struct chain_part *part, uint32_t at)
{
	part->count = at;
	while (part->fresh_count) {
		part->frame[part->count] = part->fresh[--part->fresh_count];
		if (!frame_tell(part, &part->frame[part->count])) {
			part->count = 0;
			return 0;
		}
		part->count++;
	}
	return part->count ? part->frame[part->count - 1].node : 0;
}

static uint32_t chain_walk(struct walk *walk, struct chain_frame first, uint32_t calls)
{
	struct chain_part *part = walk->part;
	uint32_t gone = LOAD_ACQUIRE(&modules_gone), node;
	enum outcome outcome;

	if (part->gone != gone)
		part->count = 0;
	part->gone = gone;
	part->fresh_count = 0;
	walk->at = part->count;
	walk->wanted = calls;
	walk->taken = calls + calls / 2;
	walk->most = 2 * calls;
	outcome = walk_by_rules(walk, first);
	if (outcome == WALK_OTHER)
		outcome = walk_with_registers(walk);
	if (outcome != WALK_OUT) {
		walk->at = 0;
		part->cut = cut_of(outcome);
	}
	node = fresh_tell(part, walk->at);
	if (node && part->cut == MADT_CUT_TABLE && part->frame[part->count - 1].shown < calls)
		__atomic_fetch_add(&session.control->chains_cut, 1, __ATOMIC_RELAXED);
	return node;
}

uint32_t chain_of(uintptr_t caller, uintptr_t frame)
{
	struct walk walk = { .caller = caller, .frame = frame };
	struct chain_frame first = { .code = caller - 1, .stack = frame + 16 };
	uint64_t base;
	uint32_t node;

	if (!attached || !of_allocations || !load_word(frame, &base))
		return 0;
	first.base = base;
	critical_enter();
	walk.part = &self.chain;
	node = chain_walk(&walk, first, session.page->chain);
	critical_leave();
	return node;
}

uint32_t chain_at(const struct madt_probe_state *state, uint32_t calls)
{
	struct walk walk = { .part = &self.chain, .state = state };
	struct chain_frame first = { .code = state->code,
		.stack = state->general[NUMBER_RSP],
		.base = state->general[NUMBER_RBP],
		.exact = true };

	return ready && calls && calls <= MADT_CHAIN_CALLS ? chain_walk(&walk, first, calls) : 0;
}

uint32_t chain_at_return(const struct madt_probe_state *state)
{
	struct madt_probe_state caller = *state;
	struct walk walk = { .part = &self.chain, .state = &caller };
	struct chain_frame first = { .stack = state->general[NUMBER_RSP] + 8,
		.base = state->general[NUMBER_RBP] };

	if (!of_allocations || !load_word(state->general[NUMBER_RSP], &caller.code))
		return 0;
	caller.general[NUMBER_RSP] = first.stack;
	first.code = caller.code - 1;
	return chain_walk(&walk, first, session.page->chain);
}
