/*
 * How long a thread has waited in a call that the stop ends, where the kernel does not tell how much
 * of its limit is left: since it has run last (/proc/PID/task/TID/sched). That is by the clock of its
 * processor, which stands still while somebody else has the processor (interrupts, a hypervisor). So
 * a wait is taken to have begun a little later than it has, and never earlier.
 */
#define _GNU_SOURCE
#include "inject.h"

#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PROCESSORS 1024 /* those with higher numbers are not looked at */
#define MOMENT 50000    /* nanoseconds */
#define TOGETHER 10000000
#define PROCESSOR 39                    /* the field of /proc/PID/stat (proc(5)) */
#define SECONDS_MOST (INT64_C(1) << 32) /* longer waits end with nobody there to see it */

#define REGISTER(name) offsetof(struct user_regs_struct, name)

/* Calls whose limit counts from their begin, and begins anew when they are made again. */
bool limit_place(long number, struct limit_place *place)
{
	static const struct {
		long number;
		struct limit_place place;
	} calls[] = {
		{ SYS_epoll_wait, { REGISTER(r10), 0, false } },
		{ SYS_epoll_pwait, { REGISTER(r10), 0, false } },
		{ SYS_epoll_pwait2, { REGISTER(r10), 1, false } },
		{ SYS_semtimedop, { REGISTER(r10), 1, false } },
		{ SYS_rt_sigtimedwait, { REGISTER(rdx), 1, false } },
		{ SYS_io_getevents, { REGISTER(r8), 1, false } },
		{ SYS_io_pgetevents, { REGISTER(r8), 1, false } },
		{ SYS_ppoll, { REGISTER(rdx), 1, true } },
		{ SYS_pselect6, { REGISTER(r8), 1, true } },
		{ SYS_select, { REGISTER(r8), 1000, true } },
	};

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (calls[i].number == number) {
			*place = calls[i].place;
			return true;
		}
	return false;
}

/* What the kernel's scheduler says of a thread. */
struct scheduled {
	uint64_t ran;      /* when it ran last: nanoseconds of its processor's clock */
	uint64_t switches; /* how often it has begun to wait */
};

/* Milliseconds with six digits behind the point, in nanoseconds. */
static uint64_t nanoseconds(const char *text)
{
	char *end;
	const uint64_t whole = strtoull(text, &end, 10);

	return whole * 1000000 + (*end == '.' ? strtoull(end + 1, NULL, 10) : 0);
}

/* False: the kernel does not say. */
static bool scheduled_read(pid_t pid, pid_t tid, struct scheduled *scheduled)
{
	char name[64], line[256];
	FILE *file;

	*scheduled = (struct scheduled){ 0 };
	snprintf(name, sizeof name, "task/%d/sched", (int)tid);
	file = process_file(pid, name);
	while (file && fgets(line, sizeof line, file)) {
		const char *value = strchr(line, ':');

		if (value && strncmp(line, "se.exec_start ", 14) == 0)
			scheduled->ran = nanoseconds(value + 1);
		else if (value && strncmp(line, "nr_voluntary_switches ", 22) == 0)
			scheduled->switches = strtoull(value + 1, NULL, 10);
	}
	if (file)
		fclose(file);
	return scheduled->ran && scheduled->switches;
}

/* Returns the processor on which the thread ran last; -1: unknown. */
static int processor_of(pid_t pid, pid_t tid)
{
	char field[24];

	return thread_field(pid, tid, PROCESSOR, field, sizeof field) ? atoi(field) : -1;
}

/* Measures that on the processor itself; 0: it cannot be. */
static uint64_t ahead_measure(int processor)
{
	struct scheduled own = { 0 };
	cpu_set_t allowed, one;
	uint64_t ahead;

	CPU_ZERO(&one);
	CPU_SET(processor, &one);
	if (sched_getaffinity(0, sizeof allowed, &allowed) != 0
			|| sched_setaffinity(0, sizeof one, &one) != 0)
		return 0;
	nanosleep(&(struct timespec){ 0, MOMENT }, NULL); /* behind it, it begins to run */
	ahead = scheduled_read(getpid(), getpid(), &own) ? now() - own.ran : 0;
	sched_setaffinity(0, sizeof allowed, &allowed);
	return ahead;
}

/*
 * Returns by how much CLOCK_MONOTONIC is ahead of the clock of a processor; 0: unknown. It grows: a
 * measure is good for the threads that are looked at together.
 */
static uint64_t ahead_of(int processor)
{
	static struct {
		uint64_t ahead, measured;
	} clocks[PROCESSORS];

	if (processor < 0 || processor >= PROCESSORS)
		return 0;
	if (now() - clocks[processor].measured > TOGETHER) {
		clocks[processor].ahead = ahead_measure(processor);
		clocks[processor].measured = now();
	}
	return clocks[processor].ahead;
}

void waited_look(pid_t pid, struct stopped *thread, long number)
{
	struct scheduled scheduled;
	struct limit_place place;
	uint64_t ahead;

	if (limit_place(number, &place)
					? place.written
					: !(thread->limit = socket_limit(pid, thread->tid, number, &thread->late)))
		return;
	if (!scheduled_read(pid, thread->tid, &scheduled))
		return;
	ahead = ahead_of(processor_of(pid, thread->tid));
	if (!ahead)
		return;
	thread->waits = number;
	thread->begun = scheduled.ran + ahead;
	thread->switches = scheduled.switches;
}

void waited_end(pid_t pid, struct stopped *thread, long number)
{
	struct scheduled scheduled;
	struct limit_place place;

	if (limit_place(number, &place) && place.written) {
		thread->waits = number;
		thread->limit = 0;
		thread->begun = now(); /* what is left from here on, the kernel has written */
		return;
	}
	/* it has waited for the stop since, once: else this is another wait */
	if (!thread->begun || thread->waits != number || !scheduled_read(pid, thread->tid, &scheduled)
			|| scheduled.switches != thread->switches + 1)
		thread->begun = 0;
}

/* ---------------------------------------------------------------- until when it waits */

/* Returns the limit of the call that the thread makes again, in nanoseconds; 0: it has none. */
static uint64_t limit_read(pid_t pid, const struct stopped *thread, const struct limit_place *place)
{
	const uint64_t value = *limit_register(&thread->registers, place);
	int64_t time[2];

	if (!place->unit)
		return (int)value > 0 ? (uint64_t)(int)value * 1000000 : 0;
	if (!value || !memory_read(pid, value, time, sizeof time) || time[0] < 0
			|| time[0] > SECONDS_MOST || time[1] < 0 || time[1] >= 1000000000)
		return 0;
	return (uint64_t)time[0] * 1000000000 + (uint64_t)time[1] * place->unit;
}

/* Threads that were let go in a wait, and how often they had waited before. */
static struct known {
	pid_t tid;
	uint64_t until, switches;
} * known;
static size_t known_count;

void waited_note(pid_t tid, uint64_t until, uint64_t switches)
{
	known = realloc(known, (known_count + 1) * sizeof *known);
	if (!known)
		abort();
	known[known_count++] = (struct known){ tid, until, switches };
}

/* Returns whether the thread is in that very wait. */
static bool is_same(const struct known *one, const struct stopped *thread)
{
	return one->tid == thread->tid && one->switches + 1 == thread->switches;
}

uint64_t waited_until(pid_t pid, const struct stopped *thread)
{
	struct limit_place place = { 0 };
	uint64_t limit = thread->limit;

	if (!thread->begun || (!limit && !limit_place(thread->waits, &place)))
		return 0;
	for (size_t i = known_count; !place.written && i-- > 0;)
		if (is_same(&known[i], thread))
			return known[i].until;
	if (!limit)
		limit = limit_read(pid, thread, &place);
	return limit ? thread->begun + limit : 0;
}

void waited_go_on(pid_t pid, const struct stopped *thread)
{
	const uint64_t until = waited_until(pid, thread), time = now();
	const uint64_t rest = until > time ? until - time : 0;
	struct limit_place place = { 0 };

	if (!until || (!thread->limit && !limit_place(thread->waits, &place)))
		return;
	if (!place.written)
		waited_note(thread->tid, until, thread->switches + 1); /* and now once for the stop */
	else
		memory_write(pid, *limit_register(&thread->registers, &place),
				&(int64_t[]){
						(int64_t)(rest / 1000000000), (int64_t)(rest % 1000000000 / place.unit) },
				sizeof(int64_t[2]));
}

uint64_t waited_switches(pid_t pid, pid_t tid)
{
	struct scheduled scheduled;

	return scheduled_read(pid, tid, &scheduled) ? scheduled.switches : 0;
}
