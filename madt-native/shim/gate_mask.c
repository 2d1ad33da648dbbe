/* Signal masks on their way to the kernel: MadT's signals are never in its mask, and the target never sees that. */
#include "gate.h"

#include <errno.h>

/* Puts a set without MadT's signals in the place of the one that `argument` points to. */
void gate_strip_set(struct pending *pending, greg_t *registers, int argument, unsigned at)
{
	uint64_t set;

	if (!pending->argument[argument] ||
		region_read(&set, (uintptr_t)pending->argument[argument], sizeof set) < sizeof set)
		return;
	set &= ~SIGNALS_OWN;
	bytes_copy(self.scratch + at, &set, sizeof set);
	registers[gate_argument[argument]] = (greg_t)(self.scratch + at);
}

/* pselect6's sixth argument is a pointer to { set, size }. */
void gate_strip_pselect(struct pending *pending, greg_t *registers)
{
	uint64_t pair[2], set;

	if (!pending->argument[5] ||
		region_read(pair, (uintptr_t)pending->argument[5], sizeof pair) < sizeof pair || !pair[0] ||
		region_read(&set, pair[0], sizeof set) < sizeof set)
		return;
	set &= ~SIGNALS_OWN;
	bytes_copy(self.scratch, &set, sizeof set);
	pair[0] = (uint64_t)self.scratch;
	bytes_copy(self.scratch + 16, pair, sizeof pair);
	registers[REG_R9] = (greg_t)(self.scratch + 16);
}

/*
 * rt_sigprocmask is done here, in the context that the handler will return to: no call can stand between the target's mask and
 * the kernel's.
 */
long gate_mask_change(ucontext_t *context, const struct pending *pending)
{
	uint64_t before = *context_mask(context) | self.virtual_mask, set = 0, after = before;
	long how = pending->argument[0];
	uintptr_t wanted = (uintptr_t)pending->argument[1], old = (uintptr_t)pending->argument[2];

	if (pending->argument[3] != KERNEL_SET)
		return -EINVAL;
	if (wanted) {
		if (region_read(&set, wanted, sizeof set) < sizeof set)
			return -EFAULT;
		if (how == SIG_BLOCK)
			after = before | set;
		else if (how == SIG_UNBLOCK)
			after = before & ~set;
		else if (how == SIG_SETMASK)
			after = set;
		else
			return -EINVAL;
		after &= ~(SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP));
		self.virtual_mask = after & SIGNALS_OWN;
		*context_mask(context) = after & ~SIGNALS_OWN;
	}
	if (old && !region_write(old, &before, sizeof before))
		return -EFAULT;
	return 0;
}
