/*
 * The target's signals. MadT owns SIGSEGV, SIGTRAP, SIGSYS and SIGILL: the kernel's mask never
 * holds them, and what the target asks of them is kept here and in signal_own.c. All handlers that
 * the kernel knows are MadT's (struct signal_entries).
 *
 * Here: rt_sigaction, sigaltstack, and what becomes of them in children. Where the memory is
 * shared, a child has a table of its own unless CLONE_SIGHAND says otherwise (clone(2)):
 * posix_spawn's child resets all handlers of its own table and none of its parent's.
 */
#include "signal/signal.h"
#include "signal/signal_float.h"
#include "signal/signal_table.h"

#include "base/spin.h"
#include "region/region.h"
#include "thread/thread.h"

#include <asm/prctl.h>
#include <errno.h>
#include <linux/sched.h>
#include <sys/mman.h>

#define RESTORER 0x04000000
#define STACK_LEAST 2048 /* MINSIGSTKSZ of the kernel */
#define TABLES 32
/* signal(7), "Ign" and "Cont" */
#define IGNORED_BY_DEFAULT \
	(SIGNAL_BIT(SIGCHLD) | SIGNAL_BIT(SIGCONT) | SIGNAL_BIT(SIGURG) | SIGNAL_BIT(SIGWINCH))

static struct action_table tables[TABLES];
static struct spin tables_lock;
static struct spin actions_lock; /* of any table: an action, here and in the kernel */
static const struct signal_entries *entries;

static void actions_set(struct action_table *table)
{
	self.signal.actions = table;
	self.dropped = &table->dropped;
}

static long kernel_set(int number, void (*handler)(int, siginfo_t *, void *), uint64_t flags)
{
	struct kernel_action action = {
		.handler = (uintptr_t)handler,
		.flags = flags | SA_SIGINFO | SA_ONSTACK | RESTORER,
		.restorer = (uintptr_t)madt_restore_own,
		.mask = ~__atomic_load_n(self.dropped, __ATOMIC_RELAXED),
	};

	return SYS4(__NR_rt_sigaction, number, &action, NULL, KERNEL_SET);
}

void kernel_default(int number)
{
	struct kernel_action none = { .flags = RESTORER, .restorer = (uintptr_t)madt_restore_own };

	SYS4(__NR_rt_sigaction, number, &none, NULL, KERNEL_SET);
}

static long other_set(int number)
{
	const uint64_t flags = self.signal.actions->action[number].flags;

	return kernel_set(number, entries->other, flags & ~(uint64_t)(SA_RESETHAND | SA_NODEFER));
}

static void handlers_set(void)
{
	kernel_set(SIGSEGV, entries->fault, 0);
	kernel_set(SIGTRAP, entries->trap, 0);
	kernel_set(SIGSYS, entries->call, 0);
	kernel_set(SIGILL, entries->illegal, 0);
}

static void others_set(void)
{
	for (int i = 1; i <= SIGNALS; i++)
		if (!signal_owned(i)
				&& (window_signal(i) || action_handled(&self.signal.actions->action[i])))
			other_set(i);
}

struct kernel_action action_now(int number)
{
	struct kernel_action action;

	spin_lock(&actions_lock);
	action = self.signal.actions->action[number];
	spin_unlock(&actions_lock);
	return action;
}

/*
 * The kernel drops a signal that is ignored, but not for a thread that blocks it: then it keeps the
 * signal, and breaks off what another thread waits for (sig_ignored in kernel/signal.c). A handler
 * of MadT's that blocked it would show.
 */
bool action_drops(int number, const struct kernel_action *action)
{
	const uintptr_t handler = action->handler;

	return !signal_owned(number) && !window_signal(number)
			&& (handler == (uintptr_t)SIG_IGN
					|| (handler == (uintptr_t)SIG_DFL
							&& (IGNORED_BY_DEFAULT & SIGNAL_BIT(number))));
}

static void dropped_look(int number)
{
	struct action_table *table = self.signal.actions;
	bool was = table->dropped & SIGNAL_BIT(number);

	if (action_drops(number, &table->action[number]) == was)
		return;
	__atomic_fetch_xor(&table->dropped, SIGNAL_BIT(number), __ATOMIC_RELAXED);
	handlers_set();
	others_set();
}

void signal_set_up(const struct signal_entries *of_handlers)
{
	entries = of_handlers;
	float_set_up();
	self.signal.virtual_stack.ss_flags = SS_DISABLE;
	actions_set(&tables[0]);
	self.signal.actions->state = TABLE_USED;
	for (int i = 1; i <= SIGNALS; i++)
		SYS4(__NR_rt_sigaction, i, NULL, &self.signal.actions->action[i], KERNEL_SET);
	for (int i = 1; i <= SIGNALS; i++)
		if (action_drops(i, &self.signal.actions->action[i]))
			self.signal.actions->dropped |= SIGNAL_BIT(i);
	handlers_set();
	for (int i = 1; i <= SIGNALS; i++)
		if (window_signal(i) && !signal_owned(i))
			kernel_set(i, entries->other, 0);
}

/* As if the target had asked for them just now: see signal_action. */
void signal_take_over(const struct signal_entries *of_handlers)
{
	signal_set_up(of_handlers);
	others_set();
}

void signal_take_over_thread(uint64_t mask, const stack_t *stack)
{
	actions_set(&tables[0]);
	self.signal.virtual_mask = mask & SIGNALS_OWN;
	self.signal.virtual_stack = (stack_t){ .ss_flags = SS_DISABLE };
	if (!(stack->ss_flags & SS_DISABLE))
		self.signal.virtual_stack = (stack_t){ .ss_sp = stack->ss_sp,
			.ss_size = stack->ss_size,
			.ss_flags = stack->ss_flags & AUTODISARM };
}

void signal_ignore(int number)
{
	struct kernel_action none = {
		.handler = (uintptr_t)SIG_IGN, .flags = RESTORER, .restorer = (uintptr_t)madt_restore_own
	};

	self.signal.actions->action[number].handler = (uintptr_t)SIG_IGN;
	dropped_look(number);
	if (!signal_owned(number))
		SYS4(__NR_rt_sigaction, number, &none, NULL, KERNEL_SET);
}

static bool ignored(int number)
{
	return self.signal.actions->action[number].handler == (uintptr_t)SIG_IGN;
}

bool signal_inherits(void)
{
	return self.signal.virtual_mask || ignored(SIGSEGV) || ignored(SIGTRAP) || ignored(SIGSYS)
			|| ignored(SIGILL);
}

void signal_bare(bool bare)
{
	struct kernel_action none = {
		.handler = (uintptr_t)SIG_IGN, .flags = RESTORER, .restorer = (uintptr_t)madt_restore_own
	};

	for (unsigned i = 0; bare && i < SIGNALS_OWN_COUNT; i++)
		if (ignored(own_number[i]))
			SYS4(__NR_rt_sigaction, own_number[i], &none, NULL, KERNEL_SET);
	if (!bare)
		handlers_set();
}

void signal_release(void)
{
	for (int i = 1; i <= SIGNALS; i++)
		if (i != SIGKILL && i != SIGSTOP)
			SYS4(__NR_rt_sigaction, i, &self.signal.actions->action[i], NULL, KERNEL_SET);
}

void signal_release_thread(ucontext_t *context)
{
	for (int i = 1; i <= SIGNALS; i++)
		signal_queue_own(i);
	*context_mask(context) |= self.signal.virtual_mask;
	thread_stack_set(&self.signal.virtual_stack, self.signal.between + sizeof self.signal.between);
	context->uc_stack = self.signal.virtual_stack; /* rt_sigreturn sets it again */
}

/* ---------------------------------------------------------------- rt_sigaction, sigaltstack */

/* Drops what is ignored from what is pending (sigaction(2)), for all threads of the process. */
static void pending_drop(int number)
{
	struct madt_thread *other;

	if (!signal_owned(number))
		return;
	__atomic_fetch_and(&self.signal.own_pending, ~SIGNAL_BIT(number), __ATOMIC_RELAXED);
	for (uint32_t i = 0; (other = thread_other(&i)); i++)
		if (other->process == self.process)
			__atomic_fetch_and(&other->signal.own_pending, ~SIGNAL_BIT(number), __ATOMIC_RELAXED);
}

/* Sets it in the table and in the kernel. */
static long action_set(int number, const struct kernel_action *wanted)
{
	const struct kernel_action plain = { .handler = wanted->handler,
		.flags = wanted->flags | RESTORER,
		.restorer = (uintptr_t)madt_restore_own,
		.mask = wanted->mask & ~SIGNALS_OWN };
	long result = 0;

	spin_lock(&actions_lock);
	self.signal.actions->action[number] = *wanted;
	dropped_look(number);
	if (!signal_owned(number))
		result = action_handled(wanted) || window_signal(number)
				? other_set(number)
				: SYS4(__NR_rt_sigaction, number, &plain, NULL, KERNEL_SET);
	spin_unlock(&actions_lock);
	return result;
}

long signal_action(int number, uintptr_t action, uintptr_t old, size_t size)
{
	struct kernel_action wanted, before;
	long result = 0;

	if (size != KERNEL_SET || number < 1 || number > SIGNALS
			|| ((number == SIGKILL || number == SIGSTOP) && action))
		return -EINVAL;
	before = action_now(number);
	if (action && region_read(&wanted, action, sizeof wanted) < sizeof wanted)
		return -EFAULT;
	if (action) {
		wanted.mask &= ~(SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP));
		result = action_set(number, &wanted);
		if (wanted.handler == (uintptr_t)SIG_IGN)
			pending_drop(number);
	}
	if (result == 0 && old && !region_write(old, &before, sizeof before))
		return -EFAULT;
	return result;
}

void action_reset(int number)
{
	spin_lock(&actions_lock);
	self.signal.actions->action[number].handler = (uintptr_t)SIG_DFL;
	dropped_look(number);
	if (!signal_owned(number) && !window_signal(number))
		kernel_default(number);
	spin_unlock(&actions_lock);
}

bool alternate_holds(const stack_t *stack, uintptr_t rsp)
{
	return rsp > (uintptr_t)stack->ss_sp && rsp - (uintptr_t)stack->ss_sp <= stack->ss_size;
}

bool alternate_busy(const stack_t *stack, uintptr_t rsp)
{
	return !(stack->ss_flags & AUTODISARM) && alternate_holds(stack, rsp);
}

void alternate_reset(void)
{
	self.signal.virtual_stack = (stack_t){ .ss_flags = SS_DISABLE };
}

/* kernel/signal.c, do_sigaltstack */
long alternate_set(const stack_t *wanted, uintptr_t rsp)
{
	int mode = wanted->ss_flags & ~AUTODISARM;
	stack_t stack = { .ss_flags = wanted->ss_flags };

	if (alternate_busy(&self.signal.virtual_stack, rsp))
		return -EPERM;
	if (mode != SS_DISABLE && mode != SS_ONSTACK && mode != 0)
		return -EINVAL;
	if (mode != SS_DISABLE) {
		if (wanted->ss_size < STACK_LEAST)
			return -ENOMEM;
		stack.ss_sp = wanted->ss_sp;
		stack.ss_size = wanted->ss_size;
	}
	self.signal.virtual_stack = stack;
	return 0;
}

long signal_alternate(uintptr_t stack, uintptr_t old, uintptr_t rsp)
{
	stack_t wanted, before;
	long result = 0;

	bytes_set(&before, 0, sizeof before);
	before.ss_sp = self.signal.virtual_stack.ss_sp;
	before.ss_size = self.signal.virtual_stack.ss_size;
	before.ss_flags = (self.signal.virtual_stack.ss_flags & AUTODISARM)
			| (!before.ss_size                                                ? SS_DISABLE
							: alternate_busy(&self.signal.virtual_stack, rsp) ? SS_ONSTACK
																			  : 0);
	if (stack) {
		if (region_read(&wanted, stack, sizeof wanted) < sizeof wanted)
			return -EFAULT;
		result = alternate_set(&wanted, rsp);
	}
	if (result == 0 && old && !region_write(old, &before, sizeof before))
		return -EFAULT;
	return result;
}

/* ---------------------------------------------------------------- children in shared memory */

static bool has(const struct madt_thread *thread, const void *table)
{
	return thread->signal.actions == table;
}

/* A copy of the caller's; where 32 are in use at once, in memory that is never given back. */
static struct action_table *table_copy(void)
{
	struct action_table *table = tables;

	spin_lock(&tables_lock);
	while (table < tables + TABLES
			&& (table->state == TABLE_COMING
					|| (table->state == TABLE_USED && thread_any(has, table))))
		table++;
	if (table == tables + TABLES)
		table = sys_pages(sizeof *table);
	if (table) {
		bytes_copy(table->action, self.signal.actions->action, sizeof table->action);
		table->dropped = self.signal.actions->dropped;
		table->state = TABLE_COMING;
	}
	spin_unlock(&tables_lock);
	return table ? table : self.signal.actions;
}

struct inherited signal_bequeath(uint64_t flags)
{
	struct inherited to = {
		.virtual_mask = self.signal.virtual_mask,
		.virtual_stack = { .ss_flags = SS_DISABLE },
		.actions = self.signal.actions,
		.tsc_forbidden = self.tsc_forbidden,
		.virtual_gs = self.thread.virtual_gs,
	};

	if (!(flags & CLONE_VM))
		return to;
	if (flags & CLONE_VFORK) {
		to.virtual_stack = self.signal.virtual_stack;
		to.lender = self.number;
	}
	if (!(flags & CLONE_SIGHAND))
		to.actions = table_copy();
	return to;
}

void signal_begin(const struct inherited *from, bool clears)
{
	if (from) {
		self.signal.virtual_stack = from->virtual_stack;
		self.signal.virtual_mask = from->virtual_mask;
		actions_set(from->actions);
	}
	STORE_RELEASE(&self.signal.actions->state, TABLE_USED);
	for (int i = 1; clears && i <= SIGNALS; i++)
		if (self.signal.actions->action[i].handler != (uintptr_t)SIG_IGN) {
			bool handled = action_handled(&self.signal.actions->action[i]);

			bytes_set(&self.signal.actions->action[i], 0, sizeof self.signal.actions->action[i]);
			if (handled && !signal_owned(i))
				kernel_default(i);
			dropped_look(i);
		}
}

void signal_inherited_by_none(const struct inherited *from)
{
	uint32_t coming = TABLE_COMING;

	if (from->actions)
		__atomic_compare_exchange_n(&from->actions->state, &coming, TABLE_FREE, false,
				__ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void signal_after_fork(void)
{
	spin_after_fork(&tables_lock);
	spin_after_fork(&actions_lock);
	self.signal.own_pending = 0;
}
