/*
 * Input and output: W for what a call stores into the target's memory, G for what it fetches, with
 * the length that was moved. Streams are in wrap_stream.c.
 */
#include "wrap/wrap.h"

#include "text/text.h"

/* recv with MSG_TRUNC tells the length of a message that was longer than the buffer. */
#define MOVED (result_ < 0 ? 0 : (size_t)result_ < n ? (size_t)result_ : n)

#define STORED(buffer, work) TRANSFER(ssize_t, MADT_TEMPLATE_STORE, buffer, MOVED, work)
#define FETCHED(buffer, work) TRANSFER(ssize_t, MADT_TEMPLATE_FETCH, buffer, MOVED, work)

EXPORT ssize_t read(int fd, void *to, size_t n)
{
	return STORED(to, CALL(real.read, fd, to, n));
}

EXPORT ssize_t __read_chk(int fd, void *to, size_t n, size_t room)
{
	return STORED(to, CALL(real.__read_chk, fd, to, n, room));
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
