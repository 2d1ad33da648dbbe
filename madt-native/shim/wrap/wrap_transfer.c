/*
 * Input and output: W for what a call stores into the target's memory, G for what it fetches, with
 * the length that was moved. Streams are in wrap_stream.c.
 */
#include "wrap/wrap.h"

#include "text/text.h"

#include <sys/stat.h>

#define SENT 0x746e6573ull             /* "sent" */
#define RECEIVED 0x6465766965636572ull /* "received" */
#define PIPES (1ull << 63)
#define EVENTFDS (3ull << 62)

/* recv with MSG_TRUNC tells the length of a message that was longer than the buffer. */
#define MOVED (result_ < 0 ? 0 : (size_t)result_ < n ? (size_t)result_ : n)

#define STORED(buffer, work) TRANSFER(ssize_t, MADT_TEMPLATE_STORE, buffer, MOVED, work)
#define FETCHED(buffer, work) TRANSFER(ssize_t, MADT_TEMPLATE_FETCH, buffer, MOVED, work)

/*
 * Returns what stands for a pipe or an eventfd in its process, 0 for any other file. Anonymous files
 * of the kernel have no type in their modes, and one inode for all: those are known by their
 * descriptors.
 */
static uint64_t channel_of(int fd)
{
	struct stat file;

	if (SYS2(__NR_fstat, fd, &file) != 0)
		return 0;
	if (S_ISFIFO(file.st_mode))
		return PIPES | file.st_ino;
	return file.st_mode & S_IFMT ? 0 : EVENTFDS | (uint64_t)(unsigned)fd;
}

/* Tells that something goes through a pipe, before it is sent or after it was received. */
static void hand(int fd, uint64_t role, uintptr_t caller)
{
	uintptr_t frame = FRAME;
	uint64_t channel = 0;

	if (!recording || !(session.page->flags & MADT_SESSION_HANDED))
		return;
	if (frame_enter_block(frame) && (channel = channel_of(fd)) != 0) {
		struct madt_event event = { .type = MADT_EVENT_THREAD_SYNC,
			.callers = 1,
			.address = channel,
			.size = tsc_now(),
			.old = role,
			.caller = { caller } };

		ring_put(&event);
	}
	frame_leave(frame);
}

static ssize_t received(int fd, ssize_t result, uintptr_t caller)
{
	if (result > 0)
		hand(fd, RECEIVED, caller);
	return result;
}

EXPORT ssize_t read(int fd, void *to, size_t n)
{
	return received(fd, STORED(to, CALL(real.read, fd, to, n)), CALLER);
}

EXPORT ssize_t __read_chk(int fd, void *to, size_t n, size_t room)
{
	return received(fd, STORED(to, CALL(real.__read_chk, fd, to, n, room)), CALLER);
}

EXPORT ssize_t pread(int fd, void *to, size_t n, long offset)
{
	return STORED(to, CALL(real.pread, fd, to, n, offset));
}

EXPORT ssize_t pread64(int fd, void *to, size_t n, long offset)
{
	return STORED(to, CALL(real.pread64, fd, to, n, offset));
}

EXPORT ssize_t recv(int fd, void *to, size_t n, int flags)
{
	return STORED(to, CALL(real.recv, fd, to, n, flags));
}

EXPORT ssize_t write(int fd, const void *from, size_t n)
{
	hand(fd, SENT, CALLER);
	return FETCHED(from, CALL(real.write, fd, own_text(from, n), n));
}

EXPORT ssize_t pwrite(int fd, const void *from, size_t n, long offset)
{
	return FETCHED(from, CALL(real.pwrite, fd, own_text(from, n), n, offset));
}

EXPORT ssize_t pwrite64(int fd, const void *from, size_t n, long offset)
{
	return FETCHED(from, CALL(real.pwrite64, fd, own_text(from, n), n, offset));
}

EXPORT ssize_t send(int fd, const void *from, size_t n, int flags)
{
	return FETCHED(from, CALL(real.send, fd, own_text(from, n), n, flags));
}
