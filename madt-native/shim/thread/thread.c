/* The life of a thread: where its state lies, from its first handler to its end. */
#include "thread/thread.h"

#include "session/session.h"

#include <linux/prctl.h>

uint32_t thread_count;
uintptr_t thread_calls_at;

#define HOME_FREE UINT32_MAX /* is nobody's tid */

/*
 * A handler stack with the thread's state above it. They outlive their threads: a thread cannot
 * unmap the stack that it runs on.
 */
struct home {
	char stack[HANDLER_STACK_BYTES];
	struct madt_thread state;
};

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
		if (!__atomic_compare_exchange_n(&homes[i].tid, &old, tid, false, __ATOMIC_ACQ_REL,
					__ATOMIC_RELAXED))
			continue;
		if (!homes[i].home)
			homes[i].home = sys_pages(sizeof(struct home));
		else
			bytes_set(&homes[i].home->state, 0, sizeof homes[i].home->state);
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

/*
 * The number that its creator knows it by may outlive it: that of a vfork child is soon another
 * image's.
 */
static void home_give_back(struct madt_thread *thread)
{
	for (size_t i = 0; i < sizeof homes / sizeof *homes; i++)
		if (homes[i].home && &homes[i].home->state == thread) {
			STORE_RELEASE(&homes[i].tid, HOME_FREE);
			return;
		}
	sys_unmap((uintptr_t)thread - offsetof(struct home, state), sizeof(struct home));
}

void thread_begin(const struct inherited *from)
{
	uint32_t tid = (uint32_t)SYS0(__NR_gettid);
	struct home *home = home_take(tid);
	stack_t stack = { .ss_sp = home->stack, .ss_size = sizeof home->stack };

	home->state.address = &home->state;
	home->state.calls_at = thread_calls_at;
	home->state.tid = home->state.number = tid;
	home->state.process = (uint32_t)SYS0(__NR_getpid);
	home->state.handler_stack = home->stack;
	if (!from) {
		int mode = PR_TSC_ENABLE;

		SYS2(__NR_prctl, PR_GET_TSC, &mode); /* it outlives exec */
		home->state.tsc_forbidden = mode == PR_TSC_SIGSEGV;
	} else {
		home->state.tsc_forbidden = from->tsc_forbidden;
		home->state.thread.virtual_gs = from->virtual_gs;
		home->state.vfork_child = from->number;
		home->state.number = from->number ? from->number : tid;
	}
	gs_set(&home->state);
	missed_begin(&home->state);
	thread_stack_set(&stack, home->stack + sizeof home->stack);
	lead_begin();
	if (!home->state.vfork_child)
		__atomic_fetch_add(&thread_count, 1, __ATOMIC_RELAXED);
}

void thread_end(void)
{
	self.thread.pace_last = 0;
	record_flush();
	if (self.thread.environment)
		sys_unmap((uintptr_t)self.thread.environment, self.thread.environment_size);
	self.thread.environment = NULL;
	if (!self.vfork_child)
		__atomic_fetch_sub(&thread_count, 1, __ATOMIC_RELAXED);
}

void thread_forget(struct madt_thread *child)
{
	if (child->thread.environment)
		sys_unmap((uintptr_t)child->thread.environment, child->thread.environment_size);
	child->thread.environment = NULL;
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
		homes[i].tid = homes[i].home && &homes[i].home->state == thread_self() ? self.tid
																			   : HOME_FREE;
}

struct madt_thread *thread_numbered(uint32_t tid)
{
	for (size_t i = 0; i < sizeof homes / sizeof *homes && LOAD_ACQUIRE(&homes[i].tid); i++)
		if (homes[i].tid == tid)
			return homes[i].home ? &homes[i].home->state : NULL;
	return NULL;
}

bool thread_any(bool (*is)(const struct madt_thread *thread, const void *argument),
		const void *argument)
{
	for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
		uint32_t tid = LOAD_ACQUIRE(&homes[i].tid);

		if (!tid)
			return false;
		if (tid != HOME_FREE && homes[i].home && is(&homes[i].home->state, argument)
				&& SYS2(__NR_tkill, tid, 0) == 0)
			return true;
	}
	return true; /* there may be threads that have no place in the list */
}

struct madt_thread *thread_other(uint32_t *i)
{
	for (; *i < sizeof homes / sizeof *homes && LOAD_ACQUIRE(&homes[*i].tid); ++*i) {
		struct home *home = homes[*i].home;

		if (home && home->state.tid && home->state.tid != self.tid)
			return &home->state;
	}
	return NULL;
}
