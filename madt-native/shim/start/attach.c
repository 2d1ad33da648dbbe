/*
 * A process that runs already takes part: madt-inject has mapped this library, and no loader knows
 * it (madt_attach.h). All threads are stopped. So whatever a constructor finds undone is there by
 * now: modules, threads, handlers, blocks; and no function is interposed. Allocators are entered
 * through hooks of their plans instead.
 */
#include "madt_attach.h"

#include "chain/chain.h"
#include "start/alone.h"
#include "start/start.h"

#include "fault/fault.h"
#include "gate/gate.h"
#include "module/module.h"
#include "module/symbols.h"
#include "region/region.h"
#include "signal/signal.h"
#include "splice/splice.h"
#include "text/text.h"
#include "thread/thread.h"
#include "wrap/wrap.h"

#include <asm/prctl.h>
#include <elf.h>
#include <link.h>
#include <linux/futex.h>
#include <sys/auxv.h>

/* The stacks of the injector's, as long as they are there; it writes this. */
EXPORT struct madt_range madt_attach_stacks __attribute__((section(".data"))) = { 0 };

/* ---------------------------------------------------------------- the loader's list */

static const ElfW(Phdr) * headers;
static size_t header_count;

static const ElfW(Phdr) * header_of(uint32_t type)
{
	for (size_t i = 0; i < header_count; i++)
		if (headers[i].p_type == type)
			return &headers[i];
	return NULL;
}

/* The difference between the program's addresses and those in its file. */
static uintptr_t program_bias(void)
{
	const ElfW(Phdr) *own = header_of(PT_PHDR), *load = header_of(PT_LOAD);
	const uintptr_t start = PAGE_DOWN(headers);

	if (own)
		return (uintptr_t)headers - own->p_vaddr;
	/* a static program's lie behind the header of its file, in the first segment */
	return load && bytes_compare((const void *)start, ELFMAG, SELFMAG) == 0
			? start - PAGE_DOWN(load->p_vaddr)
			: 0;
}

/* A static program has no list: one is made of the program and the vDSO. */
static struct r_debug *list_make(uintptr_t bias)
{
	static struct link_map program, vdso;
	static char no_name[] = "", vdso_name[] = "linux-vdso.so.1";
	static struct r_debug list;
	const ElfW(Phdr) *dynamic = header_of(PT_DYNAMIC);

	program = (struct link_map){ .l_addr = bias,
		.l_name = no_name,
		.l_ld = dynamic ? (ElfW(Dyn) *)(bias + dynamic->p_vaddr) : NULL };
	vdso = (struct link_map){
		.l_addr = madt_alone_getauxval(AT_SYSINFO_EHDR), .l_name = vdso_name, .l_prev = &program
	};
	program.l_next = vdso.l_addr ? &vdso : NULL;
	list = (struct r_debug){ .r_version = 1, .r_map = &program, .r_state = RT_CONSISTENT };
	return &list;
}

static char program_file[1024]; /* where the kernel has begun another one: the loader */

/* Finds the program's headers by what the loader knows of it. */
static void headers_find(const struct link_map *program)
{
	const uintptr_t start = region_file((uintptr_t)program->l_ld, program_file,
			sizeof program_file);
	const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)start;

	if (start && bytes_compare(head, ELFMAG, SELFMAG) == 0) {
		headers = (const ElfW(Phdr) *)(start + head->e_phoff);
		header_count = head->e_phnum;
	}
}

/*
 * The loader may be what the kernel has begun, with the program among its arguments (ld.so(8)). It
 * tells of its list itself.
 */
static struct r_debug *list_of_loader(uintptr_t bias, const ElfW(Phdr) * dynamic)
{
	const struct link_map loader = { .l_addr = bias,
		.l_ld = dynamic ? (ElfW(Dyn) *)(bias + dynamic->p_vaddr) : NULL };
	struct symbols symbols;
	struct r_debug *list;

	if (!dynamic || !symbols_open(&symbols, &loader))
		return NULL;
	list = (struct r_debug *)symbols_find(&symbols, "_r_debug");
	if (!list || !list->r_map || !list->r_map->l_ld)
		return NULL;
	headers_find(list->r_map);
	return list;
}

/* By DT_DEBUG, as a debugger finds it. */
static struct r_debug *list_find(void)
{
	struct r_debug *list;
	const ElfW(Phdr) *dynamic = header_of(PT_DYNAMIC);
	const uintptr_t bias = program_bias();

	for (const ElfW(Dyn) *entry = dynamic ? (const ElfW(Dyn) *)(bias + dynamic->p_vaddr) : NULL;
			entry && entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == DT_DEBUG && entry->d_un.d_ptr)
			return (struct r_debug *)entry->d_un.d_ptr;
	list = list_of_loader(bias, dynamic);
	return list ? list : list_make(bias);
}

/* ---------------------------------------------------------------- once */

static uint32_t first; /* the thread that does it */
static stack_t first_stack;

/* The thread's state, for what MadT takes from it: its alternate stack and its GS. */
static stack_t state_take(void)
{
	uintptr_t base = 0;
	stack_t stack;

	SYS2(__NR_sigaltstack, NULL, &stack);
	SYS2(__NR_arch_prctl, ARCH_GET_GS, &base);
	thread_begin(NULL);
	self.thread.virtual_gs = base;
	return stack;
}

/* It cannot take part after all. */
static void state_give_back(void)
{
	const uintptr_t base = self.thread.virtual_gs;
	stack_t stack = first_stack;

	stack.ss_flags &= ~SS_ONSTACK;
	SYS2(__NR_sigaltstack, &stack, NULL);
	SYS2(__NR_arch_prctl, ARCH_SET_GS, base);
}

static bool join(const struct madt_attach *attach)
{
	engine = splice_engine;
	ran_before = true;
	own_add(attach->image, attach->image_bytes);
	counts_ready = session_new_process(0);
	return counts_ready;
}

/* Bytes of thread-local storage of a program that no loader prepares; 0 if it has none. */
static size_t static_storage(void)
{
	const ElfW(Phdr) *storage = header_of(PT_TLS);

	return storage && !header_of(PT_INTERP) ? storage->p_memsz + storage->p_align : 0;
}

static enum madt_attach_result set_up(struct r_debug *list, struct madt_attach *attach)
{
	direct_set_up();
	call_out_set_up();
	first = (uint32_t)SYS0(__NR_gettid);
	first_stack = state_take();
	operand_set_up();
	if (!module_set_up(list, headers, header_count))
		return MADT_ATTACH_MODULES;
	module_shim_is(attach->image, attach->image + attach->image_bytes);
	region_scan();
	heap_set_up();
	gate_storage_is(static_storage());
	if (!lead_set_up() || !library_set_up())
		return MADT_ATTACH_MEMORY;
	chain_set_up();
	module_prepared_begin();
	module_texts_known(attach->text, attach->text_count);
	module_ask_new();
	attach->summed = module_texts_known(NULL, 0);
	attach->asked = module_prepared_end();
	return MADT_ATTACH_DONE;
}

static void names_tell(const struct r_debug *list, struct madt_attach_ready *ready)
{
	const struct link_map *link = list->r_map;

	ready->count = 0;
	if (program_file[0])
		ready->name[ready->count++] = (uintptr_t)program_file;
	while (link && (link = link->l_next) && ready->count < MADT_ATTACH_MODULES_MOST)
		ready->name[ready->count++] = (uintptr_t)link->l_name;
}

EXPORT long madt_attach_ready(struct madt_attach_ready *ready)
{
	const struct r_debug *list;

	headers = (const ElfW(Phdr) *)madt_alone_getauxval(AT_PHDR);
	header_count = madt_alone_getauxval(AT_PHNUM);
	if (!headers)
		return MADT_ATTACH_MODULES;
	list = list_find();
	ready->state = (uintptr_t)&list->r_state;
	if (list->r_state != RT_CONSISTENT)
		return MADT_ATTACH_LOADER;
	names_tell(list, ready);
	return MADT_ATTACH_DONE;
}

static enum madt_attach_result begin(struct madt_attach *attach)
{
	enum madt_attach_result result;
	struct r_debug *list = list_find();

	if (!session_open(attach->folder))
		return MADT_ATTACH_SESSION;
	if (!program_chosen())
		return MADT_ATTACH_PASSED;
	if (!join(attach))
		return MADT_ATTACH_SESSION;
	result = set_up(list, attach);
	if (result != MADT_ATTACH_DONE) {
		state_give_back();
		return result;
	}
	slots_take();
	attached = true;
	if (attach->limited)
		gate_sockets_follow();
	signal_take_over(&fault_entries);
	if (list->r_brk)
		loader_watch();
	STORE_RELEASE(&session.control->state, MADT_STATE_READY);
	window_set_up();
	if (session.page->start == MADT_START_MAIN) /* of a static program, whose main nobody knows */
		window_open(MADT_START_LOAD, 0);
	return MADT_ATTACH_DONE;
}

/* ---------------------------------------------------------------- in each thread */

/* What the first thread has come to. */
static enum decision { DECISION_NONE, DECISION_JOIN, DECISION_PASS } decision;

static void decide(enum decision what)
{
	STORE_RELEASE(&decision, what);
	SYS3(__NR_futex, &decision, FUTEX_WAKE_PRIVATE, INT32_MAX);
}

static void thread_join(struct madt_attach_thread *thread)
{
	uint64_t *mask = (uint64_t *)thread->mask_back;
	stack_t stack;

	thread->goes_on = thread->next;
	stack = (uint32_t)SYS0(__NR_gettid) == first ? first_stack : state_take();
	signal_take_over_thread(thread->mask, &stack);
	gate_storage_find(thread_block());
	if (thread->until)
		gate_wait_goes_on(thread->waits, thread->argument, thread->next, thread->until);
	if (thread->number >= 0)
		thread->goes_on = gate_take_over(thread->number, thread->result, thread->argument,
				thread->next);
	*mask &= ~(SIGNAL_BIT(SIGSEGV) | SIGNAL_BIT(SIGTRAP) | SIGNAL_BIT(SIGILL) | SIGNAL_BIT(SIGSYS));
	gate_arm();
	thread_name_tell();
	/* its registers lie where its mask does */
	open_tell((const ucontext_t *)(thread->mask_back - offsetof(ucontext_t, uc_sigmask)), false);
}

/* Waits only if the injector is gone: else it has been decided by then. */
EXPORT long madt_attach_thread(struct madt_attach_thread *thread)
{
	while (LOAD_ACQUIRE(&decision) == DECISION_NONE)
		SYS4(__NR_futex, &decision, FUTEX_WAIT_PRIVATE, DECISION_NONE, NULL);
	if (decision == DECISION_JOIN)
		thread_join(thread);
	return MADT_ATTACH_DONE;
}

EXPORT long madt_attach(struct madt_attach *attach)
{
	enum madt_attach_result result = attach->all ? begin(attach) : MADT_ATTACH_LEFT;

	decide(result == MADT_ATTACH_DONE ? DECISION_JOIN : DECISION_PASS);
	if (result == MADT_ATTACH_DONE)
		thread_join(&attach->thread);
	else
		own_unmap(attach->image);
	return result;
}

/* ---------------------------------------------------------------- before it leaves */

EXPORT long madt_attach_leave(struct madt_attach_leave *leave)
{
	if (!leave->context) /* the injector was killed before it had written that */
		return MADT_ATTACH_ELSEWHERE;
	return leave_stopped((ucontext_t *)leave->context, (uint32_t *)leave->missing);
}

/* ---------------------------------------------------------------- before it goes */

/* The frames that the thread has not left: see thread/frame.c. */
static bool frames_open(const struct madt_thread *thread, uintptr_t stack)
{
	uint32_t frames = thread->thread.frames;

	while (frames && thread->thread.frame[frames - 1].stack < stack)
		frames--;
	return frames;
}

/* Runs in any thread, which has no state here any more, and makes no system call. */
EXPORT long madt_attach_rest(struct madt_attach_rests *rests)
{
	for (uint64_t i = 0; i < rests->count; i++) {
		struct madt_attach_rest *rest = &rests->thread[i];
		const struct madt_thread *thread = thread_numbered(rest->tid);

		rest->needed = thread && frames_open(thread, rest->stack);
		rest->keeps_gs = thread && thread->thread.keeps_gs;
		rest->gs = thread ? thread->thread.virtual_gs : 0;
		rest->until = thread ? gate_wait_until(thread, &rest->switches) : 0;
	}
	return MADT_ATTACH_DONE;
}

/* Runs likewise. All that is the library's own goes, but for its code and where the marks stand. */
EXPORT long madt_attach_unmap(const struct madt_attach_pieces *pieces)
{
	static const struct madt_range none = { 0 };

	if (pieces->leave)
		STORE_RELEASE((uint32_t *)pieces->leave, MADT_LEAVE_TAKEN);
	for (uint64_t i = 0; i < pieces->count; i++) {
		const struct madt_attach_piece *piece = &pieces->piece[i];

		if (piece->mark)
			*(struct madt_range *)piece->mark = none;
		SYS2(__NR_munmap, piece->start, piece->end - piece->start);
	}
	return MADT_ATTACH_DONE;
}
