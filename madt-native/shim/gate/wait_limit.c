/*
 * Waits with a time limit that a signal of MadT's breaks off. The target does not see the signal,
 * so the call is made again, with what is left of its limit. What the target passed stays as it is
 * in its registers and its memory, but for where the kernel itself writes what is left.
 *
 * When a wait began is noted by the time stamp counter, which costs little; until when it lasts is
 * worked out only where a signal breaks it off. From there the thread goes on at the target's own
 * instruction, and the call passes the gate, in whose stub registers may have other values.
 */
#include "gate/gate_parts.h"

#include "region/region.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#define NANOS INT64_C(1000000000)
#define SECONDS_MOST (INT64_C(1) << 32) /* longer ones end with nobody there to see it */

#define SCRATCH 64 /* of gate_part.scratch; in front of it are masks */

/* SOCKET: it is the socket's; `argument` says which of its options. */
enum unit { NO_LIMIT, MILLISECONDS, TIMESPEC, TIMEVAL, SOCKET };

#define NONE (-1)

/* Where the limit of a call is. */
struct limit {
	enum unit unit;
	int argument;
	bool written; /* the kernel writes there what is left */
	int rest;     /* the argument that says where it does so if a signal ends the wait, or NONE */
};

/* Returns whether the clock goes on while nobody runs: a limit by others is left alone. */
static bool clock_of_time(long clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME
			|| clock == CLOCK_TAI;
}

static struct limit limit_of(long number, const long *a)
{
	static const struct limit none = { NO_LIMIT, 0, false, NONE };

	switch (number) {
	case __NR_nanosleep:
		return (struct limit){ TIMESPEC, 0, false, 1 };
	case __NR_clock_nanosleep:
		if (a[1] & TIMER_ABSTIME)
			return none;
		return (struct limit){ clock_of_time(a[0]) ? TIMESPEC : NO_LIMIT, 2, false, 3 };
	case __NR_poll:
		return (struct limit){ (int)a[2] > 0 ? MILLISECONDS : NO_LIMIT, 2, false, NONE };
	case __NR_epoll_wait:
	case __NR_epoll_pwait:
		return (struct limit){ (int)a[3] > 0 ? MILLISECONDS : NO_LIMIT, 3, false, NONE };
	case __NR_ppoll:
		return (struct limit){ TIMESPEC, 2, true, NONE };
	case __NR_pselect6:
		return (struct limit){ TIMESPEC, 4, true, NONE };
	case __NR_select:
		return (struct limit){ TIMEVAL, 4, true, NONE };
	case __NR_futex:
		if ((a[1] & FUTEX_CMD_MASK) != FUTEX_WAIT)
			return none;
		return (struct limit){ TIMESPEC, 3, false, NONE };
	case __NR_epoll_pwait2:
	case __NR_semtimedop:
		return (struct limit){ TIMESPEC, 3, false, NONE };
	case __NR_rt_sigtimedwait:
		return (struct limit){ TIMESPEC, 2, false, NONE };
	case __NR_io_getevents:
	case __NR_io_pgetevents:
		return (struct limit){ TIMESPEC, 4, false, NONE };
	default:
		return socket_option(number) ? (struct limit){ SOCKET, socket_option(number), false, NONE }
									 : none;
	}
}

static bool has_limit(const struct limit *limit, const long *a)
{
	return limit->unit == SOCKET || (limit->unit != NO_LIMIT && a[limit->argument]);
}

/* ---------------------------------------------------------------- time */

static uint64_t clock_now(void)
{
	struct timespec time;

	SYS2(__NR_clock_gettime, CLOCK_MONOTONIC, &time);
	return (uint64_t)(time.tv_sec * NANOS + time.tv_nsec);
}

/* Returns a * b / c, where b is at most c. */
static uint64_t scaled(uint64_t a, uint64_t b, uint64_t c)
{
	uint64_t quotient, rest;

	__asm__("mulq %[b]; divq %[c]"
			: "=a"(quotient), "=&d"(rest)
			: "a"(a), [b] "r"(b), [c] "r"(c)
			: "cc");
	return quotient;
}

/*
 * Returns when the wait began, as CLOCK_MONOTONIC has it: by what both clocks said before it. `ticks`
 * are read before `now`, as they were the first time: a thread that stands still between the two
 * waits longer for it, and never too short.
 */
static uint64_t begun_at(const struct gate_wait *wait, uint64_t ticks, uint64_t now)
{
	const uint64_t before = wait->begun - wait->first_ticks;

	ticks -= wait->first_ticks;
	if (!ticks || before > ticks)
		return now;
	return wait->first_nanos + scaled(now - wait->first_nanos, before, ticks);
}

/* ---------------------------------------------------------------- the target's limit */

/* Reads it, in nanoseconds; false if there is none, or one that no wait comes to. */
static bool limit_read(const struct limit *limit, const long *a, uint64_t *nanos)
{
	int64_t time[2] = { 0, 0 };

	if (!has_limit(limit, a))
		return false;
	if (limit->unit == SOCKET)
		return socket_limit(a[0], limit->argument, nanos);
	if (limit->unit == MILLISECONDS) {
		*nanos = (uint64_t)(int)a[limit->argument] * 1000000;
		return true;
	}
	if (region_read(time, (uintptr_t)a[limit->argument], sizeof time) < sizeof time || time[0] < 0
			|| time[0] > SECONDS_MOST || time[1] < 0 || time[1] >= NANOS)
		return false;
	*nanos = (uint64_t)(time[0] * NANOS + (limit->unit == TIMEVAL ? time[1] * 1000 : time[1]));
	return true;
}

/* Returns whether the kernel has written what is left where the limit was. */
static bool limit_written(const struct limit *limit, const long *a)
{
	int64_t time[2];

	return limit->written
			&& region_read(time, (uintptr_t)a[limit->argument], sizeof time) == sizeof time
			&& region_write((uintptr_t)a[limit->argument], time, sizeof time);
}

/* Writes what is left of a limit, rounded up, in its unit. */
static void rest_write(const struct limit *limit, uint64_t rest, int64_t *time)
{
	const uint64_t unit = limit->unit == TIMEVAL ? 1000 : 1;

	rest = (rest + unit - 1) / unit * unit;
	time[0] = (int64_t)(rest / NANOS);
	time[1] = (int64_t)(rest % NANOS / unit);
}

static uint64_t rest_of(const struct gate_wait *wait)
{
	const uint64_t now = clock_now();

	return wait->until > now ? wait->until - now : 0;
}

/* ---------------------------------------------------------------- a wait begins */

bool wait_has_limit(long number, const long *a)
{
	const struct limit limit = limit_of(number, a);

	return has_limit(&limit, a) || (limit.rest != NONE && a[limit.rest]);
}

static bool is_broken(const struct pending *pending)
{
	const struct gate_wait *wait = &self.gate.wait;

	return wait->state == WAIT_BROKEN && wait->next == pending->next
			&& wait->number == pending->number
			&& bytes_compare(wait->argument, pending->argument, sizeof wait->argument) == 0;
}

bool wait_goes_on(const struct pending *pending)
{
	return self.gate.wait.until && is_broken(pending);
}

void wait_note(const struct pending *pending)
{
	struct gate_wait *wait = &self.gate.wait;
	const struct limit limit = limit_of(pending->number, pending->argument);

	wait->state = WAIT_NONE;
	wait->next = pending->next;
	wait->number = pending->number;
	wait->until = 0;
	wait->keeps = limit.rest != NONE && pending->argument[limit.rest]
			&& region_read(wait->kept, (uintptr_t)pending->argument[limit.rest], sizeof wait->kept)
					== sizeof wait->kept;
	wait->begun = tsc_now();
	if (!wait->first_ticks) {
		wait->first_ticks = wait->begun;
		wait->first_nanos = clock_now();
	}
}

/* Gives the call what is left of its limit: where the kernel would write it, or in MadT's own. */
static void rest_give(const struct pending *pending, greg_t *registers)
{
	const struct gate_wait *wait = &self.gate.wait;
	const struct limit limit = limit_of(pending->number, pending->argument);
	const uint64_t rest = rest_of(wait);
	int64_t *time = (int64_t *)(self.gate.scratch + SCRATCH);

	if (limit.unit == SOCKET) {
		socket_timer_begin(rest);
		return;
	}
	if (limit.unit == MILLISECONDS) {
		registers[gate_argument[limit.argument]] = (greg_t)((rest + 999999) / 1000000);
		return;
	}
	rest_write(&limit, rest, time);
	if (!limit.written
			|| !region_write((uintptr_t)pending->argument[limit.argument], time,
					sizeof(int64_t[2])))
		registers[gate_argument[limit.argument]] = (greg_t)time;
}

void wait_pass(const struct pending *pending, greg_t *registers)
{
	if (!pending->i386)
		sockets_note(pending->number, pending->argument);
	if (!pending->i386 && is_broken(pending)) {
		wait_again(pending, registers);
		return;
	}
	wait_forget();
	if (!pending->i386 && wait_has_limit(pending->number, pending->argument))
		wait_note(pending);
}

void wait_forget(void)
{
	self.gate.wait.state = WAIT_NONE;
	self.gate.wait.until = 0;
	self.gate.wait.keeps = false;
}

/* ---------------------------------------------------------------- it is broken off */

/* Returns until when the wait lasts; 0: it has no limit. */
static uint64_t until_of(const struct gate_wait *wait, const struct limit *limit, const long *a)
{
	const uint64_t ticks = tsc_now(), now = clock_now();
	uint64_t nanos;

	if (!limit_read(limit, a, &nanos))
		return 0;
	return nanos + (limit_written(limit, a) ? now : begun_at(wait, ticks, now));
}

static void wait_is_broken(struct gate_wait *wait, long number, const long *a, uintptr_t next)
{
	wait->state = WAIT_BROKEN;
	wait->next = next;
	wait->number = number;
	bytes_copy(wait->argument, a, sizeof wait->argument);
}

/* Returns whether it was noted: waits of sockets are from some time on, also while one lasts. */
static bool is_noted(const struct gate_wait *wait, long number, uintptr_t next)
{
	return wait->number == number && wait->next == next;
}

void wait_break(long number, const long *a, uintptr_t next)
{
	struct gate_wait *wait = &self.gate.wait;
	const struct limit limit = limit_of(number, a);

	if (!wait_has_limit(number, a))
		wait_forget();
	if (wait->keeps)
		region_write((uintptr_t)a[limit.rest], wait->kept, sizeof wait->kept);
	if (limit.unit == SOCKET && !is_noted(wait, number, next))
		wait->until = 0;
	else if (wait->state != WAIT_GOES_ON)
		wait->until = until_of(wait, &limit, a);
	wait_is_broken(wait, number, a, next);
}

void gate_wait_goes_on(long number, const long *a, uintptr_t code, uint64_t until)
{
	struct gate_wait *wait = &self.gate.wait;

	wait_forget();
	wait->until = until;
	wait_is_broken(wait, number, a, code + 2);
}

void wait_again(const struct pending *pending, greg_t *registers)
{
	const bool rest = wait_goes_on(pending);

	if (is_broken(pending))
		self.gate.wait.state = WAIT_GOES_ON;
	if (rest)
		rest_give(pending, registers);
}

bool wait_is_over(const struct pending *pending, greg_t *registers)
{
	const struct limit limit = limit_of(pending->number, pending->argument);

	if (limit.unit != SOCKET || !wait_goes_on(pending) || rest_of(&self.gate.wait))
		return false;
	registers[REG_RAX] = socket_late(pending->number, pending->argument[0]);
	wait_forget();
	return true;
}

void wait_shown(void)
{
	socket_timer_end();
	if (self.gate.wait.state == WAIT_GOES_ON)
		self.gate.wait.state = WAIT_BROKEN;
}

/* Brings what the kernel has written as the rest up to date. */
static void rest_write_back(const struct gate_wait *wait)
{
	const struct limit limit = limit_of(wait->number, wait->argument);
	int64_t time[2];

	rest_write(&limit, rest_of(wait), time);
	if (limit.written)
		region_write((uintptr_t)wait->argument[limit.argument], time, sizeof time);
}

/* Tells the target what is left of the wait, where the kernel would. */
static void rest_tell(const struct gate_wait *wait)
{
	const struct limit limit = limit_of(wait->number, wait->argument);
	const int at = limit.written ? limit.argument : limit.rest;
	int64_t time[2];

	if (!wait->until || at == NONE || !wait->argument[at])
		return;
	rest_write(&limit, rest_of(wait), time);
	region_write((uintptr_t)wait->argument[at], time, sizeof time);
}

/* Returns whether the thread stands in front of the wait that has been broken off. */
static bool is_there(const struct gate_wait *wait, const greg_t *registers)
{
	bool same = (uintptr_t)registers[REG_RIP] == wait->next - 2
			&& registers[REG_RAX] == wait->number;

	for (int i = 0; i < 6; i++)
		same &= registers[gate_argument[i]] == wait->argument[i];
	return same;
}

void gate_wait_ends(ucontext_t *context)
{
	struct gate_wait *wait = &self.gate.wait;
	greg_t *registers = context_registers(context);
	const bool broken = wait->state == WAIT_BROKEN;

	wait->state = WAIT_NONE;
	if (!broken || !is_there(wait, registers))
		return;
	rest_tell(wait);
	registers[REG_RAX] = -EINTR;
	registers[REG_RIP] = registers[REG_RCX] = (greg_t)wait->next;
	registers[REG_R11] = registers[REG_EFL];
}

/* Returns how often the thread has waited. */
static uint64_t switches_now(void)
{
	struct rusage usage = { .ru_nvcsw = 0 };

	SYS2(__NR_getrusage, RUSAGE_THREAD, &usage);
	return (uint64_t)usage.ru_nvcsw;
}

void gate_wait_leaves(const ucontext_t *context)
{
	struct gate_wait *wait = &self.gate.wait;
	const bool there = wait->state == WAIT_BROKEN && wait->until
			&& is_there(wait, context->uc_mcontext.gregs);

	wait->left = there ? switches_now() + 1 : 0;
	if (there)
		rest_write_back(wait);
}

uint64_t gate_wait_until(const struct madt_thread *thread, uint64_t *switches)
{
	const struct gate_wait *wait = &thread->gate.wait;

	*switches = wait->left - 1;
	return wait->left ? wait->until : 0;
}
