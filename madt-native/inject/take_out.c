/*
 * What MadT has mapped goes, once the process has left it: no thread may stand in it, or come back
 * to it. Which do, the library itself knows.
 */
#define _GNU_SOURCE
#include "inject.h"

#include "madt_attach.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <time.h>

#define RANGES_MOST 8192
#define TRIES 14 /* 3 s at least, and longer where each takes its time */
#define FIRST_MOMENT 10000000
#define LONGEST_MOMENT 500000000
#define STACK_BYTES 16384

struct range {
	uintptr_t start, end;
};

struct leaving {
	struct target target;
	struct image image;
	struct remote remote;
	uintptr_t base;
	struct madt_attach_rests *rests;
	pid_t needs;      /* a thread that will come back, or 0 */
	uint64_t stopped; /* nanoseconds, the last time */
};

static struct range ranges[RANGES_MOST];
static size_t range_count;

static bool ranges_read(const char *path)
{
	FILE *file = fopen(path, "r");
	struct range range;

	while (file && range_count < RANGES_MOST
			&& fscanf(file, "%lx %lx\n", &range.start, &range.end) == 2)
		ranges[range_count++] = range;
	if (file)
		fclose(file);
	return file ? true : refuse("%s cannot be read", path);
}

static bool covered(uintptr_t address)
{
	for (size_t i = 0; i < range_count; i++)
		if (address - ranges[i].start < ranges[i].end - ranges[i].start)
			return true;
	return false;
}

static size_t rests_bytes(const struct leaving *leaving)
{
	return sizeof *leaving->rests + leaving->target.count * sizeof *leaving->rests->thread;
}

static void rests_prepare(struct leaving *leaving)
{
	struct target *target = &leaving->target;

	leaving->rests = realloc(leaving->rests, rests_bytes(leaving));
	if (!leaving->rests)
		abort();
	leaving->rests->count = target->count;
	for (size_t i = 0; i < target->count; i++)
		leaving->rests->thread[i] = (struct madt_attach_rest){
			.tid = (uint32_t)target->threads[i].tid,
			.stack = target->threads[i].registers.rsp,
		};
}

/* Asks the library, in one of the threads. */
static bool rests_ask(struct leaving *leaving)
{
	const size_t bytes = rests_bytes(leaving), size = (bytes + STACK_BYTES + 4095) & ~4095ul;
	const pid_t pid = leaving->target.pid;
	struct stopped *thread = leaving->remote.thread;
	struct user_regs_struct after;
	struct errand errand;
	long at;
	bool asked;

	at = remote_call(&leaving->remote, SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (is_failure(at))
		return refuse("process %d gets no memory", (int)pid);
	errand = (struct errand){ leaving->base + leaving->image.attach_rest, (uintptr_t)at,
		(uintptr_t)at + size, leaving->base + leaving->image.attach_end };
	asked = memory_write(pid, errand.argument, leaving->rests, bytes)
			&& remote_start(thread, &errand) && remote_await(&leaving->remote, &errand, &after)
			&& memory_read(pid, errand.argument, leaving->rests, bytes);
	remote_call(&leaving->remote, SYS_munmap, at, (long)size, 0, 0, 0, 0);
	return asked ? true : refuse("libmadt.so does not answer in process %d", (int)pid);
}

/* Finds a thread that will come back, and gives the others their GS. */
static void rests_look(struct leaving *leaving)
{
	leaving->needs = 0;
	for (size_t i = 0; i < leaving->target.count; i++) {
		struct stopped *thread = &leaving->target.threads[i];
		const struct madt_attach_rest *rest = &leaving->rests->thread[i];

		if (rest->needed || covered(thread->registers.rip) || covered(thread->registers.rsp))
			leaving->needs = thread->tid;
		else if (rest->keeps_gs)
			thread->registers.gs_base = rest->gs;
	}
}

static void ranges_unmap(struct leaving *leaving)
{
	for (size_t i = 0; i < range_count; i++)
		remote_call(&leaving->remote, SYS_munmap, (long)ranges[i].start,
				(long)(ranges[i].end - ranges[i].start), 0, 0, 0, 0);
}

/* False: it cannot be done at all. */
static bool once(struct leaving *leaving)
{
	struct target *target = &leaving->target;
	bool done;

	target->stopped_at = 0;
	if (!threads_stop(target))
		return false;
	for (size_t i = 0; i < target->count; i++)
		thread_call_again(target, &target->threads[i]);
	rests_prepare(leaving);
	done = remote_begin(&leaving->remote, target, &target->threads[0]) && rests_ask(leaving);
	if (done) {
		rests_look(leaving);
		if (!leaving->needs)
			ranges_unmap(leaving);
	}
	for (size_t i = 0; i < target->count; i++)
		thread_restore(&target->threads[i]);
	leaving->stopped = threads_go(target);
	return done;
}

/* Takes the ranges out that have been read. Returns for how long it stood still; 0: they stay. */
static uint64_t ranges_take_out(pid_t pid, const char *library, uintptr_t base)
{
	struct timespec moment = { 0, FIRST_MOMENT };
	struct leaving leaving = { .target.pid = pid, .base = base };
	int tries = 0;

	if (!image_read(&leaving.image, library))
		return 0;
	do {
		if (!once(&leaving))
			return 0;
		if (!leaving.needs)
			return leaving.stopped;
		/* a thread comes out only while it runs, which others may do instead */
		nanosleep(&moment, NULL);
		moment.tv_nsec += moment.tv_nsec / 2;
		if (moment.tv_nsec > LONGEST_MOMENT)
			moment.tv_nsec = LONGEST_MOMENT;
	} while (++tries < TRIES);
	refuse("libmadt.so stays mapped in process %d, unused, since thread %d will come back to it. "
		   "The"
		   " next recording of the process takes it out first",
			(int)pid, (int)leaving.needs);
	return 0;
}

bool take_out(pid_t pid, const char *library, uintptr_t base, const char *path)
{
	uint64_t stopped = ranges_read(path) ? ranges_take_out(pid, library, base) : 0;

	if (stopped)
		printf("done %llu\n", (unsigned long long)stopped);
	return stopped;
}

bool take_out_marked(pid_t pid, const char *library, uintptr_t base,
		const struct madt_range marks[MADT_OWN_RANGES])
{
	for (size_t i = 0; i < MADT_OWN_RANGES; i++)
		if (marks[i].start)
			ranges[range_count++] = (struct range){ marks[i].start, marks[i].end };
	return ranges_take_out(pid, library, base);
}
