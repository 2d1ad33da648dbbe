/*
 * Signals that find a thread where none of the target's handlers may run: they are kept in its
 * state until it is out.
 */
#include "base/state.h"

uintptr_t own_word(const siginfo_t *info)
{
	const uintptr_t word = (uintptr_t)info->si_value.sival_ptr;
	const bool asks = word == MADT_ASK_VALUE
			&& (info->si_code == SI_TIMER || info->si_code == SI_QUEUE);

	return asks || (word == MADT_LEAVE_VALUE && info->si_code == SI_QUEUE) ? word : 0;
}

/*
 * Of a standard signal that waits, the kernel keeps one for the thread and one for the process
 * (signal(7)). So does MadT: as long as one is held only those that stand for faults arrive, and
 * however many are sent, there is room for them.
 */
static bool held_already(int number, const siginfo_t *info)
{
	const siginfo_t *other;

	for (uint32_t i = 0; i < self.held.count; i++) {
		other = &self.held.signal[i];
		if (other->si_signo == number && own_word(other) == own_word(info)
				&& (other->si_code == SI_TKILL) == (info->si_code == SI_TKILL))
			return SIGNALS_FAULT & SIGNAL_BIT(number);
	}
	return false;
}

bool held_add(int number, const siginfo_t *info, ucontext_t *context)
{
	if (held_already(number, info))
		return true;
	if (self.held.count == HELD_MAX)
		return false;
	if (!self.held.count)
		self.held.mask = *context_mask(context);
	self.held.signal[self.held.count++] = *info;
	self.held.signal[self.held.count - 1].si_signo = number;
	mask_but_faults(context);
	return true;
}

bool held_has(bool (*is_such)(const siginfo_t *))
{
	for (uint32_t i = 0; i < self.held.count; i++)
		if (is_such(&self.held.signal[i]))
			return true;
	return false;
}

static void held_queue(void)
{
	uint32_t n = self.held.count;

	self.held.count = 0;
	for (uint32_t i = 0; i < n; i++)
		SYS4(__NR_rt_tgsigqueueinfo, SYS0(__NR_getpid), self.tid, self.held.signal[i].si_signo,
				&self.held.signal[i]);
}

/* They arrive when the handler at hand returns. */
void held_release(ucontext_t *context)
{
	held_queue();
	*context_mask(context) = self.held.mask;
}

/*
 * Queues the held signals again for this thread and opens the mask: they arrive at once, and find
 * the thread with the mask that it has from here on.
 */
void held_send(void)
{
	const uint64_t all = ~UINT64_C(0);

	SYS4(__NR_rt_sigprocmask, SIG_SETMASK, &all, NULL, KERNEL_SET);
	held_queue();
	SYS4(__NR_rt_sigprocmask, SIG_SETMASK, &self.held.mask, NULL, KERNEL_SET);
}
