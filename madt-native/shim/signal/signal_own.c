/*
 * MadT's signals, blocked and pending: the kernel neither blocks them nor keeps them for the
 * target, so MadT does.
 */
#include "signal/signal.h"
#include "signal/signal_table.h"

#include "region/region.h"
#include "thread/thread.h"

#include <errno.h>

static unsigned own_index(int number)
{
	return number == SIGSEGV ? 0 : number == SIGTRAP ? 1 : number == SIGSYS ? 2 : 3;
}

const int own_number[SIGNALS_OWN_COUNT] = { SIGSEGV, SIGTRAP, SIGSYS, SIGILL };

/* `argument`: those of rt_sigtimedwait. */
static bool own_wanted(const long *argument, int number)
{
	uint64_t set;

	return region_read(&set, (uintptr_t)argument[0], sizeof set) == sizeof set
			&& (set & SIGNAL_BIT(number));
}

static long own_answer(const long *argument, int number, const siginfo_t *info)
{
	if (argument[1] && !region_write((uintptr_t)argument[1], info, sizeof *info))
		return -EFAULT;
	return number;
}

/*
 * No thread may send another what looks as if it came from the kernel or from kill(2): its code is
 * this one less the true one.
 */
#define PASSED (-1000)

/*
 * Signals for the process that all threads block are kept by the thread that the kernel chose.
 * Another takes one as soon as it does not block it: the counter says whether there is anything to
 * look for.
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

/*
 * Passes on what was sent to the process, to a thread that does not block it or looks for it; false
 * if there is none.
 */
static bool own_pass_on(int number, const siginfo_t *info)
{
	struct madt_thread *other;
	siginfo_t passed = *info;

	if (thread_count < 2 || !for_process(info))
		return false;
	if (passed.si_code >= 0)
		passed.si_code = PASSED - passed.si_code;
	for (uint32_t i = 0; (other = thread_other(&i)); i++)
		if (other->process == self.process
				&& (other->signal.masked || !(other->signal.virtual_mask & SIGNAL_BIT(number)))
				&& SYS4(__NR_rt_tgsigqueueinfo, SYS0(__NR_getpid), other->tid, number, &passed)
						== 0)
			return true;
	return false;
}

int signal_code(int code)
{
	return code <= PASSED && code >= PASSED - SI_KERNEL ? PASSED - code : code;
}

static bool own_take(struct madt_thread *thread, int number, siginfo_t *info)
{
	*info = thread->signal.own_signal[own_index(number)];
	if (!(__atomic_fetch_and(&thread->signal.own_pending, ~SIGNAL_BIT(number), __ATOMIC_ACQ_REL)
				& SIGNAL_BIT(number)))
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
			if ((open & LOAD_ACQUIRE(&other->signal.own_pending) & SIGNAL_BIT(own_number[k]))
					&& for_process(&other->signal.own_signal[k])
					&& own_take(other, own_number[k], &info))
				own_send(self.tid, own_number[k], &info);
}

/*
 * Of a standard signal only the first is kept (signal(7)). Who waits for it with sigtimedwait has
 * it at once: true then.
 */
static bool own_keep(int number, const siginfo_t *info, greg_t *registers, const long *looks)
{
	if (looks && own_wanted(looks, number)) {
		registers[REG_RAX] = own_answer(looks, number, info);
		return true;
	}
	if (!(self.signal.own_pending & SIGNAL_BIT(number))) {
		self.signal.own_signal[own_index(number)] = *info;
		if (for_process(info))
			__atomic_fetch_add(&shared_kept, 1, __ATOMIC_RELAXED);
		__atomic_fetch_or(&self.signal.own_pending, SIGNAL_BIT(number), __ATOMIC_RELEASE);
	}
	return false;
}

bool signal_keep_own(int number, const siginfo_t *info, greg_t *registers, const long *looks)
{
	siginfo_t kept;

	if (own_pass_on(number, info))
		return false;
	if (own_keep(number, info, registers, looks))
		return true;
	/* who began to look for it meanwhile did not find it */
	if (for_process(info) && own_pass_on(number, info))
		own_take(&self, number, &kept);
	return false;
}

void signal_send_pending(void)
{
	uint64_t open = ~(self.signal.waits ? self.signal.wait_mask : self.signal.virtual_mask);
	siginfo_t info;

	for (unsigned i = 0; i < SIGNALS_OWN_COUNT; i++)
		if ((open & self.signal.own_pending & SIGNAL_BIT(own_number[i]))
				&& own_take(&self, own_number[i], &info))
			own_send(self.tid, own_number[i], &info);
	if (__atomic_load_n(&shared_kept, __ATOMIC_RELAXED))
		shared_take(open);
}

void signal_queue_own(int number)
{
	if (signal_owned(number) && (self.signal.own_pending & SIGNAL_BIT(number)))
		SYS4(__NR_rt_tgsigqueueinfo, SYS0(__NR_getpid), SYS0(__NR_gettid), number,
				&self.signal.own_signal[own_index(number)]);
}

void signal_hand_over(void)
{
	siginfo_t info;

	for (unsigned i = 0; i < SIGNALS_OWN_COUNT; i++)
		if ((self.signal.own_pending & SIGNAL_BIT(own_number[i]))
				&& own_take(&self, own_number[i], &info))
			own_send(self.tid, own_number[i], &info);
	if (__atomic_load_n(&shared_kept, __ATOMIC_RELAXED))
		shared_take(SIGNALS_OWN);
}

void signal_add_pending(uintptr_t set)
{
	uint64_t pending;

	if (self.signal.own_pending && region_read(&pending, set, sizeof pending) == sizeof pending) {
		pending |= self.signal.own_pending;
		region_write(set, &pending, sizeof pending);
	}
}

bool signal_wait_own(const long *argument, greg_t *registers)
{
	siginfo_t info;

	for (unsigned i = 0; i < SIGNALS_OWN_COUNT; i++)
		if ((self.signal.own_pending & SIGNAL_BIT(own_number[i]))
				&& own_wanted(argument, own_number[i]) && own_take(&self, own_number[i], &info)) {
			registers[REG_RAX] = own_answer(argument, own_number[i], &info);
			return true;
		}
	return false;
}
