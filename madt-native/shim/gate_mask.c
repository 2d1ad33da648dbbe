/* Signal masks on their way to the kernel: MadT's signals are never in its mask, and the target never sees that. */
#include "gate.h"

#include <errno.h>

static bool set_strip(uintptr_t from, uint64_t *whole)
{
	uint64_t set;

	if (!from || region_read(whole, from, sizeof *whole) < sizeof *whole)
		return false;
	set = *whole & ~SIGNALS_OWN;
	bytes_copy(self.scratch, &set, sizeof set);
	return true;
}

/* Puts a set without MadT's signals in the place of the one that `argument` points to. */
void gate_strip_set(struct pending *pending, greg_t *registers, int argument)
{
	uint64_t whole;

	if (set_strip((uintptr_t)pending->argument[argument], &whole))
		registers[gate_argument[argument]] = (greg_t)self.scratch;
}

/* The set is a mask for the time of a wait, and for a handler that ends it. */
static bool wait_begin(struct pending *pending, uintptr_t set)
{
	if (!set_strip(set, &pending->wait_mask))
		return false;
	pending->wait_mask &= ~(SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP));
	pending->waits = true;
	signal_send_pending();
	return true;
}

void gate_wait_mask(struct pending *pending, greg_t *registers, int argument)
{
	if (wait_begin(pending, (uintptr_t)pending->argument[argument]))
		registers[gate_argument[argument]] = (greg_t)self.scratch;
}

/* The sixth argument of pselect6 and io_pgetevents is a pointer to { set, size }. */
void gate_wait_mask_pselect(struct pending *pending, greg_t *registers)
{
	uint64_t pair[2];

	if (!pending->argument[5] ||
		region_read(pair, (uintptr_t)pending->argument[5], sizeof pair) < sizeof pair ||
		!wait_begin(pending, pair[0]))
		return;
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
