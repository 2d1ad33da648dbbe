/* Input and output: W for what a call stores into the target's memory, G for what it fetches, with the length that was moved. */
#include "wrap.h"

#define MOVED (result_ > 0 ? (size_t)result_ : 0)

/* All are cancellation points (pthreads(7)): a thread may leave from within the real function. */
#define CALL4(code, a, b, c, d, ...) madt_call((const void *)(code), (long)(a), (long)(b), (long)(c), (long)(d), 0)
#define CALL(code, a, b, ...) CALL4(code, a, b, ##__VA_ARGS__, 0, 0)
#define STORED(buffer, work) TRANSFER(ssize_t, MADT_RUN_STORE, buffer, MOVED, work)
#define FETCHED(buffer, work) TRANSFER(ssize_t, MADT_RUN_FETCH, buffer, MOVED, work)

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
	return FETCHED(from, CALL(real.write, fd, from, n));
}

EXPORT ssize_t pwrite(int fd, const void *from, size_t n, long offset)
{
	return FETCHED(from, CALL(real.pwrite, fd, from, n, offset));
}

EXPORT ssize_t pwrite64(int fd, const void *from, size_t n, long offset)
{
	return FETCHED(from, CALL(real.pwrite64, fd, from, n, offset));
}

EXPORT ssize_t send(int fd, const void *from, size_t n, int flags)
{
	return FETCHED(from, CALL(real.send, fd, from, n, flags));
}

/* Whole items are counted; a last partial one was moved too, but the call does not tell. */
EXPORT size_t fread(void *to, size_t size, size_t n, FILE *file)
{
	return TRANSFER(size_t, MADT_RUN_STORE, to, result_ * size, real.fread(to, size, n, file));
}

EXPORT size_t fread_unlocked(void *to, size_t size, size_t n, FILE *file)
{
	return TRANSFER(size_t, MADT_RUN_STORE, to, result_ * size, real.fread_unlocked(to, size, n, file));
}

EXPORT size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *file)
{
	return TRANSFER(
		size_t, MADT_RUN_STORE, to, result_ * size, real.__fread_chk(to, room, size, n, file));
}

EXPORT size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t n, FILE *file)
{
	return TRANSFER(
		size_t, MADT_RUN_STORE, to, result_ * size, real.__fread_unlocked_chk(to, room, size, n, file));
}

EXPORT size_t fwrite(const void *from, size_t size, size_t n, FILE *file)
{
	return TRANSFER(size_t, MADT_RUN_FETCH, from, result_ * size, real.fwrite(from, size, n, file));
}

EXPORT size_t fwrite_unlocked(const void *from, size_t size, size_t n, FILE *file)
{
	return TRANSFER(
		size_t, MADT_RUN_FETCH, from, result_ * size, real.fwrite_unlocked(from, size, n, file));
}

EXPORT char *fgets(char *to, int n, FILE *file)
{
	return TRANSFER(
		char *, MADT_RUN_STORE, to, result_ ? text_length(to) + 1 : 0, real.fgets(to, n, file));
}

EXPORT int fputs(const char *from, FILE *file)
{
	return TRANSFER(
		int, MADT_RUN_FETCH, from, result_ >= 0 ? text_length(from) + 1 : 0, real.fputs(from, file));
}
