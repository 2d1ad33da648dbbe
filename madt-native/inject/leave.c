/*
 * Threads that wait with a limit which counts from the begin of the wait: the kernel knows how long is
 * left as long as no handler returns in them. So they do what the handler of the request to leave
 * would do while they are stopped, and the wait goes on behind that as if nothing had been.
 */
#define _GNU_SOURCE
#include "inject.h"

#include "madt_attach.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

#define STACK_BYTES (16384ul + BACK_BYTES)
#define RESTARTED (-516l)

struct leaving {
	struct target target;
	struct image image;
	struct remote remote;
	uintptr_t base, stacks;
	size_t stopped; /* threads that have not been let go */
};

static struct errand errand_of(const struct leaving *leaving, size_t i)
{
	const uintptr_t argument = leaving->stacks + i * STACK_BYTES;

	return (struct errand){ leaving->base + leaving->image.attach_leave, argument,
		argument + STACK_BYTES, leaving->base + leaving->image.attach_end,
		leaving->base + leaving->image.attach_ended, true };
}

static bool thread_prepare(struct leaving *leaving, size_t i)
{
	const struct errand errand = errand_of(leaving, i);
	struct stopped *thread = &leaving->target.threads[i];
	struct madt_attach_leave argument = { .missing = leaving->stacks
				+ leaving->target.count * STACK_BYTES };

	if (!remote_prepare(&leaving->target, thread, &errand))
		return false;
	argument.context = back_context(thread->stack);
	return memory_write(leaving->target.pid, errand.argument, &argument, sizeof argument);
}

static struct trip trip_of(struct leaving *leaving, size_t i)
{
	struct trip trip = { .remote = leaving->remote, .errand = errand_of(leaving, i) };

	trip.remote.thread = &leaving->target.threads[i];
	trip.remote.stack = trip.remote.thread->stack;
	return trip;
}

static bool is_elsewhere(const struct trip *trip)
{
	return !trip->ended || (long)trip->after.rax == MADT_ATTACH_ELSEWHERE;
}

/*
 * A thread that is elsewhere comes by a signal, once it is back from there, and those that have come
 * wait for it: it goes on at once. One stays, for the calls that are left.
 */
static void thread_over(void *context, struct trip *trip)
{
	struct leaving *leaving = context;

	if (!is_elsewhere(trip) || leaving->stopped == 1)
		return;
	thread_restore(trip->remote.thread);
	thread_go(&leaving->target, trip->remote.thread);
	leaving->stopped--;
}

/* It has left, or stays; its registers are what it is to go on with then. */
static void thread_left(const struct trip *trip)
{
	struct stopped *thread = trip->remote.thread;
	const long result = (long)trip->after.rax;

	if (is_elsewhere(trip) || !back_read(thread))
		return;
	thread->registers.gs_base = trip->after.gs_base;
	if (result != MADT_ATTACH_GONE || !is_restarted((long)thread->registers.rax))
		return;
	thread->registers.rip += 2; /* it goes on behind the program's own instruction */
	thread->registers.orig_rax = thread->registers.rax;
	thread->registers.rax = (unsigned long)RESTARTED;
}

static bool stacks_map(struct leaving *leaving)
{
	const uint32_t missing = (uint32_t)leaving->target.count;
	const size_t bytes = leaving->target.count * STACK_BYTES;
	long at = remote_call(&leaving->remote, SYS_mmap, ATTACH_WISH, (long)bytes + 4096,
			PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	leaving->stacks = is_failure(at) ? 0 : (uintptr_t)at;
	return leaving->stacks
			&& memory_write(leaving->target.pid, leaving->stacks + bytes, &missing, sizeof missing);
}

static void stacks_unmap(struct leaving *leaving, size_t count)
{
	remote_call(&leaving->remote, SYS_munmap, (long)leaving->stacks,
			(long)(count * STACK_BYTES + 4096), 0, 0, 0, 0);
}

/* Of threads that have been prepared, all go on at a time. */
static void all_leave(struct leaving *leaving)
{
	const size_t count = leaving->target.count;
	struct trip *trips;
	size_t prepared = 0;

	while (prepared < count && thread_prepare(leaving, prepared))
		prepared++;
	if (prepared < count)
		return;
	trips = calloc(count, sizeof *trips);
	if (!trips)
		abort();
	for (size_t i = 0; i < count; i++) {
		trips[i] = trip_of(leaving, i);
		ptrace(PTRACE_CONT, leaving->target.threads[i].tid, 0, 0);
	}
	leaving->stopped = count;
	errands_await(trips, count, thread_over, leaving);
	for (size_t i = 0; i < count; i++)
		thread_left(&trips[i]);
	free(trips);
	for (size_t i = 0; i < leaving->target.count;)
		if (leaving->target.threads[i].seized)
			i++;
		else
			thread_leave_out(&leaving->target, i);
}

bool leave(pid_t pid, const char *library, uintptr_t base)
{
	static struct leaving leaving;
	size_t count;

	leaving.target.pid = pid;
	leaving.base = base;
	if (!image_read(&leaving.image, library))
		return false;
	/* those of the vDSO are patched as yet */
	leaving.remote.instruction = base + leaving.image.attach_call;
	back_find(&leaving.remote, pid);
	if (!threads_stop_waiting(&leaving.target))
		return false;
	count = leaving.target.count;
	if (remote_begin(&leaving.remote, &leaving.target, &leaving.target.threads[0])) {
		remote_by_library(&leaving.remote, base + leaving.image.attach_call,
				base + leaving.image.attach_ended);
		if (stacks_map(&leaving)) {
			all_leave(&leaving);
			for (size_t i = 1; i < leaving.target.count; i++)
				thread_restore(&leaving.target.threads[i]);
			back_begin(&leaving.remote);
			stacks_unmap(&leaving, count);
		}
	}
	for (size_t i = 0; i < leaving.target.count; i++)
		thread_restore(&leaving.target.threads[i]);
	printf("done %llu\n", (unsigned long long)threads_go(&leaving.target));
	return true;
}
