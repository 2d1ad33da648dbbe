/*
 * Brings libmadt.so into a process all of whose threads are stopped: mapped by hand, set up in one
 * thread, entered by each; then they go on.
 */
#define _GNU_SOURCE
#include "inject.h"

#include "madt_attach.h"
#include "madt_stack.h"

#include <errno.h>
#include <inttypes.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CODE_SEGMENT 0x33 /* of 64-bit code */
#define TRIES 200
#define LOOKS 400 /* for the loader to come to rest */

/* Whether the process is let go, to be stopped once more. */
enum again { AGAIN_NOT, AGAIN_SOON, AGAIN_PREPARED };

struct attaching {
	struct target target;
	struct image image;
	struct remote remote;
	struct texts texts; /* none, unless they were summed before it was stopped */
	struct names names; /* of modules that are prepared */
	int tries;
	uintptr_t loader_state; /* madt_attach_ready, from the first try on */
	bool asks;        /* the launcher to prepare others: no program's standard input is there */
	uint64_t longest; /* nanoseconds of a stop */
	uint64_t summed;  /* modules whose texts were summed while it stood still */
	uint64_t asked;   /* modules for which the launcher was asked then */
	bool limited;     /* sockets of the process have limits of their own */
	uintptr_t base, stacks; /* of the library, and of the stacks, in the target */
	const char *folder;
};

static bool target_suits(struct target *target)
{
	for (size_t i = 0; i < target->count; i++)
		if (target->threads[i].registers.cs != CODE_SEGMENT)
			return refuse("process %d runs 32-bit code, which madt does not record",
					(int)target->pid);
	return true;
}

/* The stack that the C library has mapped for a thread, if any. */
static struct madt_stack stack_find(pid_t pid, uint64_t base)
{
	uint64_t control[MADT_CONTROL_WORDS];
	size_t words = MADT_CONTROL_WORDS;

	while (words && !memory_read(pid, base, control, words * sizeof *control))
		words /= 2; /* it may be at the end of its mapping */
	return madt_stack_of(control, words, base);
}

/* The threads, for the launcher. */
static bool threads_tell(const struct attaching *a)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof path, "%s/threads", a->folder);
	file = fopen(path, "w");
	for (size_t i = 0; file && i < a->target.count; i++) {
		const struct stopped *thread = &a->target.threads[i];
		struct madt_stack stack = stack_find(a->target.pid, thread->registers.fs_base);

		fprintf(file, "%d %llx %" PRIx64 " %" PRIx64 "\n", (int)thread->tid,
				thread->registers.fs_base, stack.start, stack.end);
	}
	return file && fclose(file) == 0 ? true : refuse("%s cannot be written", path);
}

/* The address space as it is without MadT, for the launcher. */
static bool maps_copy(const struct attaching *a)
{
	char to[512], text[65536];
	FILE *maps = process_file(a->target.pid, "maps"), *copy;
	size_t size;

	snprintf(to, sizeof to, "%s/maps", a->folder);
	copy = fopen(to, "w");
	while (maps && copy && (size = fread(text, 1, sizeof text, maps)) > 0)
		fwrite(text, 1, size, copy);
	if (maps)
		fclose(maps);
	return copy && fclose(copy) == 0 && maps ? true : refuse("%s cannot be written", to);
}

static void blocks_copy(const struct attaching *a)
{
	char maps[512], blocks[512];

	snprintf(maps, sizeof maps, "%s/maps", a->folder);
	snprintf(blocks, sizeof blocks, "%s/blocks", a->folder);
	blocks_tell(a->target.pid, maps, blocks);
}

static long map(struct attaching *a, size_t size)
{
	return remote_call(&a->remote, SYS_mmap, ATTACH_WISH, (long)size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static size_t stacks_bytes(const struct attaching *a)
{
	return a->target.count * ATTACH_STACK_BYTES;
}

/* Takes them out, and what the library says of them: nothing is left that nobody knows of. */
static void stacks_unmap(struct attaching *a)
{
	range_unmap(&a->remote, (struct madt_range){ a->stacks, a->stacks + stacks_bytes(a) },
			a->base + a->image.attach_stacks);
}

static void unmap(struct attaching *a)
{
	if (a->base)
		remote_call(&a->remote, SYS_munmap, (long)a->base, (long)(a->image.size + stacks_bytes(a)),
				0, 0, 0, 0);
}

static bool image_place(struct attaching *a)
{
	long at = map(a, a->image.size + stacks_bytes(a));

	if (is_failure(at))
		return refuse("process %d gets no memory: %s", (int)a->target.pid, strerror((int)-at));
	a->base = (uintptr_t)at;
	a->stacks = a->base + a->image.size;
	*(struct madt_range *)(a->image.bytes + a->image.attach_stacks) = (struct madt_range){
		a->stacks, a->stacks + stacks_bytes(a)
	};
	if (!image_relocate(&a->image, a->base)
			|| !memory_write(a->target.pid, a->base, a->image.bytes, a->image.filled))
		return refuse("cannot write to the memory of process %d: %s", (int)a->target.pid,
				strerror(errno));
	for (size_t i = 0; i < a->image.segment_count; i++) {
		const struct segment *segment = &a->image.segments[i];

		if (is_failure(remote_call(&a->remote, SYS_mprotect, (long)(a->base + segment->from),
					(long)(segment->to - segment->from), segment->protection, 0, 0, 0)))
			return refuse("process %d may not have code that is no file's (SELinux, or a"
						  " filter)",
					(int)a->target.pid);
	}
	return true;
}

static struct errand errand_of(const struct attaching *a, size_t i, uintptr_t function)
{
	const uintptr_t argument = a->stacks + i * ATTACH_STACK_BYTES;

	return (struct errand){ a->base + function, argument, argument + ATTACH_STACK_BYTES,
		a->base + a->image.attach_end, a->base + a->image.attach_ended, false };
}

/* Prepares a function of the library in thread i, with these bytes as its argument. */
static bool library_prepare(struct attaching *a, size_t i, uintptr_t function, const void *argument,
		size_t size)
{
	const struct errand errand = errand_of(a, i, function);

	return memory_write(a->target.pid, errand.argument, argument, size)
			&& remote_prepare(&a->target, &a->target.threads[i], &errand);
}

static bool library_start(const struct attaching *a, size_t i)
{
	return ptrace(PTRACE_CONT, a->target.threads[i].tid, 0, 0) == 0;
}

static struct trip trip_of(struct attaching *a, size_t i, uintptr_t function)
{
	struct stopped *thread = &a->target.threads[i];

	/* its other system calls may be intercepted by now */
	return (struct trip){ .remote = { .target = &a->target,
								  .thread = thread,
								  .returning = a->base + a->image.attach_call,
								  .stack = thread->stack },
		.errand = errand_of(a, i, function) };
}

static bool library_back(struct attaching *a, const struct trip *trip, void *argument, size_t size)
{
	struct stopped *thread = trip->remote.thread;

	if (!trip->ended || !memory_read(a->target.pid, trip->errand.argument, argument, size))
		return refuse("thread %d of process %d did not come back from libmadt.so", (int)thread->tid,
				(int)a->target.pid);
	thread->registers.gs_base = trip->after.gs_base;
	return true;
}

static bool library_await(struct attaching *a, size_t i, uintptr_t function, void *argument,
		size_t size, long *result)
{
	struct trip trip = trip_of(a, i, function);

	errands_await(&trip, 1, NULL, NULL);
	*result = (long)trip.after.rax;
	return library_back(a, &trip, argument, size);
}

static const char *attach_failure(long result)
{
	switch (result) {
	case MADT_ATTACH_SESSION:
		return "it cannot open the session's files (another root or mount namespace, another"
			   " user, or no room in shared memory)";
	case MADT_ATTACH_MODULES:
		return "its list of modules cannot be read";
	case MADT_ATTACH_PASSED:
		return "the recording leaves it out";
	case MADT_ATTACH_LEFT:
		return "it was not to begin";
	case MADT_ATTACH_MEMORY:
		return "there is no memory for what it records";
	default:
		return "libmadt.so does not say why";
	}
}

static bool library_call(struct attaching *a, uintptr_t function, void *argument, size_t size,
		long *result)
{
	return library_prepare(a, 0, function, argument, size) && library_start(a, 0)
			&& library_await(a, 0, function, argument, size, result);
}

static bool refuse_attach(const struct attaching *a, long result)
{
	return refuse("process %d cannot take part: %s", (int)a->target.pid, attach_failure(result));
}

/* False, and `again`: the loader is about to change its list, or has loaded what is not prepared. */
static bool library_ready(struct attaching *a, enum again *again)
{
	static struct madt_attach_ready ready;
	long result;

	if (!library_call(a, a->image.attach_ready, &ready, sizeof ready, &result))
		return false;
	a->loader_state = ready.state;
	if (result == MADT_ATTACH_LOADER)
		*again = AGAIN_SOON;
	else if (result == MADT_ATTACH_DONE && a->asks
			&& !names_all_known(&a->names, a->target.pid, &ready))
		*again = AGAIN_PREPARED;
	else
		return result == MADT_ATTACH_DONE ? true : refuse_attach(a, result);
	return false;
}

/* Returns what the library is to know of a thread, whose registers have been prepared. */
static struct madt_attach_thread thread_tell(const struct attaching *a,
		const struct stopped *thread)
{
	const struct user_regs_struct *registers = &thread->registers;

	return (struct madt_attach_thread){
		.mask = thread->mask,
		.next = registers->rip,
		.number = (long)registers->orig_rax < 0 ? -1 : (long)registers->orig_rax,
		.result = (long)registers->rax,
		.argument = { (long)registers->rdi, (long)registers->rsi, (long)registers->rdx,
				(long)registers->r10, (long)registers->r8, (long)registers->r9 },
		.waits = thread->waits,
		.until = waited_until(a->target.pid, thread),
	};
}

/* Tells the thread, in its argument from `at` on, where the mask is with which it finds back. */
static bool mask_tell(const struct attaching *a, size_t i, size_t at)
{
	const uint64_t mask = back_mask(a->target.threads[i].stack);

	return memory_write(a->target.pid,
			a->stacks + i * ATTACH_STACK_BYTES + at
					+ offsetof(struct madt_attach_thread, mask_back),
			&mask, sizeof mask);
}

/*
 * All threads but the first wait within the library, should they go on by themselves, until that one
 * has decided whether they take part.
 */
static bool others_prepare(struct attaching *a)
{
	bool done = true;

	for (size_t i = 1; done && i < a->target.count; i++) {
		const struct madt_attach_thread state = thread_tell(a, &a->target.threads[i]);

		done = library_prepare(a, i, a->image.attach_thread, &state, sizeof state)
				&& mask_tell(a, i, 0);
	}
	return done;
}

static void thread_begun(struct stopped *thread, const struct madt_attach_thread *state)
{
	thread->registers.rip = state->goes_on;
	thread->mask &= ~(1ull << (SIGSEGV - 1) | 1ull << (SIGTRAP - 1) | 1ull << (SIGILL - 1)
			| 1ull << (SIGSYS - 1));
}

/* Returns whether a thread waits by a limit of its socket, which it may have got meanwhile. */
static bool any_limited(const struct target *target)
{
	for (size_t i = 0; i < target->count; i++)
		if (target->threads[i].begun && target->threads[i].limit)
			return true;
	return false;
}

/*
 * From the moment on at which `all` is set, the process begins by itself, whatever becomes of
 * madt-inject; until then, none of its threads does more than find back.
 */
static bool library_begin(struct attaching *a)
{
	const uint64_t all = 1;
	struct madt_attach attach = { .image = a->base,
		.image_bytes = a->image.size,
		.limited = a->limited || any_limited(&a->target) };
	long result;

	attach.text_count = texts_still(&a->texts, a->target.pid, attach.text);
	strncpy(attach.folder, a->folder, sizeof attach.folder - 1);
	attach.thread = thread_tell(a, &a->target.threads[0]);
	if (!library_prepare(a, 0, a->image.attach, &attach, sizeof attach)
			|| !mask_tell(a, 0, offsetof(struct madt_attach, thread)) || !others_prepare(a)
			|| !memory_write(a->target.pid, a->stacks + offsetof(struct madt_attach, all), &all,
					sizeof all))
		return refuse("cannot write to the memory of process %d: %s", (int)a->target.pid,
				strerror(errno));
	if (!library_start(a, 0)
			|| !library_await(a, 0, a->image.attach, &attach, sizeof attach, &result))
		return false;
	a->summed = attach.summed;
	a->asked = attach.asked;
	if (result != MADT_ATTACH_DONE)
		return refuse_attach(a, result);
	thread_begun(&a->target.threads[0], &attach.thread);
	return true;
}

static bool thread_is_back(struct attaching *a, const struct trip *trip)
{
	struct madt_attach_thread state;

	if (!library_back(a, trip, &state, sizeof state))
		return false;
	thread_begun(trip->remote.thread, &state);
	return true;
}

/* All at a time, but for the first, which has begun. */
static bool others_begin(struct attaching *a)
{
	struct trip *trips = calloc(a->target.count, sizeof *trips);
	bool done = true;
	size_t started = 1;

	if (!trips)
		abort();
	for (; started < a->target.count && library_start(a, started); started++)
		trips[started] = trip_of(a, started, a->image.attach_thread);
	errands_await(trips + 1, started - 1, NULL, NULL);
	for (size_t i = 1; i < started; i++)
		done &= thread_is_back(a, &trips[i]);
	free(trips);
	return done && started == a->target.count;
}

static bool all_begin(struct attaching *a, enum again *again)
{
	bool done = target_suits(&a->target), begun;

	for (size_t i = 0; i < a->target.count; i++) {
		thread_abort_sequence(&a->target, &a->target.threads[i]);
		thread_call_known(&a->target, &a->target.threads[i]);
	}
	done = done && threads_tell(a) && maps_copy(a) && image_place(a) && library_ready(a, again);
	if (done)
		blocks_copy(a);
	begun = done && library_begin(a);
	done = begun && others_begin(a);
	for (size_t i = 1; i < a->target.count; i++)
		thread_restore(&a->target.threads[i]);
	if (!begun) {
		unmap(a);
		return false;
	}
	remote_by_library(&a->remote, a->base + a->image.attach_call, a->base + a->image.attach_ended);
	stacks_unmap(a);
	return done;
}

/* All threads are stopped; they go on. */
static bool attach_all(struct attaching *a, enum again *again)
{
	uint64_t stopped;
	bool done;

	a->base = a->stacks = 0;
	if (!filters_suit(&a->target) || !remote_begin(&a->remote, &a->target, &a->target.threads[0])) {
		threads_go(&a->target);
		return false;
	}
	done = all_begin(a, again);
	for (size_t i = 0; i < a->target.count; i++)
		thread_restore(&a->target.threads[i]);
	if (done)
		thread_ask(&a->target, a->remote.thread->tid);
	stopped = threads_go(&a->target);
	a->longest = stopped > a->longest ? stopped : a->longest;
	if (done)
		printf("done %llu %lx %llu %llu\n", (unsigned long long)a->longest, a->base,
				(unsigned long long)a->summed, (unsigned long long)a->asked);
	return done;
}

bool attach_stopped(struct target *target, const char *library, const char *folder)
{
	struct attaching a = { .target = *target, .folder = folder };
	enum again again = AGAIN_NOT;

	if (!image_read(&a.image, library)) {
		threads_go(&a.target);
		return false;
	}
	return attach_all(&a, &again);
}

/* Waits until the loader is at rest: a process is not stopped for nothing. */
static void loader_await(const struct attaching *a)
{
	static const struct timespec moment = { 0, 50000 };
	int state = RT_ADD;

	for (int looks = 0; looks < LOOKS && state != RT_CONSISTENT; looks++) {
		nanosleep(&moment, NULL);
		if (!memory_read(a->target.pid, a->loader_state, &state, sizeof state))
			return;
	}
}

/* In front of another stop. False: it is in vain. */
static bool again_prepare(struct attaching *a, enum again again)
{
	if (again == AGAIN_NOT)
		return false;
	if (++a->tries > TRIES)
		return refuse("process %d loads libraries all the time. Try again", (int)a->target.pid);
	if (again == AGAIN_PREPARED) {
		names_await();
		texts_sum(&a->texts, a->target.pid);
	} else {
		loader_await(a);
	}
	return true;
}

bool attach(pid_t pid, const char *library, const char *folder)
{
	static struct attaching a;
	enum again again;
	bool done;

	a = (struct attaching){ .target.pid = pid, .folder = folder, .asks = true };
	if (!process_suits(pid) || !left_over_take_out(pid, library) || !image_read(&a.image, library)
			|| !remote_find(&a.remote, pid))
		return false;
	names_read(&a.names, folder);
	texts_sum(&a.texts, pid);
	a.limited = sockets_limited(pid);
	do {
		again = AGAIN_NOT;
		a.target.stopped_at = 0;
		done = threads_stop(&a.target) && attach_all(&a, &again);
	} while (!done && again_prepare(&a, again));
	return done;
}
