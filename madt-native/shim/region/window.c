/*
 * Windows of the recording: what opens one, and what closes it (madt_layout.h, enum madt_start).
 * The markers, functions, signals and reads that do are seen elsewhere, which says here that they
 * have come. What concerns time, and what the launcher wants, is brought by a signal: MADT_ASKED_BY
 * with MADT_ASK_VALUE, from a timer of this process or from the launcher.
 *
 *   closed ──opens, main, … and fewer than `most` so far──▶ open ──closes, lasts──▶ closed
 */
#include "region/region.h"

#include "base/spin.h"
#include "base/state.h"
#include "session/session.h"

#include <time.h>

#define NANOS UINT64_C(1000000000)
#define NO_TIMER (-1)

static uint32_t opened;     /* windows of this process */
static struct spin turning; /* a thread opens or closes one */
static bool half;           /* one did, where the process forked */
static uint64_t opened_at, closed_at;
static int timer = NO_TIMER;
static uint32_t timer_thread; /* gets its signals */

static uint64_t now(void)
{
	struct timespec time;

	SYS2(__NR_clock_gettime, CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * NANOS + (uint64_t)time.tv_nsec;
}

static bool more(void)
{
	uint32_t most = session.page->windows.most;

	return !most || opened < most;
}

bool window_awaits(enum madt_start cause)
{
	if (!attached || session.gone)
		return false;
	return recording ? session.page->windows.stop == (uint32_t)cause
					 : session.page->start == (uint32_t)cause && more();
}

bool window_opens_again(void)
{
	return more();
}

/* ---------------------------------------------------------------- time */

/* Returns when the next thing is due, or 0. */
static uint64_t due(void)
{
	const struct madt_windows *windows = &session.page->windows;
	uint64_t ends = recording && windows->lasts ? opened_at + windows->lasts : 0;

	if (window_awaits(MADT_START_AFTER))
		return recording ? windows->begun + windows->closes.nanos
						 : (closed_at ? closed_at : windows->begun) + windows->opens.nanos;
	return ends;
}

/* The earlier one: a window may have both ends. */
static uint64_t due_first(void)
{
	const struct madt_windows *windows = &session.page->windows;
	uint64_t at = due(), ends = recording && windows->lasts ? opened_at + windows->lasts : at;

	return at && at < ends ? at : ends;
}

/*
 * One thread gets its signals: of several that the kernel wakes for a signal to the process one gets
 * it, and calls of the others may end with EINTR for nothing.
 */
static bool timer_make(void)
{
	struct sigevent event;

	if (timer != NO_TIMER)
		return true;
	bytes_set(&event, 0, sizeof event);
	event.sigev_notify = SIGEV_THREAD_ID;
	event._sigev_un._tid = (pid_t)timer_thread;
	event.sigev_signo = MADT_ASKED_BY;
	event.sigev_value.sival_ptr = (void *)MADT_ASK_VALUE;
	return !sys_failed(SYS3(__NR_timer_create, CLOCK_MONOTONIC, &event, &timer));
}

/* It signals at once what is over already. */
static void timer_follow(void *none)
{
	uint64_t at = due_first();
	struct itimerspec time = { .it_value = { (time_t)(at / NANOS), (long)(at % NANOS) } };

	(void)none;
	if (timer == NO_TIMER && !timer_thread)
		timer_thread = self.tid;
	if (timer == NO_TIMER ? at && timer_make() : true)
		SYS4(__NR_timer_settime, timer, TIMER_ABSTIME, &time, NULL);
}

/* ---------------------------------------------------------------- open and close */

static void turn_begin(void)
{
	critical_enter();
	spin_lock(&turning);
}

static void turn_end(void)
{
	if (timer != NO_TIMER || due_first())
		on_own_stack(timer_follow, NULL);
	spin_unlock(&turning);
	critical_leave();
}

static void opened_tell(uint32_t windows)
{
	opened = windows;
	STORE_RELEASE(&session.control->opened, opened);
}

void window_open(enum madt_start cause, uintptr_t code)
{
	if (!attached || recording)
		return;
	turn_begin();
	if (recording_begin(cause, code)) {
		opened_tell(opened + 1);
		opened_at = now();
	}
	turn_end();
}

void window_close(enum madt_start cause, uintptr_t code)
{
	if (!recording)
		return;
	turn_begin();
	if (recording) {
		recording_end(cause, code);
		closed_at = now();
	}
	turn_end();
}

void window_turn(enum madt_start cause, uintptr_t code)
{
	if (!window_awaits(cause))
		return;
	if (recording)
		window_close(cause, code);
	else
		window_open(cause, code);
}

void window_set_up(void)
{
	uint64_t none = 0, time = now();

	__atomic_compare_exchange_n(&session.page->windows.begun, &none, time, false, __ATOMIC_ACQ_REL,
			__ATOMIC_RELAXED);
	if (session.page->start == MADT_START_LOAD)
		window_open(MADT_START_LOAD, 0);
	if (!recording && due() && due() <= time)
		window_open(MADT_START_AFTER, 0);
	turn_begin();
	turn_end();
}

void window_thread_ends(uint32_t heir)
{
	if (timer == NO_TIMER || timer_thread != self.tid || !heir)
		return;
	turn_begin();
	SYS1(__NR_timer_delete, timer);
	timer = NO_TIMER;
	timer_thread = heir;
	turn_end();
}

/* Timers are not inherited (fork(2)); the window that is open is. */
void window_after_fork(void)
{
	timer = NO_TIMER;
	timer_thread = 0;
	half = spin_after_fork(&turning);
}

void window_in_child(void)
{
	opened_tell(opened);
	if (recording && session.page->start >= MADT_START_FUNCTION)
		recording_note(MADT_EVENT_RECORD_START, MADT_START_FORK, 0);
	turn_begin();
	if (half) /* whoever did it is not there: what was to be done is done */
		(recording ? engine.begin : engine.rest)();
	half = false;
	turn_end();
}

/* ---------------------------------------------------------------- signals */

bool window_asked(const siginfo_t *info)
{
	return own_word(info) == MADT_ASK_VALUE;
}

static void control_answer(void)
{
	uint32_t asked = __atomic_exchange_n(&session.control->asked, MADT_ASKED_NOTHING,
			__ATOMIC_ACQ_REL);

	if (asked == MADT_ASKED_OPEN)
		window_open(MADT_START_CONTROL, 0);
	else if (asked == MADT_ASKED_CLOSE)
		window_close(MADT_START_CONTROL, 0);
}

/* It is asked again until it has followed. */
static void switches_follow(void)
{
	uint32_t switched = LOAD_ACQUIRE(&session.control->switched);

	if (switched == session.control->followed)
		return;
	engine.switched();
	STORE_RELEASE(&session.control->followed, switched);
}

static void rate_limit_down(void)
{
	turn_begin();
	engine.rate_limit();
	turn_end();
}

void window_answer(void)
{
	const struct madt_windows *windows = &session.page->windows;
	uint64_t at = due(), time = now();

	if (!attached)
		return;
	control_answer();
	switches_follow();
	if (LOAD_ACQUIRE(&session.control->rate_limit))
		rate_limit_down();
	if (recording && windows->lasts && time >= opened_at + windows->lasts)
		window_close(MADT_START_FOR, 0);
	else if (at && time >= at && window_awaits(MADT_START_AFTER))
		window_turn(MADT_START_AFTER, 0);
}

void request_take(long seconds)
{
	const struct timespec limit = { seconds, 0 };
	uint64_t set = SIGNAL_BIT(MADT_ASKED_BY);
	siginfo_t info;

	if (!sys_failed(SYS4(__NR_rt_sigtimedwait, &set, &info, &limit, KERNEL_SET))
			&& !own_word(&info))
		SYS3(__NR_rt_sigqueueinfo, session.pid, MADT_ASKED_BY, &info); /* the target's */
}

/* A signal that has been sent is taken here, or by a thread that can still handle it. */
void window_asks_end(void)
{
	struct madt_control *control = session.control;

	if (__atomic_exchange_n(&control->state, MADT_STATE_CLOSED, __ATOMIC_SEQ_CST)
			!= MADT_STATE_READY)
		return;
	while (__atomic_load_n(&control->asking, __ATOMIC_SEQ_CST) && session_alive())
		SYS0(__NR_sched_yield);
	request_take(0); /* also where it is answered: it may have been sent twice */
}

void window_asks_again(void)
{
	STORE_RELEASE(&session.control->state, MADT_STATE_READY);
	window_answer();
}

void window_leave(void)
{
	if (timer != NO_TIMER)
		SYS1(__NR_timer_delete, timer);
	window_asks_end();
	timer = NO_TIMER;
}

bool window_signal(int number)
{
	const struct madt_session *page = session.page;

	return (page->start == MADT_START_SIGNAL && page->windows.opens.number == (uint32_t)number)
			|| (page->windows.stop == MADT_START_SIGNAL
					&& page->windows.closes.number == (uint32_t)number);
}

void window_signalled(int number)
{
	const struct madt_windows *windows = &session.page->windows;

	if ((recording ? windows->closes : windows->opens).number == (uint32_t)number)
		window_turn(MADT_START_SIGNAL, 0);
}
