/*
 * Copies of patched text. A program may copy its code by loads of its own, which see the patches
 * (what memcpy and its kin copy has none: text_own.c), make the copy executable and run it. A jump
 * in it leads as far beside its trampoline as the copy is from the text, which most often is
 * nowhere. So the copy gets the module's own bytes:
 *
 *   when memory becomes executable     where its jumps lead to code, which would run
 *   when a page is executed first      the same, if it can be written: a copy may come later
 *   when nothing can be fetched        from all executable memory that a jump leads there from;
 *   at some address                    the thread goes on in front of that jump
 *   when a jump leads where no         around that jump, in front of which the thread still is
 *   address can be (#GP)
 *
 * Memory that the program may write and execute is for that not executable at first, a page at a
 * time, but only where copies' jumps may lead to code.
 *
 * A jump changes nothing but the instruction pointer, so the thread is as it was in front of it.
 * While bytes change, the pages are not executable: who comes there faults, and comes again.
 */
#include "splice/splice_copies.h"
#include "splice/splice.h"

#include "base/spin.h"
#include "base/state.h"
#include "region/region.h"
#include "session/session.h"
#include "text/text.h"
#include "text/text_plan.h"

#include <sys/mman.h>

#define JUMP 0xe9
#define PIECE 0x10000u
#define FETCH 0x10                    /* of the page fault's error code */
#define NEW_BYTES ((size_t)1 << 20)   /* that are looked at when memory becomes executable */
#define SEEN_BYTES ((size_t)64 << 20) /* after a fault */
/*
 * A program that makes code as it runs does so often. After so many bytes without a copy no more
 * are looked at; a look-up of one jump, or a fault for one page, counts as so many. The
 * same of faults that nothing is done for.
 */
#define FUTILE_BYTES ((size_t)64 << 20)
#define FUTILE_JUMP ((size_t)4 << 20)
#define FUTILE_PAGE ((size_t)16 << 10)
#define FUTILE_FAULTS 16u
#define KEPT 64u

static struct spin lock;
static uint32_t changes, futile_faults;
static size_t futile;
static uint8_t piece[PIECE];

/* The latest copies that got the module's bytes: a thread may still be on its way out of one. */
static struct copied_jump kept[KEPT];
static uint32_t kept_count;

static void copies_hold(void)
{
	spin_lock(&lock);
}

static void copies_let_go(void)
{
	spin_unlock(&lock);
}

void copies_after_fork(void)
{
	spin_after_fork(&lock);
}

/* ---------------------------------------------------------------- bytes of the module's own */

/* Memory in pages of one region that the program can execute. False: it cannot be written. */
static bool copy_write(const struct copied_jump *copy, const uint8_t *own)
{
	struct region region;

	return region_find(copy->equal.start, &region)
			&& text_write_as(copy->equal, own, region.protection);
}

static bool copy_mend(const struct copied_jump *copy)
{
	const struct range text = { copy->equal.start - copy->distance,
		copy->equal.end - copy->distance };
	const size_t size = text.end - text.start;
	uint8_t *own = sys_pages(PAGE_UP(size));
	bool done;

	if (!own)
		return false;
	own_text_copy(copy->module, text, own);
	done = copy_write(copy, own);
	sys_unmap((uintptr_t)own, PAGE_UP(size));
	if (!done)
		return false;
	kept[kept_count++ % KEPT] = *copy;
	__atomic_fetch_add(&changes, 1, __ATOMIC_RELEASE);
	return true;
}

/* If the program runs the copy, it ends by a signal that it would not get alone. */
static void copy_tell(void)
{
	static bool told;

	if (!told)
		say("the program has copied code with MadT's changes in it, which cannot run where it is. "
			"Record the program with --engine trap",
				"");
	told = true;
}

/* It would lead into code that is another's. A trap ends the program there, if it comes there. */
static void copy_stop(struct copied_jump *copy, uintptr_t at)
{
	static const uint8_t trap = 0xcc;

	copy->equal = (struct range){ at, at + 1 };
	copy_write(copy, &trap);
	copy_tell();
}

/* ---------------------------------------------------------------- jumps in memory */

/* At any address; a string instruction takes ten times as long for so few bytes. */
struct eight {
	uint64_t value;
} __attribute__((packed, may_alias));

/* The next byte of a jump from `i` on, or `size`. */
static size_t jump_next(const uint8_t *bytes, size_t i, size_t size)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);

	for (; i + 8 <= size; i += 8) {
		uint64_t eight = ((const struct eight *)(bytes + i))->value ^ ones * JUMP;

		if ((eight - ones) & ~eight & ones << 7)
			break;
	}
	while (i < size && bytes[i] != JUMP)
		i++;
	return i;
}

struct looked {
	struct range room; /* of one region */
	uintptr_t wanted;  /* where the jump leads that is looked for, or 0 */
	struct copied_jump copy;
	uint32_t count; /* of those that lead there */
	bool known;     /* the last of them is */
};

/* One that leads to the wanted address; the caller mends it, if it is the only one. */
static void see_wanted(struct looked *looked, uintptr_t at, int32_t relative)
{
	if (at + MADT_PLAN_JUMP + (uintptr_t)(intptr_t)relative != looked->wanted
			|| !copied_jump_possible(relative))
		return;
	looked->count++;
	looked->known = copied_jump_find(at, relative, looked->room, &looked->copy);
}

/* True: bytes have changed. */
static bool see_new(struct looked *looked, uintptr_t at, int32_t relative)
{
	struct copied_jump copy;
	uintptr_t to = at + MADT_PLAN_JUMP + (uintptr_t)(intptr_t)relative;

	if (futile > FUTILE_BYTES || !copied_jump_possible(relative)
			|| !copied_meets_code((struct range){ to, to + 1 }))
		return false;
	if (!copied_jump_find(at, relative, looked->room, &copy)) {
		futile += FUTILE_JUMP;
		return false;
	}
	if (!copy_mend(&copy))
		copy_stop(&copy, at);
	futile = 0;
	return true;
}

static void look_in_piece(struct looked *looked, uintptr_t at, size_t size)
{
	for (size_t i = 0; (i = jump_next(piece, i, size)) + MADT_PLAN_JUMP <= size; i++) {
		int32_t relative = (int32_t)((const struct number *)(piece + i + 1))->value;

		if (looked->wanted)
			see_wanted(looked, at + i, relative);
		else if (see_new(looked, at + i, relative))
			copied_read(piece, at, size);
	}
}

static void look_in(struct looked *looked, struct range range)
{
	for (uintptr_t at = range.start; at < range.end; at += PIECE - MADT_PLAN_JUMP + 1) {
		size_t size = range.end - at < PIECE ? range.end - at : PIECE;
		size_t got = copied_read(piece, at, size);

		look_in_piece(looked, at, got);
		if (got < size)
			break;
	}
}

/* ---------------------------------------------------------------- memory becomes executable */

static bool is_text(const struct region *region)
{
	const struct module *module = module_of(region->start);

	for (uint32_t i = 0; module && i < module->text_count && i < MODULE_TEXTS; i++)
		if (region->start < module->texts[i].end && region->end > module->texts[i].start)
			return true;
	return false;
}

void copies_new(uintptr_t start, uintptr_t end, uint32_t protection)
{
	struct region region = { .start = start, .end = end };
	struct looked looked = { .room = { start, end } };

	if (futile > FUTILE_BYTES || is_text(&region) || !copied_leads_to_code(looked.room))
		return;
	copies_hold();
	if (protection & PROT_WRITE) {
		SYS3(__NR_mprotect, start, end - start, protection & ~(uint32_t)PROT_EXEC);
		__atomic_fetch_add(&changes, 1, __ATOMIC_RELEASE);
	} else {
		if (end - start > NEW_BYTES)
			end = start + NEW_BYTES;
		futile += end - start;
		look_in(&looked, (struct range){ start, end });
	}
	copies_let_go();
}

/* The page at hand of memory that is executable for the program, and its neighbours. */
static void page_open(const struct region *region, uintptr_t page)
{
	struct looked looked = { .room = { region->start, region->end } };
	struct range around = { page > region->start ? page - MADT_PAGE : page, page + 2 * MADT_PAGE };

	if (around.end > region->end)
		around.end = region->end;
	futile += FUTILE_PAGE;
	if (futile > FUTILE_BYTES) {
		SYS3(__NR_mprotect, region->start, region->end - region->start, region->protection);
		return;
	}
	look_in(&looked, around);
	SYS3(__NR_mprotect, page, MADT_PAGE, region->protection);
}

void copies_release(void)
{
	struct region region;

	for (uintptr_t at = 0; region_next(at, &region); at = region.end)
		if (region.protection & PROT_WRITE && region.protection & PROT_EXEC && !is_text(&region))
			SYS3(__NR_mprotect, region.start, region.end - region.start, region.protection);
}

/* ---------------------------------------------------------------- nothing can be fetched */

/* In all executable memory within reach of a jump but the modules' text. */
static void look_everywhere(struct looked *looked)
{
	const uintptr_t reach = (uintptr_t)INT32_MAX;
	uintptr_t at = looked->wanted > reach ? looked->wanted - reach : 0;
	size_t seen = 0;
	struct region region;

	for (; region_next(at, &region) && seen < SEEN_BYTES; at = region.end) {
		if (region.start > looked->wanted && region.start - looked->wanted > reach)
			break;
		if (!(region.protection & PROT_EXEC) || is_text(&region))
			continue;
		looked->room = (struct range){ region.start, region.end };
		look_in(looked, looked->room);
		seen += region.end - region.start;
	}
}

/* Says where a thread goes on that this jump has led; false: in no place that is copied. */
static bool copy_resumes(const struct copied_jump *copy, uintptr_t *resumes)
{
	*resumes = copy->resumes + copy->distance;
	return *resumes >= copy->equal.start && *resumes < copy->equal.end;
}

/* It came from a copy that another thread has just given the module's bytes. */
static bool came_from_kept(uintptr_t to, uintptr_t *resumes)
{
	for (uint32_t i = 0; i < kept_count && i < KEPT; i++) {
		struct copied_jump copy = kept[i];
		uint32_t place;

		if (!copy.module->end || splice_module(to - copy.distance, &place) != copy.module
				|| !copied_jump_to(copy.module, to - copy.distance, &copy))
			continue;
		if (copy_resumes(&copy, resumes))
			return true;
	}
	return false;
}

static bool came_from_copy(uintptr_t to, uintptr_t *resumes)
{
	struct looked looked = { .wanted = to };

	if (came_from_kept(to, resumes))
		return true;
	if (futile_faults > FUTILE_FAULTS)
		return false;
	look_everywhere(&looked);
	*resumes = looked.copy.resumes + looked.copy.distance;
	if (looked.count == 1 && looked.known && *resumes >= looked.copy.equal.start
			&& copy_mend(&looked.copy))
		return true;
	if (looked.count)
		copy_tell();
	else
		futile_faults++;
	return false;
}

/* Memory that is executable for the program: its page was not, or another thread changed bytes. */
static bool comes_again(uintptr_t at)
{
	uint32_t latest = LOAD_ACQUIRE(&changes);
	bool first = self.splice.copies != latest || self.splice.copies_page != PAGE_DOWN(at);
	struct region region;

	if (!first || !region_find(at, &region) || !(region.protection & PROT_EXEC))
		return false;
	page_open(&region, PAGE_DOWN(at));
	self.splice.copies = latest;
	self.splice.copies_page = PAGE_DOWN(at);
	return true;
}

/*
 * The thread is at a jump out of the range of addresses: the processor refuses the jump, not the
 * fetch (Intel SDM volume 2, JMP).
 */
static bool is_at_copy(uintptr_t at, uintptr_t *resumes)
{
	struct copied_jump copy;
	struct region region;
	uint8_t jump[MADT_PLAN_JUMP];
	int32_t relative;

	if (copied_read(jump, at, sizeof jump) < sizeof jump || jump[0] != JUMP
			|| !region_find(at, &region) || !(region.protection & PROT_EXEC) || is_text(&region))
		return false;
	relative = (int32_t)((const struct number *)(jump + 1))->value;
	if (!copied_jump_possible(relative))
		return false;
	if (copied_jump_find(at, relative, (struct range){ region.start, region.end }, &copy)
			&& copy_resumes(&copy, resumes) && copy_mend(&copy))
		return true;
	copy_tell();
	return false;
}

static bool refused(const siginfo_t *info, ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t resumes;
	bool back;

	if (info->si_code != SI_KERNEL || (uintptr_t)info->si_addr)
		return false;
	copies_hold();
	back = is_at_copy((uintptr_t)registers[REG_RIP], &resumes);
	if (back)
		registers[REG_RIP] = (greg_t)resumes;
	copies_let_go();
	return back;
}

bool copies_on_fetch(const siginfo_t *info, ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t at = (uintptr_t)info->si_addr, resumes;
	bool back;

	if (refused(info, context))
		return true;
	if (info->si_code <= 0 || !(registers[REG_ERR] & FETCH))
		return false;
	copies_hold();
	back = comes_again(at);
	if (!back && at == (uintptr_t)registers[REG_RIP] && came_from_copy(at, &resumes)) {
		registers[REG_RIP] = (greg_t)resumes;
		back = true;
	}
	copies_let_go();
	return back;
}
