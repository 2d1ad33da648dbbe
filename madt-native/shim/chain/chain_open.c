/*
 * The stack of a thread whose recording begins while functions are open. It is walked twice, since
 * the outermost function is told first: to count the functions, and to tell them.
 */
#include "chain/chain.h"

#include "chain/chain_registers.h"

#include "base/state.h"
#include "module/module.h"
#include "session/session.h"

#define FRAMES_MOST (1u << 16) /* of a deeper stack the inner ones */
#define WORD_BYTES 8

struct open_frame {
	uint64_t code; /* a code word (madt_layout.h) */
	uint64_t stack;
};

struct opened {
	const struct registers *innermost;
	bool entered;              /* the innermost function is about to be entered */
	struct open_frame *frames; /* the innermost first; NULL while they are counted */
	uint32_t count;
};

/* The caller's registers in the place of the frame's; false: nobody tells them, or there is none. */
static bool step_out(struct registers *registers)
{
	const uint64_t stack = registers->value[COLUMN_RSP];

	if (registers->value[COLUMN_RETURN] == (uintptr_t)madt_restore_target)
		return registers_interrupted(registers, stack);
	return registers_out(registers) && registers->value[COLUMN_RETURN]
			&& (registers->exact || registers->value[COLUMN_RSP] > stack);
}

/* Returns whether the functions of a module are recorded. */
static bool is_recorded(const struct module *module)
{
	return module && module->plan && !(module->flags & (MODULE_SHIM | MODULE_LOADER));
}

/* Notes the frames, or counts them. What has been interrupted stands outside of a signal's frame. */
static void frames_walk(struct opened *opened)
{
	struct registers at = *opened->innermost;
	bool goes_on = true, told = !opened->entered;

	opened->count = 0;
	while (goes_on && opened->count < FRAMES_MOST) {
		const bool recorded = is_recorded(module_of(registers_code(&at)));
		struct open_frame frame = { at.value[COLUMN_RETURN], at.value[COLUMN_RSP] };

		if (at.exact)
			frame.code |= MADT_CODE_EXACT;
		goes_on = step_out(&at);
		if (goes_on)
			frame.stack = at.value[COLUMN_RSP] - WORD_BYTES;
		if (recorded && told && !(goes_on && at.exact)) {
			if (opened->frames)
				opened->frames[opened->count] = frame;
			opened->count++;
		}
		told = true;
	}
}

static void frames_tell(void *argument)
{
	struct opened *opened = argument;
	const uint64_t time = tsc_now();
	uint32_t count, depth = 0;

	frames_walk(opened);
	count = opened->count;
	opened->frames = count ? sys_pages(count * sizeof *opened->frames) : NULL;
	if (!opened->frames)
		return;
	frames_walk(opened);
	for (uint32_t i = count; i-- > 0;)
		ring_put(&(struct madt_event){ .type = MADT_EVENT_OPEN_FUNCTION,
				.callers = 1,
				.size = opened->frames[i].stack,
				.old = time,
				.old_size = depth++,
				.caller = { opened->frames[i].code } });
	sys_unmap((uintptr_t)opened->frames, count * sizeof *opened->frames);
}

static bool are_told(void)
{
	return attached && recording && session.page->flags & MADT_SESSION_OPEN;
}

/*
 * It may be in a handler of MadT's, or madt-inject may have stopped the process: no fault could be
 * handled then.
 */
static void tell(const struct registers *innermost, bool entered)
{
	struct opened opened = { .innermost = innermost, .entered = entered };

	critical_enter();
	for (unsigned i = 0; i < CHAIN_PAGES; i++)
		self.chain.there[i] = UINTPTR_MAX; /* no page begins there */
	self.chain.careful = true;
	on_own_stack(frames_tell, &opened);
	self.chain.careful = false;
	critical_leave();
}

void open_tell(const ucontext_t *context, bool entered)
{
	struct registers registers;

	if (are_told() && registers_interrupted(&registers, (uintptr_t)context))
		tell(&registers, entered);
}

__attribute__((noinline)) void open_tell_here(void)
{
	struct registers registers = { .exact = true };

	if (!are_told())
		return;
	REGISTERS_HERE(&registers);
	tell(&registers, false);
}
