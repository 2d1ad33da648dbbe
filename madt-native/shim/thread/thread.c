/*
 * Per-thread state. Its centre is a list of frames: wrappers that are running and handlers of the target that interrupted them. The
 * innermost decides whether accesses are recorded: in a wrapper they are not, in a handler they are, whatever it interrupted. Stacks
 * grow downwards, so a frame whose stack pointer lies below the thread's has been left, by longjmp or by unwinding.
 */
#include "shim.h"

#include <linux/prctl.h>

uint32_t thread_count;

#define HOME_FREE UINT32_MAX /* is nobody's tid */

/* A handler stack with the thread's state above it. They outlive their threads: a thread cannot unmap the stack that it runs on. */
struct home {
	char stack[HANDLER_STACK_BYTES];
	struct madt_thread thread;
};

uint64_t tsc_forced(void)
{
	uint64_t now;

	SYS2(__NR_prctl, PR_SET_TSC, PR_TSC_ENABLE);
	now = __builtin_ia32_rdtsc();
	SYS2(__NR_prctl, PR_SET_TSC, PR_TSC_SIGSEGV);
	return now;
}

long tsc_set(unsigned long mode)
{
	long result = SYS2(__NR_prctl, PR_SET_TSC, mode);

	if (result == 0)
		self.tsc_forbidden = mode == PR_TSC_SIGSEGV;
	return result;
}

static struct {
	uint32_t tid;
	struct home *home;
} homes[1024];

static struct home *home_take(uint32_t tid)
{
	for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
		uint32_t old = LOAD_ACQUIRE(&homes[i].tid);

		if (old && (!homes[i].home || SYS2(__NR_tkill, old, 0) == 0))
			continue;
		if (!__atomic_compare_exchange_n(&homes[i].tid, &old, tid, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		if (!homes[i].home)
			homes[i].home = sys_pages(sizeof(struct home));
		else
			bytes_set(&homes[i].home->thread, 0, sizeof homes[i].home->thread);
		return homes[i].home;
	}
	return sys_pages(sizeof(struct home));
}

extern void madt_on_stack(void (*work)(void *), void *argument, void *top);

static void stack_set(void *stack)
{
	SYS2(__NR_sigaltstack, stack, NULL);
}

void thread_stack_set(const stack_t *stack, void *top)
{
	stack_t copy = *stack;

	madt_on_stack(stack_set, &copy, top);
}

/* The number that its creator knows it by may outlive it: that of a vfork child is soon another image's. */
static void home_give_back(struct madt_thread *thread)
{
	for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
		if (homes[i].home && &homes[i].home->thread == thread) {
			STORE_RELEASE(&homes[i].tid, HOME_FREE);
			return;
		}
	sys_unmap((uintptr_t)thread - offsetof(struct home, thread), sizeof(struct home));
}

void thread_begin(const struct inherited *from)
{
	uint32_t tid = (uint32_t)SYS0(__NR_gettid);
	struct home *home = home_take(tid);
	stack_t stack = {.ss_sp = home->stack, .ss_size = sizeof home->stack};

	home->thread.address = &home->thread;
	home->thread.tid = home->thread.number = tid;
	home->thread.process = (uint32_t)SYS0(__NR_getpid);
	home->thread.handler_stack = home->stack;
	home->thread.virtual_stack.ss_flags = SS_DISABLE;
	if (!from) {
		int mode = PR_TSC_ENABLE;

		SYS2(__NR_prctl, PR_GET_TSC, &mode); /* it outlives exec */
		home->thread.tsc_forbidden = mode == PR_TSC_SIGSEGV;
	} else {
		home->thread.virtual_stack = from->virtual_stack;
		home->thread.virtual_mask = from->virtual_mask;
		home->thread.actions = from->actions;
		home->thread.tsc_forbidden = from->tsc_forbidden;
		home->thread.virtual_gs = from->virtual_gs;
		home->thread.vfork_child = from->number;
		home->thread.number = from->number ? from->number : tid;
	}
	gs_set(&home->thread);
	missed_begin(&home->thread);
	thread_stack_set(&stack, home->stack + sizeof home->stack);
	splice_begin();
	if (!home->thread.vfork_child)
		__atomic_fetch_add(&thread_count, 1, __ATOMIC_RELAXED);
}

void thread_end(void)
{
	self.pace_last = 0;
	record_flush();
	if (self.environment)
		sys_unmap((uintptr_t)self.environment, self.environment_size);
	self.environment = NULL;
	if (!self.vfork_child)
		__atomic_fetch_sub(&thread_count, 1, __ATOMIC_RELAXED);
}

void thread_forget(struct madt_thread *child)
{
	if (child->environment)
		sys_unmap((uintptr_t)child->environment, child->environment_size);
	child->environment = NULL;
	child->tid = 0;
	home_give_back(child);
}

/* The others' homes are free: of their threads nothing lives here. */
void thread_after_fork(void)
{
	self.tid = self.number = (uint32_t)SYS0(__NR_gettid);
	self.process = (uint32_t)SYS0(__NR_getpid);
	self.vfork_child = false;
	thread_count = 1;
	for (size_t i = 0; i < sizeof homes / sizeof *homes && homes[i].tid; i++)
		homes[i].tid = homes[i].home && &homes[i].home->thread == thread_self() ? self.tid : HOME_FREE;
}

struct madt_thread *thread_numbered(uint32_t tid)
{
	for (size_t i = 0; i < sizeof homes / sizeof *homes && LOAD_ACQUIRE(&homes[i].tid); i++)
		if (homes[i].tid == tid)
			return homes[i].home ? &homes[i].home->thread : NULL;
	return NULL;
}

bool thread_uses(const struct action_table *table)
{
	for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
		uint32_t tid = LOAD_ACQUIRE(&homes[i].tid);

		if (!tid)
			return false;
		if (tid != HOME_FREE && homes[i].home && homes[i].home->thread.actions == table && SYS2(__NR_tkill, tid, 0) == 0)
			return true;
	}
	return true; /* there may be threads that have no place in the list */
}

struct madt_thread *thread_other(uint32_t *i)
{
	for (; *i < sizeof homes / sizeof *homes && LOAD_ACQUIRE(&homes[*i].tid); ++*i) {
		struct home *home = homes[*i].home;

		if (home && home->thread.tid && home->thread.tid != self.tid)
			return &home->thread;
	}
	return NULL;
}

static bool silent(const struct madt_thread *thread)
{
	return thread->frames && thread->frame[thread->frames - 1].kind != FRAME_SIGNAL;
}

static void prune(struct madt_thread *thread, uintptr_t stack)
{
	uint32_t before = thread->frames;

	while (thread->frames && thread->frame[thread->frames - 1].stack < stack)
		thread->frames--;
	if (thread->frames < before && !silent(thread))
		kept_close();
}

/* Wrappers run also where nothing is attached, and threads have no state. */
void frame_prune(uintptr_t stack)
{
	if (!attached)
		return;
	prune(thread_self(), stack);
	splice_lead();
}

static void push(struct madt_thread *thread, uintptr_t stack, enum frame_kind kind)
{
	if (thread->frames == FRAMES_MAX) {
		for (uint32_t i = 1; i < FRAMES_MAX; i++)
			thread->frame[i - 1] = thread->frame[i];
		thread->frames--;
	}
	thread->frame[thread->frames].stack = stack;
	thread->frame[thread->frames].kind = kind;
	thread->frame[thread->frames].code = thread->frame[thread->frames].caller = 0;
	thread->frame[thread->frames].moved = 0;
	thread->frames++;
	splice_lead();
}

void frame_enter(uintptr_t stack, enum frame_kind kind)
{
	struct madt_thread *thread;

	if (!attached)
		return;
	thread = thread_self();
	prune(thread, stack);
	push(thread, stack, kind);
}

bool frame_enter_block(uintptr_t stack)
{
	struct madt_thread *thread;
	bool record;

	if (!attached)
		return recording;
	thread = thread_self();
	prune(thread, stack);
	record = recording && !silent(thread) && !thread->vfork_child;
	push(thread, stack, FRAME_BLOCK);
	return record;
}

static bool allocating(const struct madt_thread *thread)
{
	for (uint32_t i = thread->frames; i-- > 0 && thread->frame[i].kind != FRAME_SIGNAL;)
		if (thread->frame[i].kind == FRAME_ALLOCATION)
			return true;
	return false;
}

bool frame_enter_allocation(uintptr_t stack)
{
	struct madt_thread *thread;
	bool record;

	if (!attached)
		return false;
	thread = thread_self();
	prune(thread, stack);
	record = !allocating(thread);
	push(thread, stack, FRAME_ALLOCATION);
	return record;
}

void frame_leave(uintptr_t stack)
{
	struct madt_thread *thread;

	if (!attached)
		return;
	thread = thread_self();
	while (thread->frames && thread->frame[thread->frames - 1].stack <= stack)
		thread->frames--;
	if (!silent(thread))
		kept_close();
	splice_lead();
}

void frame_note(uintptr_t code, size_t size, uintptr_t caller)
{
	struct madt_thread *thread;
	struct frame *frame;

	if (!attached)
		return;
	thread = thread_self();
	frame = &thread->frame[thread->frames - 1];
	frame->code = code;
	frame->size = size;
	frame->caller = caller;
}

uintptr_t frame_code(void)
{
	const struct madt_thread *thread = thread_self();

	return thread->frames ? thread->frame[thread->frames - 1].code : 0;
}

void frame_move(size_t bytes)
{
	struct madt_thread *thread = thread_self();

	if (thread->frames)
		thread->frame[thread->frames - 1].moved += bytes;
}

size_t frame_moved(void)
{
	const struct madt_thread *thread = thread_self();

	return thread->frames ? thread->frame[thread->frames - 1].moved : 0;
}

/* Signal handlers within the wrapper are left with it. */
void frame_unwound(void)
{
	struct madt_thread *thread;
	struct frame frame;

	if (!attached)
		return;
	thread = thread_self();
	while (thread->frames && thread->frame[thread->frames - 1].kind == FRAME_SIGNAL)
		thread->frames--;
	if (!thread->frames)
		return;
	frame = thread->frame[thread->frames - 1];
	if (frame.caller)
		ring_put(&(struct madt_event){.type = MADT_EVENT_MALLOC, .callers = 1, .size = frame.size, .caller = {frame.caller}});
	frame_leave(frame.stack);
}

bool frame_silent(void)
{
	return attached && silent(thread_self());
}

bool frame_allocating(void)
{
	return attached && allocating(thread_self());
}

void on_own_stack(void (*work)(void *), void *argument)
{
	uintptr_t here = (uintptr_t)__builtin_frame_address(0), bottom = attached ? (uintptr_t)self.handler_stack : 0;

	if (!bottom || here - bottom < HANDLER_STACK_BYTES)
		work(argument);
	else
		madt_on_stack(work, argument, (char *)self.handler_stack + HANDLER_STACK_BYTES);
}

static void kept_close_all(void *none)
{
	(void)none;
	if (self.kept_all) {
		missed_everywhere(self.kept_since);
		region_close_all();
	}
	for (uint32_t i = 0; i < self.kept; i++) {
		missed_window(self.kept_open[i], self.kept_since);
		region_close(self.kept_open[i].start, self.kept_open[i].end);
	}
	self.kept = 0;
	self.kept_all = false;
}

void kept_close_now(void)
{
	critical_enter();
	on_own_stack(kept_close_all, NULL);
	critical_leave();
}
