/*
 * Signal masks on their way to the kernel: MadT's signals are never in its mask, and the target
 * never sees that.
 */
#include "gate/gate_parts.h"

#include "region/region.h"
#include "signal/signal.h"

#include <errno.h>
#include <sys/signalfd.h>

static bool set_strip(uintptr_t from, uint64_t *whole)
{
	uint64_t set;

	if (!from || region_read(whole, from, sizeof *whole) < sizeof *whole)
		return false;
	set = *whole & ~SIGNALS_OWN;
	bytes_copy(self.gate.scratch, &set, sizeof set);
	return true;
}

/* Puts a set without MadT's signals in the place of the one that `argument` points to. */
void gate_strip_set(struct pending *pending, greg_t *registers, int argument)
{
	uint64_t whole;

	if (set_strip((uintptr_t)pending->argument[argument], &whole))
		registers[gate_argument[argument]] = (greg_t)self.gate.scratch;
}

/* The set is a mask for the time of a wait, and for a handler that ends it. */
static bool wait_begin(uintptr_t set)
{
	if (!set_strip(set, &self.signal.wait_mask))
		return false;
	self.signal.wait_mask &= ~(SIGNAL_BIT(SIGKILL) | SIGNAL_BIT(SIGSTOP));
	self.signal.waits = true;
	signal_send_pending();
	return true;
}

void gate_wait_mask(struct pending *pending, greg_t *registers, int argument)
{
	if (wait_begin((uintptr_t)pending->argument[argument]))
		registers[gate_argument[argument]] = (greg_t)self.gate.scratch;
}

/* The sixth argument of pselect6 and io_pgetevents is a pointer to { set, size }. */
void gate_wait_mask_pselect(struct pending *pending, greg_t *registers)
{
	uint64_t pair[2];

	if (!pending->argument[5]
			|| region_read(pair, (uintptr_t)pending->argument[5], sizeof pair) < sizeof pair
			|| !wait_begin(pair[0]))
		return;
	pair[0] = (uint64_t)self.gate.scratch;
	bytes_copy(self.gate.scratch + 16, pair, sizeof pair);
	registers[REG_R9] = (greg_t)(self.gate.scratch + 16);
}

/*
 * rt_sigprocmask is done here, in the context that the handler will return to: no call can stand
 * between the target's mask and the kernel's.
 */
long gate_mask_change(ucontext_t *context, const struct pending *pending)
{
	uint64_t before = *context_mask(context) | self.signal.virtual_mask, set = 0, after = before;
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
		self.signal.virtual_mask = after & SIGNALS_OWN;
		*context_mask(context) = after & ~SIGNALS_OWN;
	}
	if (old && !region_write(old, &before, sizeof before))
		return -EFAULT;
	return 0;
}

/* ---------------------------------------------------------------- signalfd */

/*
 * A signal of MadT's that the target blocks is kept by MadT, where signalfd(2) does not see it. So
 * the calls that look at such descriptors, once there is one, are made with these signals blocked
 * in the kernel too and with what is pending handed over. The target's code does not run meanwhile,
 * and the stub unblocks them before its trap.
 */
static bool descriptors;

void gate_descriptor(const struct pending *pending)
{
	uint64_t set;

	if (region_read(&set, (uintptr_t)pending->argument[1], sizeof set) == sizeof set
			&& (set & SIGNALS_OWN)) {
		descriptors = true;
		direct_leave_signals();
	}
}

static bool looks(long number)
{
	switch (number) {
	case __NR_read:
	case __NR_readv:
	case __NR_poll:
	case __NR_ppoll:
	case __NR_select:
	case __NR_pselect6:
	case __NR_epoll_wait:
	case __NR_epoll_pwait:
	case __NR_epoll_pwait2:
		return true;
	default:
		return false;
	}
}

bool gate_masked(struct pending *pending, ucontext_t *context)
{
	uint64_t blocked = (self.signal.waits ? self.signal.wait_mask : self.signal.virtual_mask)
			& SIGNALS_OWN;

	if (!descriptors || !blocked || pending->i386 || !looks(pending->number))
		return false;
	if (self.signal.waits)
		bytes_copy(self.gate.scratch, &self.signal.wait_mask, sizeof self.signal.wait_mask);
	self.masked_set = *context_mask(context);
	*context_mask(context) |= blocked;
	self.signal.masked = true;
	signal_hand_over();
	return true;
}

static bool is_signalfd(long fd)
{
	char link[64] = "/proc/thread-self/fd/", path[64];
	long length;

	text_number(link + text_length(link), (uint64_t)fd);
	length = SYS3(__NR_readlink, link, path, sizeof path - 1);
	path[length > 0 ? length : 0] = 0;
	return text_begins(path, "anon_inode:[signalfd]");
}

void gate_masked_end(const struct pending *pending, long result)
{
	struct signalfd_siginfo info;
	uintptr_t at = (uintptr_t)pending->argument[1];

	if (!descriptors || pending->number != __NR_read || result <= 0 || result % (long)sizeof info
			|| !is_signalfd(pending->argument[0]))
		return;
	for (; result > 0; result -= (long)sizeof info, at += sizeof info) {
		int code;

		if (region_read(&info, at, sizeof info) < sizeof info)
			return;
		code = signal_code(info.ssi_code);
		if (code != info.ssi_code)
			region_write(at + offsetof(struct signalfd_siginfo, ssi_code), &code, sizeof code);
	}
}

void gate_plain(ucontext_t *context)
{
	greg_t *registers = context_registers(context);
	const char *code = (const char *)registers[REG_RIP];

	if (code < madt_stub_masked || code > madt_stub_masked_end) /* behind its int3, too */
		return;
	if (code >= madt_stub_masked_kept)
		registers[REG_RAX] = (greg_t)self.masked_result;
	registers[REG_RIP] = (greg_t)(code == madt_stub_masked ? madt_stub : madt_stub + 2);
	*context_mask(context) &= ~SIGNALS_OWN;
	self.signal.masked = false;
}
