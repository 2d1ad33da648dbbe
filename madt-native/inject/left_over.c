/*
 * A library that an earlier recording has left in a process, since its launcher was killed or could not
 * take it out. The process is asked to leave MadT, as a launcher asks; then what MadT has mapped goes,
 * by the marks that stand in the session's file, which the process still has.
 */
#define _GNU_SOURCE
#include "inject.h"

#include "madt_layout.h"

#include <elf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define STACKS_PLACE (MADT_OWN_RANGES - 2) /* of their mark */
#define MOMENT 1000000
#define MOST_MOMENTS 5000
#define MOMENTS_UNTIL_AGAIN 50

struct left_over {
	pid_t pid;
	uintptr_t session, control; /* where the process has them; 0: nowhere */
	struct ranges_left pages;   /* where it has a part of the control that it only reads */
	struct madt_range marks[MADT_OWN_RANGES];
	uintptr_t base; /* of the library */
};

/* A session's file: FOLDER/madt-…/session, whose name may be gone. */
static bool is_session(const char *line)
{
	const char *folder = strstr(line, "/madt-"), *file = strstr(line, "/session");

	return folder && file > folder && (file[8] == '\n' || file[8] == ' ');
}

static bool session_find(struct left_over *left)
{
	FILE *maps = process_file(left->pid, "maps");
	char line[4096];
	unsigned long start, end, offset;
	char writes;
	uint64_t magic;
	bool found = false;

	while (maps && fgets(line, sizeof line, maps)) {
		if (!is_session(line))
			continue;
		found = true;
		if (sscanf(line, "%lx-%lx r%c-s %lx", &start, &end, &writes, &offset) != 4
				|| !memory_read(left->pid, start, &magic, sizeof magic))
			continue;
		if (writes != 'w') {
			if (left->pages.count < RANGES_LEFT_MOST)
				left->pages.range[left->pages.count++] = (struct madt_range){ start, end };
			continue;
		}
		if (offset == 0 && magic == MADT_SESSION_MAGIC)
			left->session = start;
		if (offset >= MADT_AREA(0) && magic == MADT_CONTROL_MAGIC)
			left->control = start;
	}
	if (maps)
		fclose(maps);
	return found;
}

uintptr_t control_find(pid_t pid)
{
	struct left_over left = { .pid = pid };

	session_find(&left);
	return left.control;
}

static uint32_t control_word(const struct left_over *left, size_t offset)
{
	uint32_t word = 0;

	memory_read(left->pid, left->control + offset, &word, sizeof word);
	return word;
}
#define CONTROL(left, word) control_word(left, offsetof(struct madt_control, word))

static bool launcher_lives(const struct left_over *left)
{
	struct madt_session page;

	return left->session && memory_read(left->pid, left->session, &page, sizeof page)
			&& page.launcher[0] & MADT_LAUNCHER_THREAD && !(page.launcher[0] & MADT_LAUNCHER_DIED)
			&& !page.disowned;
}

/* Returns whether the library that is there is the same as this file. */
static bool is_image(const struct left_over *left, const struct image *image, uintptr_t base)
{
	bool same = true;

	for (size_t i = 0; same && i < image->segment_count; i++) {
		const struct segment *segment = &image->segments[i];
		const size_t size = segment->to - segment->from;
		char *there;

		if (!(segment->protection & PROT_EXEC))
			continue;
		there = malloc(size);
		same = there && memory_read(left->pid, base + segment->from, there, size)
				&& memcmp(there, image->bytes + segment->from, size) == 0;
		free(there);
	}
	return same;
}

static bool library_find(struct left_over *left, const struct image *image)
{
	if (!left->control || CONTROL(left, version) != MADT_LAYOUT_VERSION
			|| !memory_read(left->pid, left->control + MADT_OWN_OFFSET, left->marks,
					sizeof left->marks))
		return false;
	for (size_t i = 0; !left->base && i < MADT_OWN_RANGES; i++)
		if (left->marks[i].start && left->marks[i].end - left->marks[i].start == image->size
				&& is_image(left, image, left->marks[i].start))
			left->base = left->marks[i].start;
	return left->base;
}

/* Returns whether it was being unmapped when madt-inject was killed, which needs no library. */
static bool is_taken(const struct left_over *left)
{
	return left->control && CONTROL(left, version) == MADT_LAYOUT_VERSION
			&& CONTROL(left, leave) == MADT_LEAVE_TAKEN;
}

static void ask_to_leave(const struct left_over *left)
{
	const uint32_t wish = MADT_LEAVE_DETACHED;
	siginfo_t info = { .si_signo = MADT_ASKED_BY, .si_code = SI_QUEUE };

	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value.sival_ptr = (void *)MADT_LEAVE_VALUE;
	if (CONTROL(left, state) == MADT_STATE_READY && CONTROL(left, leave) != MADT_LEAVE_SEEN
			&& memory_write(left->pid, left->control + offsetof(struct madt_control, leave), &wish,
					sizeof wish))
		syscall(SYS_rt_tgsigqueueinfo, left->pid, left->pid, MADT_ASKED_BY, &info);
}

static bool leaves(const struct left_over *left)
{
	static const struct timespec moment = { 0, MOMENT };

	for (int i = 0; i < MOST_MOMENTS && !CONTROL(left, left); i++) {
		if (i % MOMENTS_UNTIL_AGAIN == 0)
			ask_to_leave(left);
		nanosleep(&moment, NULL);
	}
	return CONTROL(left, left);
}

/*
 * Returns whether a mapping of no file's is a library that was being brought in when madt-inject was
 * killed; perhaps before anything was written, in the place that is asked for it.
 */
static bool is_begun(const struct left_over *left, const struct image *image, uintptr_t start,
		uintptr_t end, struct madt_range *all)
{
	static const char nothing[SELFMAG];
	char magic[SELFMAG];

	*all = (struct madt_range){ start, end };
	if (!memory_read(left->pid, start, magic, sizeof magic))
		return false;
	if (start == ATTACH_WISH && memcmp(magic, nothing, SELFMAG) == 0)
		return end - start > image->size && (end - start - image->size) % ATTACH_STACK_BYTES == 0;
	if (memcmp(magic, ELFMAG, SELFMAG) != 0 || !is_image(left, image, start)
			|| !memory_read(left->pid, start + image->attach_stacks, all, sizeof *all))
		return false;
	*all = (struct madt_range){ start,
		all->start == start + image->size ? all->end : start + image->size };
	return true;
}

/* A library that no thread has entered. */
static bool begun_take_out(const struct left_over *left, const struct image *image)
{
	FILE *maps = process_file(left->pid, "maps");
	char line[4096];
	unsigned long start, end, inode;
	struct madt_range all;
	bool found = false;

	while (maps && !found && fgets(line, sizeof line, maps))
		found = sscanf(line, "%lx-%lx %*s %*x %*s %lu", &start, &end, &inode) == 3 && !inode
				&& !strchr(line, '[') && is_begun(left, image, start, end, &all);
	if (maps)
		fclose(maps);
	return !found || take_out_range(left->pid, &all);
}

/* Marks the stacks of a madt-inject that was killed, which are taken out with all else. */
static void stacks_mark(const struct left_over *left, const struct image *image)
{
	static const struct madt_range none;
	const uintptr_t at = left->base + image->attach_stacks;
	struct madt_range stacks;

	if (left->base && memory_read(left->pid, at, &stacks, sizeof stacks) && stacks.start
			&& memory_write(left->pid,
					left->control + MADT_OWN_OFFSET + STACKS_PLACE * sizeof stacks, &stacks,
					sizeof stacks))
		memory_write(left->pid, at, &none, sizeof none);
}

bool left_over_take_out(pid_t pid, const char *library)
{
	static struct left_over left;
	static struct image image;

	left = (struct left_over){ .pid = pid };
	if (!session_find(&left))
		return image_read(&image, library) && begun_take_out(&left, &image);
	if (launcher_lives(&left))
		return refuse("process %d takes part in a recording already: see madt ctl %d status",
				(int)pid, (int)pid);
	if (!image_read(&image, library))
		return false;
	if (!library_find(&left, &image) && !is_taken(&left))
		return refuse("libmadt.so is in process %d already, from a recording whose madt was"
					  " killed, and is not the one that this madt can take out. It does no harm;"
					  " start the process again to record it",
				(int)pid);
	if (!leaves(&left))
		return refuse("libmadt.so is in process %d already, from a recording whose madt was"
					  " killed, and the process does not leave it now. It does no harm; try"
					  " again, or start the process again to record it",
				(int)pid);
	stacks_mark(&left, &image);
	memory_read(pid, left.control + MADT_OWN_OFFSET, left.marks, sizeof left.marks);
	/* it cannot be asked any more when a part of it has gone */
	return take_out_marked(pid, library, is_taken(&left) ? 0 : left.base, left.control, left.marks,
			&left.pages);
}
