/*
 * Per-thread state. Its centre is a list of frames: wrappers that are running and handlers of the target that interrupted them. The
 * innermost decides whether accesses are recorded: in a wrapper they are not, in a handler they are, whatever it interrupted. Stacks
 * grow downwards, so a frame whose stack pointer lies below the thread's has been left, by longjmp or by unwinding.
 */
#include "shim.h"

#include <sys/mman.h>

__thread struct madt_thread self;
uint32_t thread_count;

/* Handler stacks outlive their threads: a thread cannot unmap the one it runs on. */
static struct {
	uint32_t tid;
	void *stack;
} handler_stacks[1024];

static void *handler_stack_take(uint32_t tid)
{
	uint32_t pid = (uint32_t)SYS0(__NR_getpid);

	for (size_t i = 0; i < sizeof handler_stacks / sizeof *handler_stacks; i++) {
		uint32_t old = LOAD_ACQUIRE(&handler_stacks[i].tid);

		if (old && (!handler_stacks[i].stack || SYS3(__NR_tgkill, pid, old, 0) == 0))
			continue;
		if (!__atomic_compare_exchange_n(&handler_stacks[i].tid, &old, tid, false,
				__ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			continue;
		if (!handler_stacks[i].stack)
			handler_stacks[i].stack = sys_pages(HANDLER_STACK_BYTES);
		return handler_stacks[i].stack;
	}
	return sys_pages(HANDLER_STACK_BYTES);
}

void thread_begin(void)
{
	stack_t stack = {.ss_size = HANDLER_STACK_BYTES};

	self.tid = (uint32_t)SYS0(__NR_gettid);
	if (!self.handler_stack)
		self.handler_stack = handler_stack_take(self.tid);
	stack.ss_sp = self.handler_stack;
	SYS2(__NR_sigaltstack, &stack, NULL);
	self.virtual_stack.ss_flags = SS_DISABLE;
	self.frames = 0;
	self.kept = 0;
	self.ready = true;
	__atomic_fetch_add(&thread_count, 1, __ATOMIC_RELAXED);
}

void thread_end(void)
{
	record_flush();
	if (self.environment)
		SYS2(__NR_munmap, self.environment, self.environment_size);
	self.environment = NULL;
	if (!self.vfork_parent)
		__atomic_fetch_sub(&thread_count, 1, __ATOMIC_RELAXED);
}

void thread_may_miss(void)
{
	if (__atomic_load_n(&thread_count, __ATOMIC_RELAXED) > 1)
		__atomic_fetch_add(&session.control->unsynchronised, 1, __ATOMIC_RELAXED);
}

void frame_prune(uintptr_t stack)
{
	uint32_t before = self.frames;

	while (self.frames && self.frame[self.frames - 1].stack < stack)
		self.frames--;
	if (self.frames < before && !frame_silent())
		kept_close();
}

void frame_enter(uintptr_t stack, enum frame_kind kind)
{
	frame_prune(stack);
	if (self.frames == FRAMES_MAX) {
		for (uint32_t i = 1; i < FRAMES_MAX; i++)
			self.frame[i - 1] = self.frame[i];
		self.frames--;
	}
	self.frame[self.frames].stack = stack;
	self.frame[self.frames].kind = kind;
	self.frames++;
}

void frame_leave(uintptr_t stack)
{
	while (self.frames && self.frame[self.frames - 1].stack <= stack)
		self.frames--;
	if (!frame_silent())
		kept_close();
}

bool frame_silent(void)
{
	return self.frames && self.frame[self.frames - 1].kind != FRAME_SIGNAL;
}

bool frame_allocating(void)
{
	for (uint32_t i = self.frames; i-- > 0 && self.frame[i].kind != FRAME_SIGNAL;)
		if (self.frame[i].kind == FRAME_ALLOCATION)
			return true;
	return false;
}

void kept_close(void)
{
	if (!self.kept && !self.kept_all)
		return;
	critical_enter();
	if (self.kept_all)
		region_close_all();
	for (uint32_t i = 0; i < self.kept; i++)
		region_close(self.kept_open[i].start, self.kept_open[i].end);
	self.kept = 0;
	self.kept_all = false;
	critical_leave();
}

void critical_enter(void)
{
	self.critical++;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void critical_leave(void)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (--self.critical == 0 && self.held)
		signal_send_held();
}
