/*
 * What MadT has mapped goes, once the process has left it: no thread may stand in it, or come back
 * to it. Which do, the library itself knows. Each mark goes with what it marks, and the marks
 * themselves last: so madt-inject can be killed at any time, and the next one unmaps the rest and
 * nothing that may be the program's own by then.
 */
#define _GNU_SOURCE
#include "inject.h"

#include "madt_attach.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define RANGES_MOST 8192
#define TRIES 14     /* 3 s at least, and longer where each takes its time */
#define LATE_TRIES 3 /* where a thread does not stop, the others wait for it each time */
#define FIRST_MOMENT 10000000
#define LONGEST_MOMENT 500000000
#define STACK_BYTES (16384 + BACK_BYTES)
#define RESTS_PLACE (MADT_OWN_RANGES - 1) /* of the mark of what the library is asked with */
#define GRAIN (1ul << 24)
#define PLACES 64
#define FOLLOWED 1000000000 /* nanoseconds that the launcher waits for waits to end */
#define ALONE_TO 0x7f0000000000ul

struct range {
	uintptr_t start, end;
};

struct leaving {
	struct target target;
	struct image image;
	struct remote remote;
	uintptr_t base;    /* of the library; 0: no thread needs it, and a part of it may be gone */
	uintptr_t control; /* where the marks are; 0: nowhere */
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

static uintptr_t mark_at(const struct leaving *leaving, size_t place)
{
	return leaving->control + MADT_OWN_OFFSET + place * sizeof(struct madt_range);
}

/*
 * Memory in the process, marked before it is there. Where nothing is marked, it is where the kernel
 * likes it.
 */
static uintptr_t rests_map(struct leaving *leaving, size_t size)
{
	struct madt_range mark = { leaving->base, 0 };
	long at = -1;

	for (int i = 0; leaving->control && i < PLACES && is_failure(at); i++) {
		mark = (struct madt_range){ mark.start + GRAIN, mark.start + GRAIN + size };
		if (!memory_write(leaving->target.pid, mark_at(leaving, RESTS_PLACE), &mark, sizeof mark))
			return 0;
		at = remote_call(&leaving->remote, SYS_mmap, (long)mark.start, (long)size,
				PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	}
	if (!leaving->control)
		at = remote_call(&leaving->remote, SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return is_failure(at) ? 0 : (uintptr_t)at;
}

/* Returns whether MadT alone maps there. */
static bool is_alone(struct madt_range range)
{
	return range.start >= ATTACH_WISH && range.end <= ALONE_TO;
}

void range_unmap(struct remote *remote, struct madt_range range, uintptr_t mark)
{
	const struct madt_range none = { 0 };
	const pid_t pid = remote->target->pid;
	const bool alone = is_alone(range);

	if (mark && !alone)
		memory_write(pid, mark, &none, sizeof none);
	remote_call(remote, SYS_munmap, (long)range.start, (long)(range.end - range.start), 0, 0, 0, 0);
	if (mark && alone)
		memory_write(pid, mark, &none, sizeof none);
}

static void unmap(struct leaving *leaving, struct range range, size_t place)
{
	range_unmap(&leaving->remote, (struct madt_range){ range.start, range.end },
			leaving->control && place < MADT_OWN_RANGES ? mark_at(leaving, place) : 0);
}

/*
 * An earlier madt-inject that was killed has left what it asked the library with, or its mark alone.
 * Both go before the library is asked again. False: a thread is still on its way back from there.
 */
static bool argument_drop(struct leaving *leaving)
{
	struct range *former = &ranges[RESTS_PLACE];

	if (!leaving->control || !former->end)
		return true;
	for (size_t i = 0; i < leaving->target.count; i++)
		if (leaving->target.threads[i].registers.rsp - former->start
				< former->end - former->start) {
			leaving->needs = leaving->target.threads[i].tid;
			return false;
		}
	unmap(leaving, *former, RESTS_PLACE);
	*former = (struct range){ 0 };
	return true;
}

/* Calls a function of the library in one of the threads, with these bytes as its argument. */
static bool library_call(struct leaving *leaving, uintptr_t function, void *argument, size_t bytes)
{
	const size_t size = (bytes + STACK_BYTES + 4095) & ~4095ul;
	const pid_t pid = leaving->target.pid;
	const uintptr_t at = rests_map(leaving, size);
	const struct errand errand = { leaving->base + function, at, at + size,
		leaving->base + leaving->image.attach_end, leaving->base + leaving->image.attach_ended,
		false };
	struct user_regs_struct after;
	bool done;

	if (!at)
		return refuse("process %d gets no memory", (int)pid);
	done = memory_write(pid, errand.argument, argument, bytes)
			&& remote_start(&leaving->target, leaving->remote.thread, &errand)
			&& remote_await(&leaving->remote, &errand, &after)
			&& memory_read(pid, errand.argument, argument, bytes);
	unmap(leaving, (struct range){ at, at + size }, RESTS_PLACE);
	return done ? true : refuse("libmadt.so does not answer in process %d", (int)pid);
}

/* Waits that count from their begin are followed to their ends. */
static void waits_follow(struct target *target)
{
	for (size_t i = target->count; i-- > 0;)
		if (follow(target, &target->threads[i]))
			thread_leave_out(target, i);
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
		if (rest->until && !leaving->stopped)
			waited_note(thread->tid, rest->until, rest->switches);
	}
}

/* In which order ranges go. */
enum order { ORDER_FIRST, ORDER_LIBRARY, ORDER_MARKS };

static enum order order_of(const struct leaving *leaving, struct range range)
{
	if (leaving->control - range.start < range.end - range.start)
		return ORDER_MARKS;
	return range.start == leaving->base ? ORDER_LIBRARY : ORDER_FIRST;
}

/* Has the library unmap what goes first. False: it has not done so. */
static bool pieces_unmap(struct leaving *leaving)
{
	struct madt_attach_pieces *pieces = calloc(1,
			sizeof *pieces + range_count * sizeof *pieces->piece);
	bool done;

	if (!pieces)
		abort();
	if (leaving->control)
		pieces->leave = leaving->control + offsetof(struct madt_control, leave);
	for (size_t i = 0; i < range_count; i++)
		if (ranges[i].end && order_of(leaving, ranges[i]) == ORDER_FIRST)
			pieces->piece[pieces->count++] = (struct madt_attach_piece){
				.start = ranges[i].start,
				.end = ranges[i].end,
				/* what marks this argument is needed meanwhile */
				.mark = leaving->control && i < RESTS_PLACE ? mark_at(leaving, i) : 0,
			};
	done = library_call(leaving, leaving->image.attach_unmap, pieces,
			sizeof *pieces + pieces->count * sizeof *pieces->piece);
	free(pieces);
	return done;
}

/*
 * No thread needs any of it, which stands where the marks are from now on. False: the library does
 * not answer, and the rest stays.
 */
static bool ranges_unmap(struct leaving *leaving)
{
	const uint32_t taken = MADT_LEAVE_TAKEN;
	enum order order = leaving->base ? ORDER_LIBRARY : ORDER_FIRST;

	if (leaving->base && !pieces_unmap(leaving))
		return false;
	if (!leaving->base && leaving->control)
		memory_write(leaving->target.pid, leaving->control + offsetof(struct madt_control, leave),
				&taken, sizeof taken);
	for (; order <= ORDER_MARKS; order++)
		for (size_t i = 0; i < range_count; i++)
			if (order_of(leaving, ranges[i]) == order && ranges[i].end)
				unmap(leaving, ranges[i], i);
	return true;
}

/* All threads stand still. False: it cannot be done at all. */
static bool stopped_take_out(struct leaving *leaving)
{
	struct target *target = &leaving->target;

	if (!remote_begin(&leaving->remote, target, &target->threads[0]))
		return false;
	if (!argument_drop(leaving))
		return true;
	if (leaving->base
			&& !library_call(leaving, leaving->image.attach_rest, leaving->rests,
					rests_bytes(leaving)))
		return false;
	rests_look(leaving);
	for (size_t i = 1; i < target->count; i++)
		thread_restore(&target->threads[i]); /* their GS, too */
	return leaving->needs || ranges_unmap(leaving);
}

/* False: it cannot be done at all. */
static bool once(struct leaving *leaving)
{
	struct target *target = &leaving->target;
	bool done;

	target->stopped_at = 0;
	target->late = 0;
	leaving->needs = 0;
	if (!threads_stop(target)) {
		leaving->needs = target->late;
		return target->late;
	}
	thread_call_known(target, &target->threads[0]);
	rests_prepare(leaving);
	done = stopped_take_out(leaving);
	for (size_t i = 0; i < target->count; i++)
		thread_restore(&target->threads[i]);
	if (done && !leaving->needs)
		waits_follow(target);
	leaving->stopped = threads_go(target);
	return done;
}

/* Takes the ranges out that have been read. Returns for how long it stood still; 0: they stay. */
static uint64_t ranges_take_out(pid_t pid, const char *library, uintptr_t base, uintptr_t control)
{
	struct timespec moment = { 0, FIRST_MOMENT };
	struct leaving leaving = { .target.pid = pid, .base = base, .control = control };
	int tries = 0, late = 0;

	if (!image_read(&leaving.image, library) || !remote_find(&leaving.remote, pid))
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
		late += leaving.target.late != 0;
	} while (++tries < TRIES && late < LATE_TRIES);
	refuse("libmadt.so stays mapped in process %d, unused, since thread %d %s."
		   " The next recording of the process takes it out first",
			(int)pid, (int)leaving.needs,
			leaving.target.late ? "does not stop: it waits in the kernel" : "will come back to it");
	return 0;
}

/* By the marks, a range for each: none where there is no mark. */
static void marks_read(const struct madt_range marks[MADT_OWN_RANGES])
{
	for (range_count = 0; range_count < MADT_OWN_RANGES; range_count++)
		ranges[range_count] = (struct range){ marks[range_count].start,
			marks[range_count].start ? marks[range_count].end : 0 };
}

/* The launcher is told of threads whose waits last longer, and does not wait for them. */
static void waits_end(pid_t pid)
{
	const struct target target = { .pid = pid };
	const size_t count = follow_until(&target, now() + FOLLOWED);

	if (!count)
		return;
	printf("follows %zu %llu\n", count,
			(unsigned long long)((follow_longest() - now()) / 1000000000 + 1));
	fflush(stdout);
	close(STDOUT_FILENO);
	follow_until(&target, UINT64_MAX);
}

bool take_out(pid_t pid, const char *library, uintptr_t base, const char *path)
{
	static struct madt_range marks[MADT_OWN_RANGES];
	const uintptr_t control = control_find(pid);
	uint64_t stopped;

	if (!ranges_read(path))
		return false;
	if (control && memory_read(pid, control + MADT_OWN_OFFSET, marks, sizeof marks))
		marks_read(marks);
	stopped = ranges_take_out(pid, library, base, control);
	if (!stopped)
		return false;
	printf("done %llu\n", (unsigned long long)stopped);
	waits_end(pid);
	return true;
}

bool take_out_range(pid_t pid, const struct madt_range *range)
{
	struct target target = { .pid = pid };
	struct remote remote = { 0 };
	bool done;

	if (!remote_find(&remote, pid) || !threads_stop(&target))
		return false;
	done = remote_begin(&remote, &target, &target.threads[0])
			&& !is_failure(remote_call(&remote, SYS_munmap, (long)range->start,
					(long)(range->end - range->start), 0, 0, 0, 0));
	for (size_t i = 0; i < target.count; i++)
		thread_restore(&target.threads[i]);
	threads_go(&target);
	return done;
}

bool take_out_marked(pid_t pid, const char *library, uintptr_t base, uintptr_t control,
		const struct madt_range marks[MADT_OWN_RANGES], const struct ranges_left *more)
{
	const struct target target = { .pid = pid };
	bool done;

	marks_read(marks);
	for (size_t i = 0; i < more->count; i++)
		if (!covered(more->range[i].start))
			ranges[range_count++] = (struct range){ more->range[i].start, more->range[i].end };
	done = ranges_take_out(pid, library, base, control);
	follow_end(&target);
	return done;
}
