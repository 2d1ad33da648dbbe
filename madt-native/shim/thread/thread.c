/* The life of a thread: where its state lies, from its first handler to its end. */
#include "thread/thread.h"

#include "region/region.h"
#include "session/session.h"
#include "thread/home.h"

#include <linux/prctl.h>

uintptr_t thread_calls_at, thread_out_at;

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

void thread_begin(const struct inherited *from)
{
	uint32_t tid = (uint32_t)SYS0(__NR_gettid);
	struct home *home = home_take(tid);
	stack_t stack = { .ss_sp = home->stack, .ss_size = sizeof home->stack };

	home->state.address = &home->state;
	home->state.calls_at = thread_calls_at;
	home->state.out_at = thread_out_at;
	home->state.pointer = thread_block();
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
		home->state.vfork_child = from->lender;
		/* in a PID namespace of its own it may have the number of another */
		home->state.unseen = from->lender == tid;
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
	struct madt_thread *heir;
	uint32_t i = 0;

	while ((heir = thread_other(&i)) && sys_failed(SYS3(__NR_tgkill, self.process, heir->tid, 0)))
		i++;
	window_thread_ends(heir ? heir->tid : 0);
	self.thread.pace_last = 0;
	record_flush();
	if (self.thread.environment)
		sys_unmap((uintptr_t)self.thread.environment, self.thread.environment_size);
	self.thread.environment = NULL;
	counts_give_back(thread_self());
	if (!self.vfork_child) {
		__atomic_fetch_sub(&thread_count, 1, __ATOMIC_RELAXED);
		ring_put(&(struct madt_event){ .type = MADT_EVENT_THREAD_END });
	}
	home_leave(thread_self());
}

void thread_forget(struct madt_thread *child)
{
	if (child->thread.environment)
		sys_unmap((uintptr_t)child->thread.environment, child->thread.environment_size);
	child->thread.environment = NULL;
	counts_give_back(child);
	child->tid = 0;
	home_give_back(child);
}

void thread_after_fork(void)
{
	self.tid = self.number = (uint32_t)SYS0(__NR_gettid);
	self.process = (uint32_t)SYS0(__NR_getpid);
	self.vfork_child = self.unseen = false;
	thread_count = 1;
	homes_after_fork(self.tid);
}
