/*
 * The target's signals. MadT owns SIGSEGV, SIGTRAP, SIGSYS and SIGILL: the kernel's mask never holds them, and what the target asks of them is kept
 * here and in signal_table.c. Every handler of the target is entered through signal_receive, on MadT's handler stack, which first takes the thread out of
 * whatever MadT was doing and then builds the frame that the kernel would have built (x86-64: arch/x86/kernel/signal_64.c) on
 * the target's own stack or alternate stack. Its return passes the gate as rt_sigreturn.
 */
#include "signal/signal_table.h"

#include <errno.h>

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

/* Lets the kernel's default action take place where the target stands: on return, with the signal on its way. */
static void signal_default(int number, siginfo_t *info, ucontext_t *context)
{
	kernel_default(number);
	*context_mask(context) &= ~SIGNAL_BIT(number);
	/* A fault comes again by itself; what was sent must be sent again. */
	if (info->si_code <= 0 || number == SIGTRAP || number == SIGSYS)
		SYS3(__NR_tgkill, SYS0(__NR_getpid), SYS0(__NR_gettid), number);
}

/* ---------------------------------------------------------------- frames on the target's stack */

static size_t floating_size(const ucontext_t *context)
{
	const char *area = (const char *)context->uc_mcontext.fpregs;
	const struct _fpx_sw_bytes *software = (const struct _fpx_sw_bytes *)(area + 464);

	if (!area)
		return 0;
	return software->magic1 == FP_XSTATE_MAGIC1 ? software->extended_size : 512;
}

/* Copies onto the target's stack, which may lie in traced memory. */
static void stack_write(uintptr_t to, const void *from, size_t n)
{
	region_open(to, to + n);
	bytes_copy((void *)to, from, n);
	region_close(to, to + n);
}

/* The kernel writes something short, a signal mask, into each page, as it would write the frame: a stack grows by it. */
static bool stack_takes(uintptr_t start, uintptr_t end)
{
	const size_t size = KERNEL_SET;
	bool good = start < end;

	region_open(start, end);
	for (uintptr_t at = start; good && at < end; at = PAGE_DOWN(at) + MADT_PAGE)
		good = !sys_failed(SYS4(__NR_rt_sigprocmask, SIG_BLOCK, NULL, at < end - size ? at : end - size, KERNEL_SET));
	region_close(start, end);
	return good;
}

/* Where the frame lies, and the floating-point state above it; 0 where the kernel would find no place (get_sigframe). */
static uintptr_t frame_place(const ucontext_t *context, const struct kernel_action *action, size_t floating,
	uintptr_t *area)
{
	uintptr_t rsp = (uintptr_t)context->uc_mcontext.gregs[REG_RSP], at;
	bool alternate = alternate_busy(&self.virtual_stack, rsp);

	rsp -= RED_ZONE;
	if ((action->flags & SA_ONSTACK) && self.virtual_stack.ss_size && !alternate_busy(&self.virtual_stack, rsp)) {
		rsp = (uintptr_t)self.virtual_stack.ss_sp + self.virtual_stack.ss_size;
		alternate = true;
	}
	*area = (rsp - floating) & ~(uintptr_t)63;
	at = ((*area - sizeof(struct signal_frame)) & ~(uintptr_t)15) - 8;
	if (alternate && !alternate_holds(&self.virtual_stack, at))
		return 0;
	return stack_takes(at, rsp) ? at : 0;
}

static void frame_build(uintptr_t at, uintptr_t area, size_t floating, int number, const siginfo_t *info,
	const ucontext_t *context)
{
	struct signal_frame frame;

	bytes_set(&frame, 0, sizeof frame);
	frame.restorer = (uintptr_t)madt_restore_target;
	frame.context.flags = context->uc_flags;
	frame.context.stack = self.virtual_stack;
	frame.context.machine = context->uc_mcontext;
	frame.context.machine.fpregs = floating ? (fpregset_t)area : NULL;
	frame.context.mask = *(const uint64_t *)&context->uc_sigmask | self.virtual_mask;
	frame.info = *info;
	frame.info.si_signo = number;
	if (floating)
		stack_write(area, context->uc_mcontext.fpregs, floating);
	stack_write(at, &frame, sizeof frame);
}

/* `under`: the mask that the thread has, or that of the wait which the signal ended; the handler has it too, and its own. */
static bool signal_enter(int number, siginfo_t *info, ucontext_t *context, uint64_t under)
{
	struct kernel_action action = self.actions->action[number];
	greg_t *registers = context_registers(context);
	size_t floating = floating_size(context);
	uintptr_t area, frame = frame_place(context, &action, floating, &area);
	uint64_t mask = under | action.mask | (action.flags & SA_NODEFER ? 0 : SIGNAL_BIT(number));

	if (action.flags & SA_RESETHAND)
		action_reset(number);
	if (!frame)
		return false;
	frame_build(frame, area, floating, number, info, context);
	if (self.virtual_stack.ss_flags & AUTODISARM)
		alternate_reset();
	frame_prune((uintptr_t)registers[REG_RSP]);
	kept_close();
	frame_enter(frame, FRAME_SIGNAL);
	registers[REG_RIP] = (greg_t)action.handler;
	registers[REG_RSP] = (greg_t)frame;
	registers[REG_RDI] = number;
	registers[REG_RSI] = (greg_t)(frame + offsetof(struct signal_frame, info));
	registers[REG_RDX] = (greg_t)(frame + offsetof(struct signal_frame, context));
	registers[REG_RAX] = 0;
	registers[REG_EFL] &= ~(greg_t)(TRAP_FLAG | DIRECTION_FLAG | RESUME_FLAG);
	self.virtual_mask = mask & SIGNALS_OWN;
	*context_mask(context) = mask & ~SIGNALS_OWN;
	return true;
}

/* There is no room for the frame: SIGSEGV, and if it was one, the end (force_sigsegv in kernel/signal.c). */
static void frame_refused(int number, ucontext_t *context)
{
	siginfo_t info;

	bytes_set(&info, 0, sizeof info);
	info.si_signo = SIGSEGV;
	info.si_code = SI_KERNEL;
	if (number != SIGSEGV && action_handled(&self.actions->action[SIGSEGV]) && !(self.virtual_mask & SIGNAL_BIT(SIGSEGV)) &&
		signal_enter(SIGSEGV, &info, context, *context_mask(context) | self.virtual_mask))
		return;
	info.si_code = SI_TKILL;
	signal_default(SIGSEGV, &info, context);
}

/* Brings the thread back to where all its state is the target's own. */
static void signal_settle(ucontext_t *context)
{
	if (self.step.active)
		trap_end_step(context);
	if (gate_in_stub((uintptr_t)context_registers(context)[REG_RIP]))
		gate_interrupt(context);
}

/* ---------------------------------------------------------------- MadT's signals, blocked and pending */

static unsigned own_index(int number)
{
	return number == SIGSEGV ? 0 : number == SIGTRAP ? 1 : number == SIGSYS ? 2 : 3;
}

static const int own_number[SIGNALS_OWN_COUNT] = {SIGSEGV, SIGTRAP, SIGSYS, SIGILL};

static bool own_wanted(const struct pending *pending, int number)
{
	uint64_t set;

	return region_read(&set, (uintptr_t)pending->argument[0], sizeof set) == sizeof set && (set & SIGNAL_BIT(number));
}

static long own_answer(const struct pending *pending, int number, const siginfo_t *info)
{
	if (pending->argument[1] && !region_write((uintptr_t)pending->argument[1], info, sizeof *info))
		return -EFAULT;
	return number;
}

/* No thread may send another what looks as if it came from the kernel or from kill(2): its code is this one less the true one. */
#define PASSED (-1000)

/*
 * Signals for the process that all threads block are kept by the thread that the kernel chose. Another takes one as soon as it does not block
 * it: the counter says whether there is anything to look for.
 */
static uint32_t shared_kept;

static bool for_process(const siginfo_t *info)
{
	return info->si_code != SI_TKILL;
}

static void own_send(uint32_t tid, int number, const siginfo_t *info)
{
	SYS4(__NR_rt_tgsigqueueinfo, SYS0(__NR_getpid), tid, number, info);
}

/* What was sent to the process, to a thread that does not block it or looks for it; false if there is none. */
static bool own_pass_on(int number, const siginfo_t *info)
{
	struct madt_thread *other;
	siginfo_t passed = *info;

	if (thread_count < 2 || !for_process(info))
		return false;
	if (passed.si_code >= 0)
		passed.si_code = PASSED - passed.si_code;
	for (uint32_t i = 0; (other = thread_other(&i)); i++)
		if (other->process == self.process && (other->pending.masked || !(other->virtual_mask & SIGNAL_BIT(number))) &&
			SYS4(__NR_rt_tgsigqueueinfo, SYS0(__NR_getpid), other->tid, number, &passed) == 0)
			return true;
	return false;
}

int signal_code(int code)
{
	return code <= PASSED && code >= PASSED - SI_KERNEL ? PASSED - code : code;
}

static bool own_take(struct madt_thread *thread, int number, siginfo_t *info)
{
	*info = thread->own_signal[own_index(number)];
	if (!(__atomic_fetch_and(&thread->own_pending, ~SIGNAL_BIT(number), __ATOMIC_ACQ_REL) & SIGNAL_BIT(number)))
		return false;
	if (for_process(info))
		__atomic_fetch_sub(&shared_kept, 1, __ATOMIC_RELAXED);
	return true;
}

/* Takes from the others what was sent to the process and this thread does not block. */
static void shared_take(uint64_t open)
{
	struct madt_thread *other;
	siginfo_t info;

	for (uint32_t i = 0; (other = thread_other(&i)); i++)
		for (unsigned k = 0; other->process == self.process && k < SIGNALS_OWN_COUNT; k++)
			if ((open & LOAD_ACQUIRE(&other->own_pending) & SIGNAL_BIT(own_number[k])) &&
				for_process(&other->own_signal[k]) && own_take(other, own_number[k], &info))
				own_send(self.tid, own_number[k], &info);
}

/* Of a standard signal only the first is kept (signal(7)). Who waits for it with sigtimedwait has it at once: true then. */
static bool own_keep(int number, const siginfo_t *info, ucontext_t *context)
{
	greg_t *registers = context_registers(context);

	if (self.pending.number == __NR_rt_sigtimedwait && gate_interrupted(context) && own_wanted(&self.pending, number)) {
		registers[REG_RAX] = own_answer(&self.pending, number, info);
		return true;
	}
	if (!(self.own_pending & SIGNAL_BIT(number))) {
		self.own_signal[own_index(number)] = *info;
		if (for_process(info))
			__atomic_fetch_add(&shared_kept, 1, __ATOMIC_RELAXED);
		__atomic_fetch_or(&self.own_pending, SIGNAL_BIT(number), __ATOMIC_RELEASE);
	}
	return false;
}

/*
 * A signal of MadT's that was sent while the target ignores or blocks it. The kernel would not have looked up from what it was doing: a call
 * that ended for it is made again.
 */
static bool own_unseen(int number, const siginfo_t *info, ucontext_t *context)
{
	bool waits = gate_in_stub((uintptr_t)context_registers(context)[REG_RIP]) && self.pending.waits;
	uint64_t blocked = waits ? self.pending.wait_mask : self.virtual_mask;

	if (blocked & SIGNAL_BIT(number)) {
		if (!own_pass_on(number, info)) {
			siginfo_t kept;

			if (own_keep(number, info, context))
				return true;
			/* who began to look for it meanwhile did not find it */
			if (for_process(info) && own_pass_on(number, info))
				own_take(&self, number, &kept);
		}
	} else if (self.actions->action[number].handler != (uintptr_t)SIG_IGN) {
		return false;
	}
	if (gate_interrupted(context))
		gate_repeat(context);
	return true;
}

void signal_send_pending(void)
{
	uint64_t open = ~(self.pending.waits ? self.pending.wait_mask : self.virtual_mask);
	siginfo_t info;

	for (unsigned i = 0; i < SIGNALS_OWN_COUNT; i++)
		if ((open & self.own_pending & SIGNAL_BIT(own_number[i])) && own_take(&self, own_number[i], &info))
			own_send(self.tid, own_number[i], &info);
	if (__atomic_load_n(&shared_kept, __ATOMIC_RELAXED))
		shared_take(open);
}

void signal_queue_own(int number)
{
	if (signal_owned(number) && (self.own_pending & SIGNAL_BIT(number)))
		SYS4(__NR_rt_tgsigqueueinfo, SYS0(__NR_getpid), SYS0(__NR_gettid), number, &self.own_signal[own_index(number)]);
}

void signal_hand_over(void)
{
	siginfo_t info;

	for (unsigned i = 0; i < SIGNALS_OWN_COUNT; i++)
		if ((self.own_pending & SIGNAL_BIT(own_number[i])) && own_take(&self, own_number[i], &info))
			own_send(self.tid, own_number[i], &info);
	if (__atomic_load_n(&shared_kept, __ATOMIC_RELAXED))
		shared_take(SIGNALS_OWN);
}

void signal_add_pending(uintptr_t set)
{
	uint64_t pending;

	if (self.own_pending && region_read(&pending, set, sizeof pending) == sizeof pending) {
		pending |= self.own_pending;
		region_write(set, &pending, sizeof pending);
	}
}

bool signal_wait_own(const struct pending *pending, greg_t *registers)
{
	siginfo_t info;

	for (unsigned i = 0; i < SIGNALS_OWN_COUNT; i++)
		if ((self.own_pending & SIGNAL_BIT(own_number[i])) && own_wanted(pending, own_number[i]) &&
			own_take(&self, own_number[i], &info)) {
			registers[REG_RAX] = own_answer(pending, own_number[i], &info);
			return true;
		}
	return false;
}

size_t signal_inheritance(char *text)
{
	uint64_t ignored = 0;
	char *end;

	for (unsigned i = 0; i < SIGNALS_OWN_COUNT; i++)
		if (self.actions->action[own_number[i]].handler == (uintptr_t)SIG_IGN)
			ignored |= SIGNAL_BIT(own_number[i]);
	if (!ignored && !self.virtual_mask)
		return 0;
	end = text_number(text, ignored);
	*end++ = '.';
	return (size_t)(text_number(end, self.virtual_mask) - text);
}

/* What signal_inheritance wrote: MadT's signals that are ignored, and those that are blocked. */
static void inheritance_read(const char *text, uint64_t value[2])
{
	value[0] = value[1] = 0;
	for (unsigned i = 0; i < 2; i++, text++)
		for (; *text >= '0' && *text <= '9'; text++)
			value[i] = value[i] * 10 + (uint64_t)(*text - '0');
	value[1] &= SIGNALS_OWN;
}

void signal_inherit(const char *text)
{
	uint64_t value[2];

	inheritance_read(text, value);
	for (int i = 1; i <= SIGNALS; i++)
		if (value[0] & SIGNAL_BIT(i))
			signal_ignore(i);
	self.virtual_mask = value[1];
}

void signal_inherit_bare(const char *text)
{
	static const struct kernel_action none = {.handler = (uintptr_t)SIG_IGN};
	uint64_t value[2];

	inheritance_read(text, value);
	for (int i = 1; i <= SIGNALS; i++)
		if (value[0] & SIGNAL_BIT(i))
			SYS4(__NR_rt_sigaction, i, &none, NULL, KERNEL_SET);
	SYS4(__NR_rt_sigprocmask, SIG_BLOCK, &value[1], NULL, KERNEL_SET);
}

/* ---------------------------------------------------------------- delivery */

/* The mask that a handler runs under: that of the call which the signal ends, if it has one for as long as it waits. */
static uint64_t mask_under(int number, ucontext_t *context)
{
	if (!gate_waits(context))
		return *context_mask(context) | self.virtual_mask;
	if (!(self.pending.wait_mask & SIGNAL_BIT(number)))
		return self.pending.wait_mask;
	self.pending.waits = false; /* it came before the wait began, which will be made anew */
	return *context_mask(context) | self.virtual_mask;
}

void signal_to_target(int number, siginfo_t *info, ucontext_t *context)
{
	bool sent = info->si_code <= 0;
	uint64_t under;

	info->si_code = signal_code(info->si_code);
	gate_plain(context);
	if (sent && signal_owned(number) && own_unseen(number, info, context))
		return;
	under = mask_under(number, context);
	signal_settle(context);
	if (splice_on && !sent && (SIGNALS_FAULT & SIGNAL_BIT(number)))
		splice_show(info, context, action_handled(&self.actions->action[number]) && !(self.virtual_mask & SIGNAL_BIT(number)));
	else if (splice_on && splice_hold(number, info, context))
		return;
	if (!action_handled(&self.actions->action[number]) || (!sent && (self.virtual_mask & SIGNAL_BIT(number))))
		signal_default(number, info, context);
	else if (!signal_enter(number, info, context, under))
		frame_refused(number, context);
}

/* All other signals with a handler of the target. In a critical section they wait until it ends. */
void signal_receive(int number, siginfo_t *info, void *raw)
{
	ucontext_t *context = raw;

	gs_back();
	if (self.critical && signal_hold(number, info, context))
		return;
	signal_to_target(number, info, context);
}

bool signal_hold(int number, const siginfo_t *info, ucontext_t *context)
{
	if (self.held == HELD_MAX)
		return false;
	if (!self.held)
		self.held_mask = *context_mask(context);
	self.held_signal[self.held++] = *info;
	self.held_signal[self.held - 1].si_signo = number;
	*context_mask(context) = ~SIGNALS_FAULT;
	return true;
}

static void held_queue(void)
{
	uint32_t n = self.held;

	self.held = 0;
	for (uint32_t i = 0; i < n; i++)
		SYS4(__NR_rt_tgsigqueueinfo, SYS0(__NR_getpid), self.tid, self.held_signal[i].si_signo,
			&self.held_signal[i]);
}

/* They arrive when the handler at hand returns. */
void signal_release_held(ucontext_t *context)
{
	held_queue();
	*context_mask(context) = self.held_mask;
}

/* Queues the held signals again for this thread and opens the mask: they arrive at once. */
void signal_send_held(void)
{
	held_queue();
	SYS4(__NR_rt_sigprocmask, SIG_SETMASK, &self.held_mask, NULL, KERNEL_SET);
}

/* The target's rt_sigreturn: what the kernel would do with the frame, done to the handler's own context. */
void signal_return(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	uintptr_t at = (uintptr_t)registers[REG_RSP] - 8;
	struct signal_frame frame;
	size_t floating = floating_size(context);

	if (region_read(&frame, at, sizeof frame) < sizeof frame)
		return;
	if (frame.context.machine.fpregs && floating)
		region_read(context->uc_mcontext.fpregs, (uintptr_t)frame.context.machine.fpregs, floating);
	for (int i = REG_R8; i <= REG_RIP; i++)
		registers[i] = frame.context.machine.gregs[i];
	registers[REG_EFL] = frame.context.machine.gregs[REG_EFL];
	self.virtual_mask = frame.context.mask & SIGNALS_OWN;
	*context_mask(context) = frame.context.mask & ~SIGNALS_OWN;
	alternate_set(&frame.context.stack, (uintptr_t)registers[REG_RSP]);
	frame_leave(at);
}
