/*
 * A library that an earlier recording has left in a process, since its launcher was killed or could not
 * take it out. The process is asked to leave MadT, as a launcher asks; then what MadT has mapped goes,
 * by the marks that stand in the session's file, which the process still has.
 */
#define _GNU_SOURCE
#include "inject.h"

#include "madt_layout.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MOMENT 1000000
#define MOST_MOMENTS 5000
#define MOMENTS_UNTIL_AGAIN 50

struct left_over {
	pid_t pid;
	uintptr_t session, control; /* where the process has them; 0: nowhere */
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
	unsigned long start, offset;
	uint64_t magic;
	bool found = false;

	while (maps && fgets(line, sizeof line, maps)) {
		if (!is_session(line))
			continue;
		found = true;
		if (sscanf(line, "%lx-%*x rw-s %lx", &start, &offset) != 2
				|| !memory_read(left->pid, start, &magic, sizeof magic))
			continue;
		if (offset == 0 && magic == MADT_SESSION_MAGIC)
			left->session = start;
		if (offset >= MADT_AREA(0) && magic == MADT_CONTROL_MAGIC)
			left->control = start;
	}
	if (maps)
		fclose(maps);
	return found;
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

bool left_over_take_out(pid_t pid, const char *library)
{
	static struct left_over left;
	struct image image;

	left = (struct left_over){ .pid = pid };
	if (!session_find(&left))
		return true;
	if (launcher_lives(&left))
		return refuse("process %d takes part in a recording already: see madt ctl %d status",
				(int)pid, (int)pid);
	if (!image_read(&image, library))
		return false;
	if (!library_find(&left, &image))
		return refuse("libmadt.so is in process %d already, from a recording whose madt was"
					  " killed, and is not the one that this madt can take out. It does no harm;"
					  " start the process again to record it",
				(int)pid);
	if (!leaves(&left))
		return refuse("libmadt.so is in process %d already, from a recording whose madt was"
					  " killed, and the process does not leave it now. It does no harm; try"
					  " again, or start the process again to record it",
				(int)pid);
	memory_read(pid, left.control + MADT_OWN_OFFSET, left.marks, sizeof left.marks);
	return take_out_marked(pid, library, left.base, left.marks);
}
