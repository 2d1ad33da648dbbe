/*
 * Where a thread in a trampoline can be shown at an address of the original code, which it enters
 * anew from there. What an instruction is about to access stands in the record before the
 * instruction runs: when it is to be entered anew, it must not stand there.
 */
#include "splice/splice.h"

#include "base/state.h"
#include "module/module.h"
#include "session/session.h"
#include "text/text_plan.h"

#include <sys/mman.h>

#define JUMP 0xe9

static bool boundary_find(const struct module *module, uint32_t place,
		struct madt_plan_boundary *boundary)
{
	struct madt_plan_row row;

	if (!plan_row(module->plan, module->plan->boundaries, place, &row) || row.key != place)
		return false;
	*boundary = madt_plan_boundary_of(row);
	return true;
}

uintptr_t splice_before_springboard(uintptr_t code)
{
	const struct module *module = module_of(code);
	const struct madt_plan_springboard *springboard;

	if (!module || !module->plan)
		return 0;
	springboard = springboard_from(module->plan, code - module->bias);
	return springboard < springboards_end(module->plan)
					&& module->bias + springboard->address == code
			? module->bias + springboard->patch
			: 0;
}

uintptr_t splice_shown_at(const struct module *module, uint32_t place)
{
	struct madt_plan_boundary boundary;

	return boundary_find(module, place, &boundary) ? module->bias + boundary.address : 0;
}

void splice_show_there(const struct module *module, uint32_t place, ucontext_t *context)
{
	struct madt_plan_boundary boundary;
	greg_t *registers = context_registers(context);

	if (!boundary_find(module, place, &boundary))
		return;
	for (unsigned i = 0; i < 2; i++)
		if (boundary.held[i] != MADT_REGISTER_NONE)
			registers[register_place(boundary.held[i])] = (greg_t)self.block[MADT_GS_SPILL / 8 + i];
	registers[REG_RIP] = (greg_t)(module->bias + boundary.address);
}

/* A jump: back, on to a callee, or to the next iteration of a string instruction. */
bool splice_boundary_clean(uintptr_t at)
{
	return *(const uint8_t *)at == JUMP;
}

/* Finds what the module's plan says of a template. */
static void template_find(const struct module *module, uint32_t number,
		struct madt_plan_templates *planned)
{
	*planned = (struct madt_plan_templates){
		.bytes = plan_table(module->plan, module->plan->templates),
		.index = plan_table(module->plan, module->plan->words),
		.count = module->plan->templates.count,
	};
	madt_plan_templates_find(planned, number);
}

/* The words of the record that the thread wrote in front of a place in its chunk, one of this
 * module's; NULL if there is none. */
static uint64_t *record_before(const struct module *module, uint64_t *end,
		struct madt_plan_templates *planned)
{
	const uint8_t *templates = plan_table(module->plan, module->plan->templates);
	uint64_t *first = self.session.chunk + MADT_CHUNK_HEADER_WORDS;

	for (uint32_t n = 1; n <= MADT_PLAN_TEMPLATE_WORDS && end - n > first; n++) {
		uint64_t header = end[-1 - (long)n];
		uint32_t number = (uint32_t)(header >> 32 & MADT_TEMPLATE_RESERVED)
				- module->first_template;

		if (header >> 63 && number < module->plan->templates.count
				&& madt_plan_template_of(templates, number).stored == n) {
			template_find(module, number, planned);
			return end - n;
		}
	}
	return NULL;
}

/* Something that the collector drops: the record before it is not waited for any longer. */
static void record_end(uintptr_t code)
{
	uint64_t words[] = { code, (uintptr_t)madt_sys_begin };

	record_write(MADT_TEMPLATE_LOAD_UNKNOWN, words, 2);
}

static void words_withdraw(const struct module *module, const struct madt_plan_templates *planned,
		uint64_t *words, uintptr_t code)
{
	for (uint32_t i = 0; i < planned->now.words; i++)
		if (module->bias + planned->word[i].address == code)
			words[i] = MADT_WORD_NONE;
}

static bool template_derives(const struct madt_plan_templates *planned)
{
	return planned->now.stored < planned->now.words;
}

/*
 * Returns whether an instruction at a boundary is in the midst of the record that was written last.
 */
static bool template_holds(const struct madt_plan_templates *planned,
		const struct madt_plan_boundary *boundary)
{
	bool holds = boundary->open;

	for (uint32_t i = 0; i < planned->now.words; i++)
		holds |= planned->word[i].address == boundary->address;
	return holds;
}

/*
 * Cuts a record with derived words short: those of instructions from `end` on are not made. The
 * others come into its whole form, which has the next number; false: there are none.
 */
static bool record_cut(const struct module *module, const struct madt_plan_templates *planned,
		uint64_t *stored, uintptr_t end)
{
	uint64_t words[MADT_PLAN_TEMPLATE_WORDS], header = stored[-1];
	bool some = false;

	madt_plan_record_restore(&planned->now, planned->word, stored, words);
	for (uint32_t i = 0; i < planned->now.words; i++)
		if (module->bias + planned->word[i].address >= end)
			words[i] = MADT_WORD_NONE;
		else
			some = true;
	for (uint32_t i = 0; i < planned->now.stored; i++)
		stored[i] = MADT_WORD_NONE;
	if (some)
		record_write_of((uint32_t)(header >> 32 & MADT_TEMPLATE_RESERVED) + 1, (uint32_t)header,
				words, planned->now.words);
	return some;
}

/* The record that was written last, and where the place can be shown; NULL without one of both. */
static uint64_t *record_at(const struct module *module, uint32_t place,
		struct madt_plan_templates *planned, struct madt_plan_boundary *boundary)
{
	if (!self.session.led || !self.session.chunk || !boundary_find(module, place, boundary))
		return NULL;
	return record_before(module, (uint64_t *)self.block[0], planned);
}

void splice_cut(const struct module *module, uint32_t place)
{
	struct madt_plan_boundary boundary;
	struct madt_plan_templates planned;
	uint64_t *words = record_at(module, place, &planned, &boundary);

	if (words && template_derives(&planned) && template_holds(&planned, &boundary))
		record_cut(module, &planned, words, module->bias + boundary.address + 1);
}

/*
 * Its probes stand in front of its accesses, and have the numbers before, of which some may have made
 * no record: those of another round stay, as do probes behind it. `last`: the record that ends with
 * it.
 */
static void probes_withdraw(const struct module *module, const struct madt_plan_templates *last,
		uint64_t *words, uintptr_t code)
{
	struct madt_plan_templates planned;

	for (uint32_t next = last->next - 1; (words = record_before(module, words - 1, &planned))
			&& planned.next <= next && !madt_is_access(planned.word->access)
			&& module->bias + planned.word->address == code;
			next = planned.next - 1)
		words_withdraw(module, &planned, words, code);
}

void splice_withdraw(const struct module *module, uint32_t place)
{
	struct madt_plan_boundary boundary;
	struct madt_plan_templates planned;
	uint64_t *words = record_at(module, place, &planned, &boundary);
	uintptr_t code;

	if (!words)
		return;
	code = module->bias + boundary.address;
	probes_withdraw(module, &planned, words, code);
	if (!template_derives(&planned))
		words_withdraw(module, &planned, words, code);
	else if (template_holds(&planned, &boundary) && record_cut(module, &planned, words, code))
		return;
	record_end(code);
}
