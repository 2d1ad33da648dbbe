#include "splice_apply.h"

#include <asm/prctl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cpuid.h>

#include "base/state.h"
#include "madtcode.h"
#include "map_file.h"
#include "module/module.h"
#include "plan_arrays.h"

#define CHUNK_WORDS 72u /* so few that the guard page is met often */
#define FIRST_TEMPLATE 1000003u
#define EPOCH 0x12345679u

struct accesses recorded, probed;
unsigned long traps, guard_hits, unread;

const unsigned char splice_registers[16] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
	REG_RSI, REG_RDI, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15 };

static struct spliced *now; /* the module that is spliced */
uint64_t splice_counts[SPLICE_COUNTS];
struct madt_switch splice_switches[SPLICE_SWITCHES];
static uint64_t *block; /* high enough for a GS base below it */
static uint64_t *chunk;

extern const uint8_t splice_system[], madt_call_out[];
static uint8_t out_stack[1 << 16] __attribute__((aligned(64)));
/* what call_out.c of the shim has */
uint32_t call_out_bytes;
__attribute__((weak)) uint64_t call_out(uint64_t number, const struct madt_probe_state *state)
{
	(void)state;
	return number;
}

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

void *space_take(size_t size)
{
	static uint8_t *wanted = (uint8_t *)0x100000000000;
	void *space = mmap(wanted, size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (space == MAP_FAILED)
		fail("mmap");
	wanted += (size + MADT_PAGE) / MADT_PAGE * MADT_PAGE;
	return space;
}

void accesses_add(struct accesses *accesses, struct access access)
{
	if (!accesses->items) {
		accesses->capacity = (size_t)1 << 24; /* handlers cannot allocate */
		accesses->items = space_take(accesses->capacity * sizeof access);
	}
	if (accesses->count == accesses->capacity)
		abort();
	accesses->items[accesses->count++] = access;
}

/* ------------------------------------------------- what shim/module/operand.c needs of the shim */

void bytes_copy(void *to, const void *from, size_t n)
{
	memcpy(to, from, n);
}

void bytes_set(void *to, int value, size_t n)
{
	memset(to, value, n);
}

long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
	return syscall(number, a, b, c, d, e, f);
}

/* ---------------------------------------------------------------- words */

static struct madt_plan_templates template_find(uint64_t header)
{
	struct madt_plan_templates templates = plan_templates(now->plan);
	madt_plan_templates_find(&templates, (uint32_t)(header >> 32 & 0x7fffffff) - FIRST_TEMPLATE);
	return templates;
}

static void record_read(const uint64_t *stored, const struct madt_plan_templates *planned)
{
	uint64_t words[MADT_PLAN_TEMPLATE_WORDS];
	const bool accesses = madt_is_access(planned->word->access);
	madt_plan_record_restore(&planned->now, planned->word, stored, words);
	for (uint32_t i = 0; i < planned->now.words; i++) {
		const struct madt_plan_word *word = &planned->word[i];
		if (words[i] != MADT_WORD_NONE || !accesses)
			accesses_add(accesses ? &recorded : &probed,
					(struct access){
							words[i], word->address, word->size, word->access, word->operand });
	}
}

void splice_drain(void)
{
	uint64_t *end = (uint64_t *)block[0];
	for (uint64_t *at = chunk; at < end;) {
		uint32_t number = (uint32_t)(*at >> 32 & 0x7fffffff) - FIRST_TEMPLATE;
		if (*at >> 63 != 1 || (uint32_t)*at != EPOCH || number >= now->plan->templates.count) {
			fprintf(stderr, "no record header: %016lx at word %td of %td\n", *at, at - chunk,
					end - chunk);
			abort();
		}
		const struct madt_plan_templates planned = template_find(*at);
		record_read(at + 1, &planned);
		at += 1 + planned.now.stored;
	}
	memset(chunk, 0xff, CHUNK_WORDS * 8);
	block[0] = (uint64_t)chunk;
}

/* Of an instruction whose elements each have a word. */
static bool word_is_element(const struct madt_plan_word *word)
{
	return word[-1].address == word->address && word[-1].operand == word->operand;
}

bool splice_record_is_open(uint32_t address, bool *unknown)
{
	const uint64_t *end = (const uint64_t *)block[0];
	const uint64_t *last = NULL;
	struct madt_plan_templates planned;
	*unknown = false;
	for (const uint64_t *at = chunk; at < end; at += 1 + planned.now.stored) {
		planned = template_find(*at);
		last = at;
	}
	if (!last)
		return false;
	*unknown = planned.now.words == 1 /* may be masked */ || !madt_is_access(planned.word->access);
	for (uint32_t i = 0; i < planned.now.words; i++) {
		const struct madt_plan_word *word = &planned.word[i];
		bool derived = planned.now.stored < planned.now.words && madt_plan_word_is_derived(word);
		*unknown |= derived ? planned.word->address <= address && address < word->address
							: i && word_is_element(word) && planned.now.stored == planned.now.words;
	}
	return end[-1] == MADT_WORD_NONE;
}

void splice_forget(void)
{
	block[0] = (uint64_t)chunk;
	memset(chunk, 0xff, CHUNK_WORDS * 8);
	recorded.count = probed.count = 0;
	memset(block + MADT_GS_COUNTERS / 8, 0, 8 * MADT_PROBE_COUNTERS);
}

/* ---------------------------------------------------------------- applying */

void splice_calls_save(bool all)
{
	unsigned a, size = 0, c, d;
	call_out_bytes = all && __get_cpuid_count(0xd, 0, &a, &size, &c, &d) && size ? size : 512;
}

static void thread_set_up(void)
{
	if (!chunk) {
		uint8_t *pages = mmap(NULL, 2 * MADT_PAGE, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		mprotect(pages + MADT_PAGE, MADT_PAGE, PROT_NONE);
		chunk = (uint64_t *)(pages + MADT_PAGE) - CHUNK_WORDS;
		block = mmap(NULL, sizeof(struct madt_thread), PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		operand_set_up();
		splice_calls_save(true);
	}
	memset(block, 0, MADT_GS_SIZE);
	block[MADT_GS_CALL / 8] = (uint64_t)splice_system;
	block[MADT_GS_OUT / 8] = (uint64_t)madt_call_out;
	block[MADT_GS_COUNTS / 8] = (uint64_t)splice_counts;
	block[MADT_GS_SWITCHES / 8] = (uint64_t)splice_switches;
	syscall(SYS_arch_prctl, ARCH_GET_FS, &block[MADT_GS_POINTER / 8]);
	block[THREAD_ADDRESS / 8] = (uint64_t)out_stack + sizeof out_stack;
	if (syscall(SYS_arch_prctl, ARCH_SET_GS, (uintptr_t)block - MADT_GS_AT) != 0)
		fail("arch_prctl");
}

static void areas_map(const struct spliced *spliced, const char *path)
{
	const struct madt_plan_area *areas = (const void *)(spliced->bytes
			+ spliced->plan->areas.offset);
	int file = open(path, O_RDONLY);
	for (uint32_t i = 0; i < spliced->plan->areas.count; i++)
		if (mmap(spliced->base + areas[i].address, areas[i].size,
					PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_FIXED_NOREPLACE, file,
					areas[i].offset)
				== MAP_FAILED)
			fail("area");
	close(file);
	uint8_t *page = mmap(spliced->base + spliced->plan->epoch_page, MADT_PAGE,
			PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (page == MAP_FAILED)
		fail("epoch page");
	*(uint32_t *)(page + MADT_PLAN_EPOCH) = EPOCH;
}

static uint8_t *place_address(const struct spliced *spliced, uint32_t place)
{
	const struct madt_plan_area *area = (const void *)(spliced->bytes
			+ spliced->plan->areas.offset);
	while (place - area->offset >= area->size)
		area++;
	return spliced->base + area->address + (place - area->offset);
}

static void templates_relocate(const struct spliced *spliced)
{
	struct madt_plan_rows rows = plan_rows(spliced->bytes, spliced->plan->relocations);
	while (madt_plan_rows_next(&rows)) {
		uint32_t value;
		memcpy(&value, place_address(spliced, rows.row.key), 4);
		value += FIRST_TEMPLATE;
		memcpy(place_address(spliced, rows.row.key), &value, 4);
	}
}

static void original_keep(struct spliced *spliced)
{
	const struct madt_plan_patch *patches = spliced->patches;
	const struct madt_plan_patch *last = &patches[spliced->plan->patches.count - 1];
	spliced->first = patches->address / MADT_PAGE * MADT_PAGE;
	spliced->end = (last->address + last->length + MADT_PAGE) / MADT_PAGE * MADT_PAGE;
	spliced->original = malloc(spliced->end - spliced->first);
	memcpy(spliced->original, spliced->base + spliced->first, spliced->end - spliced->first);
	if (mprotect(spliced->base + spliced->first, spliced->end - spliced->first,
				PROT_READ | PROT_WRITE | PROT_EXEC)
			!= 0)
		fail("mprotect");
}

struct spliced *splice_load(const char *elf_path, const char *plan_path, unsigned variant,
		unsigned flags, uint8_t *start)
{
	struct {
		struct madtcode_choice choice;
		struct madtcode_probe accesses;
	} all = { { variant, flags, 1, 0 }, { .kind = MADT_PROBE_ACCESS, .end = UINT32_MAX } };
	return splice_load_chosen(elf_path, plan_path, &all.choice, start);
}

struct spliced *splice_load_chosen(const char *elf_path, const char *plan_path,
		const struct madtcode_choice *choice, uint8_t *start)
{
	static struct spliced spliced;
	char error[300];
	size_t size;
	if (madtcode_plan_chosen(elf_path, plan_path, choice, error, sizeof error) != 0
			|| madtcode_plan_check(plan_path, NULL, 0, error, sizeof error) != 0) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
	spliced = (struct spliced){ .bytes = file_bytes(plan_path, &size) };
	spliced.plan = (const void *)spliced.bytes;
	spliced.patches = plan_patches(spliced.bytes, spliced.plan->patches);
	spliced.entries = plan_entries(spliced.bytes, spliced.plan->entries);
	spliced.boundaries = plan_boundaries(spliced.bytes, spliced.plan->boundaries);
	spliced.base = start - spliced.plan->module_start;
	areas_map(&spliced, plan_path);
	templates_relocate(&spliced);
	original_keep(&spliced);
	thread_set_up();
	now = &spliced;
	return &spliced;
}

void splice_unload(struct spliced *spliced)
{
	const struct madt_plan_area *areas = (const void *)(spliced->bytes
			+ spliced->plan->areas.offset);
	splice_patch(spliced, false);
	for (uint32_t i = 0; i < spliced->plan->areas.count; i++)
		munmap(spliced->base + areas[i].address, areas[i].size);
	munmap(spliced->base + spliced->plan->epoch_page, MADT_PAGE);
	free((void *)spliced->patches);
	free((void *)spliced->entries);
	free((void *)spliced->boundaries);
	free((void *)spliced->bytes);
	free(spliced->original);
}

/* Checks that what is written here is what the plan's patched text image has. */
static void patched_text_compare(const struct spliced *spliced)
{
	const struct madt_plan_patched_text *whole = &spliced->plan->patched_text;
	if (whole->size
			&& memcmp(spliced->base + whole->address, spliced->bytes + whole->offset, whole->size)
					!= 0) {
		fprintf(stderr, "the text with all patches is not the patched text image\n");
		exit(1);
	}
}

void splice_patch(struct spliced *spliced, bool patched)
{
	const struct madt_plan_patch *patches = spliced->patches;
	memcpy(spliced->base + spliced->first, spliced->original, spliced->end - spliced->first);
	for (uint32_t i = 0; patched && i < spliced->plan->patches.count; i++) {
		uint8_t *at = spliced->base + patches[i].address;
		memset(at, 0xcc, patches[i].length);
		if (patches[i].tactic == MADT_TACTIC_NEAR) {
			at[0] = 0xeb;
			at[1] = (uint8_t)patches[i].relative;
		} else if (patches[i].length > 1) {
			*at = 0xe9;
			memcpy(at + 1, &patches[i].relative, 4);
		}
	}
	const struct madt_plan_springboard *springboards = (const void *)(spliced->bytes
			+ spliced->plan->springboards.offset);
	for (uint32_t i = 0; patched && i < spliced->plan->springboards.count; i++) {
		uint8_t *at = spliced->base + springboards[i].address;
		*at = 0xe9;
		memcpy(at + 1, &springboards[i].relative, 4);
	}
	if (patched)
		patched_text_compare(spliced);
}

uint64_t splice_behind_springboard(uint64_t address)
{
	const struct madt_plan_springboard *springboards = (const void *)(now->bytes
			+ now->plan->springboards.offset);
	for (uint32_t i = 0; i < now->plan->springboards.count; i++)
		if ((uint64_t)now->base + springboards[i].address == address)
			return (uint64_t)now->base + springboards[i].patch;
	return address;
}

const uint8_t *splice_original(const struct spliced *spliced, uint32_t address)
{
	if (address >= spliced->first && address < spliced->end)
		return spliced->original + (address - spliced->first);
	return spliced->base + address;
}

/* ---------------------------------------------------------------- handlers */

/* Reserves room for a record, as the code in a trampoline does. */
static uint64_t *record_reserve(uint32_t words)
{
	if (block[0] + 8 * (words + 1) > (uint64_t)(chunk + CHUNK_WORDS))
		splice_drain();
	uint64_t *begin = (uint64_t *)block[0];
	block[0] += 8 * (words + 1);
	return begin;
}

uint32_t splice_words(const struct madt_code_operand *operand, const ucontext_t *context,
		uint64_t *words)
{
	struct module module = { .bias = (uintptr_t)now->base };
	struct madt_code_operand asked = *operand;
	if (operand->segment != MADT_SEGMENT_NONE
			&& !(operand->segment == MADT_SEGMENT_FS && now->plan->flags & MADT_PLAN_TLS))
		return 0;
	if (now->plan->flags & MADT_PLAN_STACK)
		asked.flags &= (uint8_t)~MADT_OPERAND_STACK; /* which the trap engine leaves out */
	else if (operand->flags & MADT_OPERAND_STACK)
		return 0;
	return operand_addresses(&module, &asked, context, words);
}

/* Records what a handler records of a step: with the operand rules of the trap engine. */
static void step_record(const struct madt_plan_step *step, const ucontext_t *context)
{
	const struct madt_code_operand *operands = (const void *)(now->bytes
			+ now->plan->operands.offset);
	const uint8_t *templates = now->bytes + now->plan->templates.offset;
	uint64_t *begin = record_reserve(madt_plan_template_of(templates, step->number).words);
	uint64_t *words = begin + 1;
	for (uint32_t i = 0; i < step->operands; i++)
		words += splice_words(&operands[step->first_operand + i], context, words);
	*begin = MADT_RECORD_HEADER(step->number + FIRST_TEMPLATE, EPOCH);
}

bool splice_trap(ucontext_t *context, uint64_t address)
{
	const struct madt_plan_entry *entries = now->entries;
	const struct madt_plan_step *steps = (const void *)(now->bytes + now->plan->steps.offset);
	uint32_t low = 0, high = now->plan->entries.count;
	uint64_t offset = address - (uint64_t)now->base;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (entries[middle].address < offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == now->plan->entries.count || entries[low].address != offset)
		return false;
	traps++;
	if (entries[low].step != MADT_PLAN_NONE)
		step_record(&steps[entries[low].step], context);
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)place_address(now, entries[low].place);
	return true;
}

bool splice_guard(ucontext_t *context, uint64_t fault)
{
	static const uint8_t load[] = { 0x65, 0x8b, 0x25 };
	uint8_t *restart = (uint8_t *)context->uc_mcontext.gregs[REG_RIP] - MADT_PLAN_RESTART;
	if (fault - (uint64_t)(chunk + CHUNK_WORDS) >= MADT_PAGE)
		return false;
	if (restart[0] != load[0] || restart[2] != load[1] || restart[4] != load[2])
		return false;
	guard_hits++;
	splice_drain();
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)restart;
	return true;
}

/* The place of an address in an area, or 0. */
static uint32_t place_of(uint64_t address)
{
	const struct madt_plan_area *areas = (const void *)(now->bytes + now->plan->areas.offset);
	for (uint32_t i = 0; i < now->plan->areas.count; i++)
		if (address - (uint64_t)(now->base + areas[i].address) < areas[i].size)
			return areas[i].offset + (uint32_t)(address - (uint64_t)(now->base + areas[i].address));
	return 0;
}

bool splice_unread(ucontext_t *context)
{
	greg_t *rip = &context->uc_mcontext.gregs[REG_RIP];
	const uint32_t place = place_of((uint64_t)*rip);
	struct madt_plan_rows rows = plan_rows(now->bytes, now->plan->loads);
	while (place && madt_plan_rows_next(&rows)) {
		const struct madt_plan_load load = madt_plan_load_of(rows.row);
		if (load.place != place)
			continue;
		context->uc_mcontext.gregs[splice_registers[load.to]] = -1;
		*rip += load.resume - load.place;
		unread++;
		return true;
	}
	return false;
}

uint64_t splice_spilled(unsigned slot)
{
	return block[MADT_GS_SPILL / 8 + slot];
}

const struct madt_plan_boundary *splice_boundary(uint64_t address, bool *inside)
{
	const struct madt_plan_boundary *boundaries = now->boundaries;
	const uint32_t place = place_of(address);
	*inside = place != 0;
	uint32_t low = 0, high = now->plan->boundaries.count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (boundaries[middle].place < place)
			low = middle + 1;
		else
			high = middle;
	}
	return *inside && low < now->plan->boundaries.count && boundaries[low].place == place
			? &boundaries[low]
			: NULL;
}
