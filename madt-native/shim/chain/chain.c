/*
 * A chain is put together from the inside outwards: by rules, and by what the last chain of the
 * thread found at the same places. A frame is found there again where code, rsp and rbp are the
 * same; that those outside of it are too is seen by going on by the rules that are noted there.
 * So nothing is taken for granted but the rules.
 */
#include "chain/chain.h"

#include "chain/chain_nodes.h"
#include "chain/chain_registers.h"
#include "chain/chain_rule.h"

#include "base/load.h"
#include "base/state.h"
#include "module/module.h"
#include "session/session.h"

/* How it goes on behind a frame. */
enum outcome { WALK_OUT, WALK_END, WALK_CUT, WALK_DEEP, WALK_OTHER };

struct walk {
	struct chain_frames *told;
	const struct chain_frames *last;
	uint32_t at;    /* in `last`, the first frame that is not inside the one at hand */
	uint32_t same;  /* frames from here on are those that `last` ends with */
	uint32_t shown; /* frames that are not MadT's own */
	uint32_t most;
	uintptr_t caller, frame; /* as chain_of has them */
};

static bool ready;

void chain_set_up(void)
{
	ready = session.page->chain > 1 && rules_set_up();
}

void chain_after_fork(void)
{
	nodes_after_fork();
	self.chain.frames[0].count = self.chain.frames[1].count = 0;
}

static bool is_same(const struct chain_frame *one, const struct chain_frame *other)
{
	return one->code == other->code && one->stack == other->stack && one->base == other->base
			&& one->exact == other->exact;
}

/* ---------------------------------------------------------------- by rules */

/* The interrupted code, behind a handler: its context lies where the handler's return address was. */
static enum outcome out_of_handler(struct chain_frame *frame)
{
	struct registers registers;

	if (!registers_interrupted(&registers, frame->stack))
		return WALK_CUT;
	*frame = (struct chain_frame){ .code = registers_code(&registers),
		.stack = registers.value[COLUMN_RSP],
		.base = registers.value[COLUMN_RBP],
		.exact = true };
	return WALK_OUT;
}

/* The frame becomes its caller's, without rule and node. */
static enum outcome step_out(struct chain_frame *frame)
{
	uint64_t rule = frame->rule, base = frame->base, cfa, code;

	switch (rule_frame(rule)) {
	case RULE_STACK:
		cfa = frame->stack + (uint64_t)rule_frame_distance(rule);
		break;
	case RULE_BASE:
		cfa = base + (uint64_t)rule_frame_distance(rule);
		break;
	case RULE_STORED:
		if (!load_word(base + (uint64_t)rule_frame_distance(rule), &cfa))
			return WALK_CUT;
		break;
	case RULE_SIGNAL:
		return out_of_handler(frame);
	case RULE_END:
		return WALK_END;
	case RULE_OTHER:
		return WALK_OTHER;
	default:
		return WALK_CUT;
	}
	if (cfa <= frame->stack || !load_word(cfa - 8, &code)
			|| (rule_base(rule) != BASE_KEPT
					&& !load_word((rule_base(rule) == BASE_AT_CFA ? cfa : base)
									+ (uint64_t)rule_base_distance(rule),
							&frame->base)))
		return WALK_CUT;
	frame->code = code - 1;
	frame->stack = cfa;
	frame->exact = false;
	return code ? WALK_OUT : WALK_END;
}

/* False: so many are not to be told. */
static bool take(struct walk *walk, const struct chain_frame *frame)
{
	bool own = frame->rule & RULE_OWN;

	if (walk->told->count == CHAIN_FRAMES || (!own && walk->shown == walk->most))
		return false;
	walk->told->frame[walk->told->count++] = *frame;
	walk->shown += !own;
	return true;
}

/* Finds the frame in the last chain, with its rule; false if it is not there. */
static bool found_again(struct walk *walk, struct chain_frame *frame)
{
	const struct chain_frames *last = walk->last;

	while (walk->at < last->count && last->frame[walk->at].stack < frame->stack)
		walk->at++;
	if (walk->at == last->count || !is_same(&last->frame[walk->at], frame))
		return false;
	*frame = last->frame[walk->at++];
	return true;
}

/* Returns what ended it. */
static enum outcome walk_by_rules(struct walk *walk, struct chain_frame frame)
{
	uint32_t behind = 0; /* in `last`, of the last frame that was taken; 0: it is not there */
	enum outcome step;

	do {
		bool again = found_again(walk, &frame);

		if (!again)
			frame.rule = rule_at(frame.code);
		if (!take(walk, &frame)) {
			step = WALK_DEEP;
			break;
		}
		if (!again || !behind)
			walk->same = walk->told->count - again;
		behind = again ? walk->at : 0;
		step = step_out(&frame);
	} while (step == WALK_OUT);
	walk->told->cut = step == WALK_END ? MADT_CUT_NONE
			: step == WALK_DEEP        ? MADT_CUT_DEPTH
									   : MADT_CUT_TABLE;
	if (behind != walk->last->count || walk->told->cut != walk->last->cut)
		walk->same = walk->told->count;
	return step;
}

/* ---------------------------------------------------------------- with all registers */

/* As the code behind it finds them; to be called where the frames of callers stay. */
#define REGISTERS_HERE(registers)                                                                 \
	__asm__ volatile(                                                                             \
			"movq %%rbx, %c[rbx](%[to])\n\tmovq %%rbp, %c[rbp](%[to])\n\t"                        \
			"movq %%rsp, %c[rsp](%[to])\n\tmovq %%r12, %c[r12](%[to])\n\t"                        \
			"movq %%r13, %c[r13](%[to])\n\tmovq %%r14, %c[r14](%[to])\n\t"                        \
			"movq %%r15, %c[r15](%[to])\n\tleaq 1f(%%rip), %%rax\n"                               \
			"1:\tmovq %%rax, %c[rip](%[to])"                                                      \
			:                                                                                     \
			: [to] "r"((registers)->value), [rbx] "i"(8 * COLUMN_RBX), [rbp] "i"(8 * COLUMN_RBP), \
			[rsp] "i"(8 * COLUMN_RSP), [r12] "i"(8 * COLUMN_R12), [r13] "i"(8 * COLUMN_R13),      \
			[r14] "i"(8 * COLUMN_R14), [r15] "i"(8 * COLUMN_R15), [rip] "i"(8 * COLUMN_RETURN)    \
			: "rax", "memory")

/* The registers of the frame that calls the allocator. */
static bool registers_of_caller(const struct walk *walk, struct registers *registers)
{
	registers->exact = true;
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
};

static void walk_on(void *argument)
{
	struct whole_walk *whole = argument;
	struct walk *walk = whole->walk;
	struct registers *registers = whole->registers;
	struct chain_frame frame;

	walk->told->count = walk->shown = 0;
	walk->told->cut = MADT_CUT_TABLE;
	if (!registers_of_caller(walk, registers))
		return;
	do {
		frame = frame_of(registers);
		frame.rule = rule_at(frame.code);
		if (!take(walk, &frame)) {
			walk->told->cut = MADT_CUT_DEPTH;
			return;
		}
		if (rule_frame(frame.rule) == RULE_END) {
			walk->told->cut = MADT_CUT_NONE;
			return;
		}
	} while (registers_step(registers, frame.rule) && registers->value[COLUMN_RETURN]);
	if (!registers->value[COLUMN_RETURN])
		walk->told->cut = MADT_CUT_NONE;
}

static void walk_with_registers(struct walk *walk)
{
	struct registers registers = { 0 };
	struct whole_walk whole = { walk, &registers };

	REGISTERS_HERE(&registers);
	on_own_stack(walk_on, &whole);
	walk->same = walk->told->count;
}

/* ---------------------------------------------------------------- the chain */

static uint32_t nodes_follow(const struct walk *walk)
{
	struct chain_frames *told = walk->told;
	uint32_t node = walk->same < told->count ? told->frame[walk->same].node : 0;

	for (uint32_t i = walk->same; i-- > 0;) {
		struct chain_frame *frame = &told->frame[i];

		if (!(frame->rule & RULE_OWN)) {
			node = node_of(node, frame->exact ? frame->code | MADT_CODE_EXACT : frame->code + 1,
					node ? MADT_CUT_NONE : (enum madt_cut)told->cut);
			if (!node) {
				told->count = 0;
				return 0;
			}
		}
		frame->node = node;
	}
	return node;
}

static uint32_t chain_walk(struct chain_part *part, uintptr_t caller, uintptr_t frame,
		uint64_t base)
{
	struct walk walk = { .last = &part->frames[part->last],
		.told = &part->frames[!part->last],
		.most = session.page->chain < MADT_CHAIN_CALLS ? session.page->chain : MADT_CHAIN_CALLS,
		.caller = caller,
		.frame = frame };
	struct chain_frame first = { .code = caller - 1, .stack = frame + 16, .base = base };
	uint32_t gone = LOAD_ACQUIRE(&modules_gone);

	if (part->gone != gone) {
		part->gone = gone;
		part->frames[part->last].count = 0;
	}
	walk.told->count = 0;
	if (walk_by_rules(&walk, first) == WALK_OTHER)
		walk_with_registers(&walk);
	part->last = !part->last;
	return nodes_follow(&walk);
}

uint32_t chain_of(uintptr_t caller, uintptr_t frame)
{
	uint64_t base;
	uint32_t node;

	if (!attached || !ready || !load_word(frame, &base))
		return 0;
	critical_enter();
	node = chain_walk(&self.chain, caller, frame, base);
	critical_leave();
	return node;
}
