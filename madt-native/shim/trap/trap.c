/*
 * Engine `trap`, the paper's method: an access to a closed page faults, is recorded from the
 * registers, runs alone under the trap flag with the page open, and the page closes again. No
 * handler of the target runs within a step: the signal mask is filled for its duration, but for
 * signals that the instruction itself may raise.
 */
#include "trap/trap.h"

#include "module/module.h"
#include "region/region.h"
#include "session/session.h"
#include "thread/thread.h"

#include <sys/mman.h>

static void step_open(uintptr_t page)
{
	for (unsigned i = self.trap.step.pages; i-- > 0;)
		if (self.trap.step.page[i] == page) {
			region_open(page, page + MADT_PAGE);
			return;
		}
	if (self.trap.step.pages < STEP_PAGES_MAX)
		self.trap.step.page[self.trap.step.pages++] = page;
	region_open(page, page + MADT_PAGE);
}

/* In a wrapper the page stays open until the wrapper ends. */
static void keep_open(uintptr_t page)
{
	if (!self.thread.kept && !self.thread.kept_all)
		self.thread.kept_since = tsc_now();
	if (self.thread.kept && self.thread.kept_open[self.thread.kept - 1].end == page)
		self.thread.kept_open[self.thread.kept - 1].end += MADT_PAGE;
	else if (self.thread.kept < KEPT_MAX)
		self.thread.kept_open[self.thread.kept++] = (struct range){ page, page + MADT_PAGE };
	else
		self.thread.kept_all = true;
	if (self.thread.kept_all)
		region_open_all();
	else
		region_open(page, page + MADT_PAGE);
}

static bool any_traced(uint64_t *words, uint32_t count)
{
	bool any = false;

	for (uint32_t i = 0; i < count; i++) {
		if (words[i] != MADT_WORD_NONE && !region_traced(words[i]))
			words[i] = MADT_WORD_NONE;
		any |= words[i] != MADT_WORD_NONE;
	}
	return any;
}

/*
 * Thread-local storage, which is not traced, lies in traced memory if the thread's stack was
 * allocated there.
 */
static bool thread_local(uintptr_t code)
{
	return segment_prefix(code, 0) == PREFIX_FS;
}

static void access_unknown(uintptr_t code, uintptr_t address, bool write)
{
	uint64_t words[] = { code, address };

	__atomic_fetch_add(&session.control->unknown_sites, 1, __ATOMIC_RELAXED);
	record_write(write ? MADT_TEMPLATE_WRITE_UNKNOWN : MADT_TEMPLATE_LOAD_UNKNOWN, words, 2);
}

static bool touches_stack(const struct module *module, const struct madt_code_entry *entry)
{
	for (unsigned i = 0; i < entry->operands; i++)
		if (module->operand[entry->first_operand + i].flags & MADT_OPERAND_STACK)
			return true;
	return false;
}

static void access_record(const ucontext_t *context, uintptr_t code, uintptr_t address, bool write)
{
	const struct module *module = module_of(code);
	const struct madt_code_entry *entry;
	uint64_t words[256 + 64];
	uint32_t count = 0;

	if (module && (module->flags & (MODULE_LOADER | MODULE_SHIM)))
		return;
	entry = module ? module_entry(module, code) : NULL;
	if (!entry || !entry->operands) {
		if (thread_local(code) || flushes_line(code))
			return;
		access_unknown(code, address, write);
		return;
	}
	for (unsigned i = 0; i < entry->operands && count < 256; i++)
		count += operand_addresses(module, &module->operand[entry->first_operand + i], context,
				words + count);
	self.trap.step.elements = entry->words > entry->operands;
	if (any_traced(words, count))
		record_write(module->first_template + (uint32_t)(entry - module->entry), words, count);
	else if (!touches_stack(module, entry))
		access_unknown(code, address, write);
}

/* Was it one of our closed pages, touched in a way that the target may? */
static bool fault_is_ours(const siginfo_t *info, uint64_t error, struct region *region)
{
	uint32_t needed = error & FAULT_WRITE ? PROT_WRITE : PROT_READ;

	return info->si_code == SEGV_ACCERR && !(error & FAULT_FETCH)
			&& region_find((uintptr_t)info->si_addr, region) && (region->flags & REGION_TRACED)
			&& (region->protection & needed);
}

/*
 * The target may do what faulted: another thread opened the page for good meanwhile (a call, or the
 * end of its own life, took it out of what is traced). It is done again, once.
 */
static bool fault_is_past(const siginfo_t *info, const greg_t *registers,
		const struct region *region)
{
	uint32_t needed = registers[REG_ERR] & FAULT_WRITE ? PROT_WRITE : PROT_READ;
	uintptr_t address = (uintptr_t)info->si_addr, code = (uintptr_t)registers[REG_RIP];

	if (info->si_code != SEGV_ACCERR || (registers[REG_ERR] & FAULT_FETCH)
			|| address - region->start >= region->end - region->start
			|| !(region->protection & needed)
			|| (self.trap.past_code == code && self.trap.past_address == address))
		return false;
	self.trap.past_code = code;
	self.trap.past_address = address;
	return true;
}

bool trap_fault(const siginfo_t *info, ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t code = (uintptr_t)registers[REG_RIP], page = PAGE_DOWN(info->si_addr);
	bool write = registers[REG_ERR] & FAULT_WRITE;
	struct region region = { 0 };

	if (region_changing((uintptr_t)info->si_addr)) {
		SYS0(__NR_sched_yield);
		return true;
	}
	if (!fault_is_ours(info, (uint64_t)registers[REG_ERR], &region))
		return gs_override(info, context) || fault_is_past(info, registers, &region);
	if (!recording || !recording_goes_on())
		/* Another thread has just stopped the recording: the page is open, or is opened here. */
		return region_open(page, page + MADT_PAGE);
	__atomic_fetch_add(&session.control->faults, 1, __ATOMIC_RELAXED);
	if (trap_rseq_aborted(code, page))
		return true;
	if (!self.trap.step.active) {
		frame_prune((uintptr_t)registers[REG_RSP]);
		if (frame_silent()) {
			keep_open(page);
			return true;
		}
		trap_begin_step(context);
		self.trap.step.wrote = write ? (uintptr_t)info->si_addr : 0;
		access_record(context, code, (uintptr_t)info->si_addr, write);
	}
	step_open(page);
	return true;
}
