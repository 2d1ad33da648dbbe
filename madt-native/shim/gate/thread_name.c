/*
 * Names of threads (pthread_setname_np, PR_SET_NAME): an event says what a thread is called when it
 * begins, which it has from its creator, and at each change. A thread names itself by prctl, and
 * another thread of its process by a file, /proc/PID/task/TID/comm. While such a file is open for a
 * descriptor, calls that may write to it or close it go to the gate.
 */
#include "gate/direct.h"
#include "gate/gate_parts.h"

#include "base/spin.h"
#include "region/region.h"
#include "session/session.h"
#include "thread/thread.h"

#include <fcntl.h>
#include <sys/prctl.h>

#define NAME_BYTES 16 /* TASK_COMM_LEN */
#define FILE_NAME "/comm"

/* Descriptors of such files, and one more; 0: none. A program has one for a moment. */
#define NOTED 8
static uint32_t noted[NOTED];
static struct spin lock;

static void name_put(uint32_t thread, const char name[NAME_BYTES])
{
	struct madt_event event = {
		.type = MADT_EVENT_THREAD_NAME,
		.old = thread == self.number ? thread_block() : 0,
	};

	bytes_copy(&event.address, name, sizeof event.address);
	bytes_copy(&event.size, name + sizeof event.address, sizeof event.size);
	ring_put_of(thread, &event);
}

void thread_name_tell(void)
{
	char name[NAME_BYTES] = "";

	if (!self.unseen && !sys_failed(SYS2(__NR_prctl, PR_GET_NAME, name)))
		name_put(self.number, name);
}

/* ---------------------------------------------------------------- names by files */

bool gate_opens_name(uintptr_t path)
{
	char text[64];
	size_t length, end = sizeof FILE_NAME - 1;

	if (!region_read_text(text, path, sizeof text))
		return false;
	length = text_length(text);
	return length > end && text_begins(text + length - end, FILE_NAME);
}

/* The last number of /proc/PID/task/TID/comm, or 0. */
static uint32_t thread_in(const char *path)
{
	uint32_t number = 0;

	if (!text_begins(path, "/proc/"))
		return 0;
	for (path += 5; *path == '/' && !(text_begins(path, FILE_NAME) && !path[5]);) {
		number = 0;
		path += text_begins(path, "/task/") ? 6 : 1;
		for (; *path >= '0' && *path <= '9'; path++)
			number = number * 10 + (uint32_t)(*path - '0');
	}
	return *path ? number : 0;
}

/* Returns the thread that the file names, and opens the file to be read; or 0. */
static uint32_t file_thread(long fd, long *file)
{
	char link[64] = "/proc/thread-self/fd/", path[64];
	uint32_t thread;
	long length;

	text_number(link + text_length(link), (uint64_t)fd);
	length = SYS3(__NR_readlink, link, path, sizeof path - 1);
	path[length > 0 ? length : 0] = 0;
	thread = thread_in(path);
	if (!thread)
		return 0;
	*file = SYS3(__NR_open, path, O_RDONLY | O_CLOEXEC, 0);
	return sys_failed(*file) ? 0 : thread;
}

/* Returns whether it is such a file. */
static bool file_tell(long fd)
{
	char name[NAME_BYTES + 1] = "";
	long file, length;
	uint32_t thread = file_thread(fd, &file);

	if (!thread)
		return false;
	length = SYS3(__NR_read, file, name, NAME_BYTES);
	SYS1(__NR_close, file);
	if (length <= 0)
		return true;
	bytes_set(name + length - 1, 0, sizeof name - (size_t)length); /* its line's end */
	name_put(thread, name);
	return true;
}

/* ---------------------------------------------------------------- their descriptors */

static bool is_noted(long descriptor)
{
	for (int i = 0; i < NOTED; i++)
		if (LOAD_ACQUIRE(&noted[i]) == (uint32_t)descriptor + 1)
			return true;
	return false;
}

/* Puts one number into the place of another: 0 is none. */
static bool replace(uint32_t from, uint32_t to)
{
	for (int i = 0; i < NOTED; i++)
		if (noted[i] == from) {
			STORE_RELEASE(&noted[i], to);
			return true;
		}
	return false;
}

static bool any_noted(void)
{
	for (int i = 0; i < NOTED; i++)
		if (noted[i])
			return true;
	return false;
}

static void descriptor_note(long descriptor, bool opened)
{
	spin_lock(&lock);
	while (replace((uint32_t)descriptor + 1, 0))
		;
	if (opened)
		replace(0, (uint32_t)descriptor + 1);
	direct_follow_names(any_noted());
	spin_unlock(&lock);
}

void gate_names_after_fork(void)
{
	spin_after_fork(&lock);
}

void gate_names(const struct pending *pending, long result)
{
	const long *a = pending->argument;

	if (sys_failed(result))
		return;
	switch (pending->number) {
	case __NR_prctl:
		if (a[0] == PR_SET_NAME)
			thread_name_tell();
		break;
	case __NR_open:
	case __NR_creat:
		if (gate_opens_name((uintptr_t)a[0]))
			descriptor_note(result, true);
		break;
	case __NR_openat:
	case __NR_openat2:
		if (gate_opens_name((uintptr_t)a[1]))
			descriptor_note(result, true);
		break;
	case __NR_write:
	case __NR_pwrite64:
	case __NR_writev:
		if (is_noted(a[0]) && !file_tell(a[0]))
			descriptor_note(a[0], false); /* it has become another file's, unseen */
		break;
	case __NR_close:
		if (is_noted(a[0]))
			descriptor_note(a[0], false);
		break;
	}
}
