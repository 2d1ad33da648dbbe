/*
 * Entry into the target's handlers, and return from them. The frame is built that the kernel would
 * have built (x86-64: arch/x86/kernel/signal_64.c), on the target's own stack or alternate stack.
 * Its return passes the gate as rt_sigreturn.
 */
#include "signal/signal.h"
#include "signal/signal_float.h"
#include "signal/signal_table.h"

#include "region/region.h"
#include "thread/thread.h"

#define RED_ZONE 128
#define DIRECTION_FLAG 0x400
#define RESUME_FLAG 0x10000

/* What the kernel puts on a stack; the floating-point state lies above it. */
struct kernel_context {
	unsigned long flags;
	void *link;
	stack_t stack;
	mcontext_t machine;
	uint64_t mask;
};

struct signal_frame {
	uintptr_t restorer;
	struct kernel_context context;
	siginfo_t info;
};
_Static_assert(sizeof(struct kernel_context) == 304, "struct ucontext of the kernel");

/* ---------------------------------------------------------------- the end by a signal */

/*
 * Lets the kernel's default action take place where the target stands: on return, with the signal
 * on its way.
 */
void signal_default(int number, siginfo_t *info, ucontext_t *context)
{
	kernel_default(number);
	*context_mask(context) &= ~SIGNAL_BIT(number);
	/* A fault comes again by itself; what was sent must be sent again. */
	if (info->si_code <= 0 || number == SIGTRAP || number == SIGSYS
			|| !(SIGNALS_FAULT & SIGNAL_BIT(number)))
		SYS3(__NR_tgkill, SYS0(__NR_getpid), SYS0(__NR_gettid), number);
}

/* ---------------------------------------------------------------- frames on the target's stack */

/* Copies onto the target's stack, which may lie in traced memory. */
static void stack_write(uintptr_t to, const void *from, size_t n)
{
	region_open(to, to + n);
	bytes_copy((void *)to, from, n);
	region_close(to, to + n);
}

/*
 * The kernel writes something short, a signal mask, into each page, as it would write the frame: a
 * stack grows by it.
 */
static bool stack_takes(uintptr_t start, uintptr_t end)
{
	const size_t size = KERNEL_SET;
	bool good = start < end;

	region_open(start, end);
	for (uintptr_t at = start; good && at < end; at = PAGE_DOWN(at) + MADT_PAGE)
		good = !sys_failed(SYS4(__NR_rt_sigprocmask, SIG_BLOCK, NULL,
				at < end - size ? at : end - size, KERNEL_SET));
	region_close(start, end);
	return good;
}

/*
 * Returns where the frame lies, and the floating-point state above it; 0 where the kernel would
 * find no place (get_sigframe).
 */
static uintptr_t frame_place(const ucontext_t *context, const struct kernel_action *action,
		size_t floating, uintptr_t *area)
{
	uintptr_t rsp = (uintptr_t)context->uc_mcontext.gregs[REG_RSP], at;
	bool alternate = alternate_busy(&self.signal.virtual_stack, rsp);

	rsp -= RED_ZONE;
	if ((action->flags & SA_ONSTACK) && self.signal.virtual_stack.ss_size
			&& !alternate_busy(&self.signal.virtual_stack, rsp)) {
		rsp = (uintptr_t)self.signal.virtual_stack.ss_sp + self.signal.virtual_stack.ss_size;
		alternate = true;
	}
	*area = (rsp - floating) & ~(uintptr_t)63;
	at = ((*area - sizeof(struct signal_frame)) & ~(uintptr_t)15) - 8;
	if (alternate && !alternate_holds(&self.signal.virtual_stack, at))
		return 0;
	return stack_takes(at, rsp) ? at : 0;
}

static void frame_build(uintptr_t at, uintptr_t area, size_t floating, int number,
		const siginfo_t *info, const ucontext_t *context)
{
	struct signal_frame frame;

	bytes_set(&frame, 0, sizeof frame);
	frame.restorer = (uintptr_t)madt_restore_target;
	frame.context.flags = context->uc_flags;
	frame.context.stack = self.signal.virtual_stack;
	frame.context.machine = context->uc_mcontext;
	frame.context.machine.fpregs = floating ? (fpregset_t)area : NULL;
	frame.context.mask = *(const uint64_t *)&context->uc_sigmask | self.signal.virtual_mask;
	frame.info = *info;
	frame.info.si_signo = number;
	if (floating)
		stack_write(area, context->uc_mcontext.fpregs, floating);
	stack_write(at, &frame, sizeof frame);
}

/*
 * `under`: the mask that the thread has, or that of the wait which the signal ended; the handler
 * has it too, and its own.
 */
static bool enter(const struct kernel_action *action, int number, siginfo_t *info,
		ucontext_t *context, uint64_t under)
{
	greg_t *registers = context_registers(context);
	size_t floating = float_size(context);
	uintptr_t area, frame = frame_place(context, action, floating, &area);
	uint64_t mask = under | action->mask | (action->flags & SA_NODEFER ? 0 : SIGNAL_BIT(number));

	if (action->flags & SA_RESETHAND)
		action_reset(number);
	if (!frame)
		return false;
	frame_build(frame, area, floating, number, info, context);
	float_clear(context);
	if (self.signal.virtual_stack.ss_flags & AUTODISARM)
		alternate_reset();
	frame_prune((uintptr_t)registers[REG_RSP]);
	kept_close();
	frame_enter(frame, FRAME_SIGNAL);
	registers[REG_RIP] = (greg_t)action->handler;
	registers[REG_RSP] = (greg_t)frame;
	registers[REG_RDI] = number;
	registers[REG_RSI] = (greg_t)(frame + offsetof(struct signal_frame, info));
	registers[REG_RDX] = (greg_t)(frame + offsetof(struct signal_frame, context));
	registers[REG_RAX] = 0;
	registers[REG_EFL] &= ~(greg_t)(TRAP_FLAG | DIRECTION_FLAG | RESUME_FLAG);
	self.signal.virtual_mask = mask & SIGNALS_OWN;
	*context_mask(context) = mask & ~SIGNALS_OWN;
	return true;
}

/*
 * There is no room for the frame: SIGSEGV, and if it was one, the end (force_sigsegv in
 * kernel/signal.c).
 */
static void frame_refused(int number, ucontext_t *context)
{
	const struct kernel_action action = action_now(SIGSEGV);
	siginfo_t info;

	bytes_set(&info, 0, sizeof info);
	info.si_signo = SIGSEGV;
	info.si_code = SI_KERNEL;
	if (number != SIGSEGV && action_handled(&action)
			&& !(self.signal.virtual_mask & SIGNAL_BIT(SIGSEGV))
			&& enter(&action, SIGSEGV, &info, context,
					*context_mask(context) | self.signal.virtual_mask))
		return;
	info.si_code = SI_TKILL;
	signal_default(SIGSEGV, &info, context);
}

void signal_enter(const struct kernel_action *action, int number, siginfo_t *info,
		ucontext_t *context, uint64_t under)
{
	if (!enter(action, number, info, context, under))
		frame_refused(number, context);
}

/* ---------------------------------------------------------------- the way back */

/*
 * The target's rt_sigreturn: what the kernel would do with the frame, done to the handler's own
 * context.
 */
void signal_return(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t at = (uintptr_t)registers[REG_RSP] - 8;
	struct signal_frame frame;
	size_t floating = float_size(context);

	if (region_read(&frame, at, sizeof frame) < sizeof frame)
		return;
	if (frame.context.machine.fpregs)
		region_read(context->uc_mcontext.fpregs, (uintptr_t)frame.context.machine.fpregs, floating);
	else
		float_clear(context);
	for (int i = REG_R8; i <= REG_RIP; i++)
		registers[i] = frame.context.machine.gregs[i];
	registers[REG_EFL] = frame.context.machine.gregs[REG_EFL];
	self.signal.virtual_mask = frame.context.mask & SIGNALS_OWN;
	*context_mask(context) = frame.context.mask & ~SIGNALS_OWN;
	alternate_set(&frame.context.stack, (uintptr_t)registers[REG_RSP]);
	frame_leave(at);
}
