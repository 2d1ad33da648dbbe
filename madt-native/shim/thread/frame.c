/*
 * What runs on a thread between the target's own frames: wrappers, and handlers of the target that
 * interrupted them. The innermost decides whether accesses are recorded: in a wrapper they are not,
 * in a handler they are, whatever it interrupted. Stacks grow downwards, so a frame whose stack
 * pointer lies below the thread's has been left, by longjmp or by unwinding.
 */
#include "thread/thread.h"

#include "session/session.h"

#include <asm/prctl.h>

static bool silent(const struct madt_thread *thread)
{
	return thread->thread.frames
			&& thread->thread.frame[thread->thread.frames - 1].kind != FRAME_SIGNAL;
}

/* Behind each change of frames. */
static void frames_changed(struct madt_thread *thread)
{
	const struct frame *last = &thread->thread.frame[thread->thread.frames - 1];

	thread->session.silent = silent(thread);
	thread->thread.silent_to = thread->session.silent && last->kind != FRAME_STREAM ? last->stack
																					: 0;
}

static void prune(struct madt_thread *thread, uintptr_t stack)
{
	uint32_t before = thread->thread.frames;

	while (thread->thread.frames && thread->thread.frame[thread->thread.frames - 1].stack < stack)
		thread->thread.frames--;
	if (thread->thread.frames == before)
		return;
	frames_changed(thread);
	if (!thread->session.silent)
		kept_close();
}

/* Wrappers run also where nothing is attached, and threads have no state. */
void frame_prune(uintptr_t stack)
{
	if (!attached)
		return;
	prune(thread_self(), stack);
	lead_follow();
}

static void push(struct madt_thread *thread, uintptr_t stack, enum frame_kind kind)
{
	if (thread->thread.frames == FRAMES_MAX) {
		for (uint32_t i = 1; i < FRAMES_MAX; i++)
			thread->thread.frame[i - 1] = thread->thread.frame[i];
		thread->thread.frames--;
	}
	thread->thread.frame[thread->thread.frames].stack = stack;
	thread->thread.frame[thread->thread.frames].kind = kind;
	thread->thread.frame[thread->thread.frames].code =
			thread->thread.frame[thread->thread.frames].caller = 0;
	thread->thread.frame[thread->thread.frames].moved = 0;
	thread->thread.frame[thread->thread.frames].old = 0;
	thread->thread.frame[thread->thread.frames].maps = false;
	thread->thread.frames++;
	frames_changed(thread);
	lead_follow();
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

static bool enter_block(uintptr_t stack, enum frame_kind kind)
{
	struct madt_thread *thread;
	bool record;

	if (!attached)
		return recording;
	thread = thread_self();
	prune(thread, stack);
	record = recording && !silent(thread) && !thread->unseen;
	push(thread, stack, kind);
	return record;
}

bool frame_enter_block(uintptr_t stack)
{
	return enter_block(stack, FRAME_BLOCK);
}

bool frame_enter_stream(uintptr_t stack)
{
	return enter_block(stack, FRAME_STREAM);
}

static bool allocating(const struct madt_thread *thread)
{
	for (uint32_t i = thread->thread.frames;
			i-- > 0 && thread->thread.frame[i].kind != FRAME_SIGNAL;)
		if (thread->thread.frame[i].kind == FRAME_ALLOCATION)
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

bool frame_may_name(void)
{
	return !allocating(thread_self());
}

void frame_enter_named(uintptr_t stack, uintptr_t old)
{
	struct madt_thread *thread = thread_self();

	push(thread, stack, FRAME_NAMED);
	thread->thread.frame[thread->thread.frames - 1].old = old;
}

/* The innermost frame of an allocator by another name, of this block if it is not 0; or NULL. */
static const struct frame *named(const struct madt_thread *thread, uintptr_t old)
{
	for (uint32_t i = thread->thread.frames; i-- > 0;) {
		const struct frame *frame = &thread->thread.frame[i];

		if (frame->kind == FRAME_SIGNAL)
			break;
		if (frame->kind == FRAME_NAMED
				&& (!old || frame->old == old || frame->old == FRAME_ENDS_ALL))
			return frame;
	}
	return NULL;
}

bool frame_is_named(void)
{
	return named(thread_self(), 0);
}

bool frame_has_ended(uintptr_t old)
{
	return old && named(thread_self(), old);
}

/* MadT has left while the thread was in wrappers, which have looked here so far. */
static void last_left(struct madt_thread *thread)
{
	const uintptr_t base = thread->thread.virtual_gs;

	if (thread->thread.frames || !thread->thread.keeps_gs)
		return;
	thread->thread.keeps_gs = false;
	SYS2(__NR_arch_prctl, ARCH_SET_GS, base);
}

void frame_leave(uintptr_t stack)
{
	struct madt_thread *thread;

	if (!attached && !ran_before)
		return;
	thread = thread_self();
	while (thread->thread.frames && thread->thread.frame[thread->thread.frames - 1].stack <= stack)
		thread->thread.frames--;
	if (!attached) {
		last_left(thread);
		return;
	}
	frames_changed(thread);
	if (!thread->session.silent)
		kept_close();
	lead_follow();
}

void frame_note(uintptr_t code, size_t size, uintptr_t caller)
{
	struct madt_thread *thread;
	struct frame *frame;

	if (!attached)
		return;
	thread = thread_self();
	frame = &thread->thread.frame[thread->thread.frames - 1];
	frame->code = code;
	frame->size = size;
	frame->caller = caller;
}

void frame_maps(void)
{
	struct madt_thread *thread = thread_self();

	thread->thread.frame[thread->thread.frames - 1].maps = true;
}

bool frame_is_mapping(void)
{
	const struct madt_thread *thread = thread_self();

	return thread->thread.frames && thread->thread.frame[thread->thread.frames - 1].maps;
}

uintptr_t frame_code(void)
{
	const struct madt_thread *thread = thread_self();

	return thread->thread.frames ? thread->thread.frame[thread->thread.frames - 1].code : 0;
}

void frame_move(size_t bytes)
{
	struct madt_thread *thread = thread_self();

	if (thread->thread.frames)
		thread->thread.frame[thread->thread.frames - 1].moved += bytes;
}

size_t frame_moved(void)
{
	const struct madt_thread *thread = thread_self();

	return thread->thread.frames ? thread->thread.frame[thread->thread.frames - 1].moved : 0;
}

/* Signal handlers within the wrapper are left with it. */
void frame_unwound(void)
{
	struct madt_thread *thread;
	struct frame frame;

	if (!attached)
		return;
	thread = thread_self();
	while (thread->thread.frames
			&& thread->thread.frame[thread->thread.frames - 1].kind == FRAME_SIGNAL)
		thread->thread.frames--;
	if (!thread->thread.frames)
		return;
	frame = thread->thread.frame[thread->thread.frames - 1];
	if (frame.caller)
		ring_put(&(struct madt_event){ .type = MADT_EVENT_MALLOC,
				.callers = 1,
				.size = frame.size,
				.caller = { frame.caller } });
	frame_leave(frame.stack);
}

bool frame_silent(void)
{
	return attached && silent(thread_self());
}
