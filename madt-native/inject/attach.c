/*
 * Brings libmadt.so into a process all of whose threads are stopped: mapped by hand, set up in one
 * thread, entered by each; then they go on.
 */
#define _GNU_SOURCE
#include "inject.h"

#include "madt_attach.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define STACK_BYTES (64ul * 1024) /* of each thread, its argument at its begin */
#define CODE_SEGMENT 0x33         /* of 64-bit code */
#define TRIES 200

/* Signals that the kernel does not keep where they are blocked: it takes their handlers away. */
#define FAULTS                                                                                   \
	(1ull << (SIGSEGV - 1) | 1ull << (SIGTRAP - 1) | 1ull << (SIGILL - 1) | 1ull << (SIGSYS - 1) \
			| 1ull << (SIGBUS - 1) | 1ull << (SIGFPE - 1))

struct attaching {
	bool awaits_launcher; /* not in the place of a program, which has its descriptors */
	struct target target;
	struct image image;
	struct remote remote;
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

static void threads_tell(const struct target *target)
{
	for (size_t i = 0; i < target->count; i++)
		printf("thread %d %llx %llx\n", (int)target->threads[i].tid,
				target->threads[i].registers.rsp, target->threads[i].registers.fs_base);
	puts("stopped");
	fflush(stdout);
}

/* The launcher says that it has read it; it may have gone. */
static void launcher_await(void)
{
	char byte;

	while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
		;
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
	char path[512];

	snprintf(path, sizeof path, "%s/blocks", a->folder);
	blocks_tell(a->target.pid, path);
}

/* Away from modules, whose patches lead to code not far from them. */
#define WISH 0x7e9e00000000

static long map(struct attaching *a, size_t size)
{
	return remote_call(&a->remote, SYS_mmap, WISH, (long)size, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static size_t stacks_bytes(const struct attaching *a)
{
	return a->target.count * STACK_BYTES;
}

static void stacks_unmap(struct attaching *a)
{
	if (a->stacks)
		remote_call(&a->remote, SYS_munmap, (long)a->stacks, (long)stacks_bytes(a), 0, 0, 0, 0);
}

static void unmap(struct attaching *a)
{
	if (a->base)
		remote_call(&a->remote, SYS_munmap, (long)a->base, (long)a->image.size, 0, 0, 0, 0);
	stacks_unmap(a);
}

static bool image_place(struct attaching *a)
{
	long at = map(a, a->image.size), stacks = is_failure(at) ? at : map(a, stacks_bytes(a));

	a->base = is_failure(at) ? 0 : (uintptr_t)at;
	a->stacks = is_failure(stacks) ? 0 : (uintptr_t)stacks;
	if (!a->base || !a->stacks)
		return refuse("process %d gets no memory: %s", (int)a->target.pid, strerror((int)-stacks));
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
	const uintptr_t argument = a->stacks + i * STACK_BYTES;

	return (struct errand){ a->base + function, argument, argument + STACK_BYTES,
		a->base + a->image.attach_end };
}

/* Begins a function of the library in thread i, with these bytes as its argument. */
static bool library_start(struct attaching *a, size_t i, uintptr_t function, const void *argument,
		size_t size)
{
	const struct errand errand = errand_of(a, i, function);

	thread_mask(a->target.threads[i].tid, ~FAULTS);
	return memory_write(a->target.pid, errand.argument, argument, size)
			&& remote_start(&a->target.threads[i], &errand);
}

static bool library_await(struct attaching *a, size_t i, uintptr_t function, void *argument,
		size_t size, long *result)
{
	const struct errand errand = errand_of(a, i, function);
	struct stopped *thread = &a->target.threads[i];
	struct user_regs_struct after;

	if (!remote_await(thread, &errand, &after)
			|| !memory_read(a->target.pid, errand.argument, argument, size))
		return refuse("thread %d of process %d did not come back from libmadt.so", (int)thread->tid,
				(int)a->target.pid);
	*result = (long)after.rax;
	thread->registers.gs_base = after.gs_base;
	return true;
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
	case MADT_ATTACH_MEMORY:
		return "there is no memory for what it records";
	default:
		return "libmadt.so does not say why";
	}
}

static bool library_begin(struct attaching *a, bool *again)
{
	struct madt_attach attach = { .image = a->base, .image_bytes = a->image.size };
	long result;

	strncpy(attach.folder, a->folder, sizeof attach.folder - 1);
	if (!library_start(a, 0, a->image.attach, &attach, sizeof attach)
			|| !library_await(a, 0, a->image.attach, &attach, sizeof attach, &result))
		return false;
	*again = result == MADT_ATTACH_LOADER;
	return result == MADT_ATTACH_DONE || *again
			? result == MADT_ATTACH_DONE
			: refuse("process %d cannot take part: %s", (int)a->target.pid, attach_failure(result));
}

static bool thread_start(struct attaching *a, size_t i)
{
	const struct user_regs_struct *registers = &a->target.threads[i].registers;
	const struct madt_attach_thread state = {
		.mask = a->target.threads[i].mask,
		.next = registers->rip,
		.number = (long)registers->orig_rax < 0 ? -1 : (long)registers->orig_rax,
		.result = (long)registers->rax,
		.argument = { (long)registers->rdi, (long)registers->rsi, (long)registers->rdx,
				(long)registers->r10, (long)registers->r8, (long)registers->r9 },
	};

	return library_start(a, i, a->image.attach_thread, &state, sizeof state);
}

static bool thread_await_begun(struct attaching *a, size_t i)
{
	struct stopped *thread = &a->target.threads[i];
	struct madt_attach_thread state;
	long result;

	if (!library_await(a, i, a->image.attach_thread, &state, sizeof state, &result))
		return false;
	thread->registers.rip = state.goes_on;
	thread->mask &= ~(1ull << (SIGSEGV - 1) | 1ull << (SIGTRAP - 1) | 1ull << (SIGILL - 1)
			| 1ull << (SIGSYS - 1));
	return true;
}

/* All at a time. */
static bool threads_begin(struct attaching *a)
{
	bool done = true;
	size_t started = 0;

	while (started < a->target.count && thread_start(a, started))
		started++;
	for (size_t i = 0; i < started; i++)
		done &= thread_await_begun(a, i);
	return done && started == a->target.count;
}

static bool all_begin(struct attaching *a, bool *again)
{
	bool done = target_suits(&a->target);

	for (size_t i = 0; i < a->target.count; i++) {
		thread_abort_sequence(&a->target, &a->target.threads[i]);
		thread_call_again(&a->target, &a->target.threads[i]);
	}
	thread_mask(a->remote.thread->tid, ~FAULTS);
	done = done && maps_copy(a);
	if (done)
		blocks_copy(a);
	done = done && image_place(a);
	if (a->awaits_launcher)
		launcher_await();
	done = done && library_begin(a, again);
	if (!done) {
		unmap(a);
		return false;
	}
	done = threads_begin(a);
	a->remote.instruction = a->base + a->image.attach_call;
	stacks_unmap(a);
	return done;
}

/* All threads are stopped; they go on. */
static bool attach_all(struct attaching *a, bool *again)
{
	bool done;

	a->base = a->stacks = 0;
	if (!remote_begin(&a->remote, &a->target, &a->target.threads[0])) {
		threads_go(&a->target);
		return false;
	}
	threads_tell(&a->target);
	done = all_begin(a, again);
	for (size_t i = 0; i < a->target.count; i++)
		thread_restore(&a->target.threads[i]);
	uint64_t stopped = threads_go(&a->target);
	if (done)
		printf("done %llu %lx\n", (unsigned long long)stopped, a->base);
	return done;
}

bool attach_stopped(struct target *target, const char *library, const char *folder)
{
	struct attaching a = { .target = *target, .folder = folder };
	bool again;

	if (!image_read(&a.image, library)) {
		threads_go(&a.target);
		return false;
	}
	return attach_all(&a, &again);
}

bool attach(pid_t pid, const char *library, const char *folder)
{
	static const struct timespec moment = { 0, 1000000 };
	struct attaching a = { .target.pid = pid, .folder = folder, .awaits_launcher = true };
	bool done, again;

	if (!process_suits(pid) || !image_read(&a.image, library))
		return false;
	for (int tries = 0;; tries++) {
		again = false;
		a.target.stopped_at = 0;
		done = threads_stop(&a.target) && attach_all(&a, &again);
		if (done || !again)
			return done;
		if (tries == TRIES)
			return refuse("process %d loads libraries all the time. Try again", (int)pid);
		puts("again");
		nanosleep(&moment, NULL);
	}
}
