/*
 * Block copies and block stores: memcpy, memset, the strcpy family, and their fortified forms. Each
 * is one Y or W event. The arguments' lengths are taken inside the frame, where accesses are not
 * recorded.
 */
#include "wrap/wrap.h"

#include "text/text.h"

static size_t text_limited(const char *s, size_t limit)
{
	size_t n = 0;

	while (n < limit && s[n])
		n++;
	return n;
}

/* A function that is copied is to run there as it does here: without patches. */
#define OWN(from, n) own_text(from, n)

#define COPY(type, to, from, length, work) \
	BLOCK(type, length, work, record_copy(CALLER, to, from, length_))
#define STORE(type, to, length, work) TRANSFER(type, MADT_TEMPLATE_STORE, to, length, work)

/* IFUNC resolvers may copy before the shim has started. */
static void *early_move(void *to, const void *from, size_t n)
{
	if ((uintptr_t)to - (uintptr_t)from < n)
		for (size_t i = n; i-- > 0;)
			((volatile char *)to)[i] = ((const char *)from)[i];
	else
		bytes_copy(to, from, n);
	return to;
}

EXPORT void *memcpy(void *to, const void *from, size_t n)
{
	if (!real.memcpy)
		return early_move(to, from, n);
	return COPY(void *, to, from, n, real.memcpy(to, OWN(from, n), n));
}

EXPORT void *memmove(void *to, const void *from, size_t n)
{
	if (!real.memmove)
		return early_move(to, from, n);
	return COPY(void *, to, from, n, real.memmove(to, OWN(from, n), n));
}

EXPORT void *mempcpy(void *to, const void *from, size_t n)
{
	return COPY(void *, to, from, n, real.mempcpy(to, OWN(from, n), n));
}

EXPORT void *__mempcpy(void *to, const void *from, size_t n)
{
	return COPY(void *, to, from, n, real.mempcpy(to, OWN(from, n), n));
}

EXPORT void *memset(void *to, int value, size_t n)
{
	if (!real.memset) {
		bytes_set(to, value, n);
		return to;
	}
	return STORE(void *, to, n, real.memset(to, value, n));
}

EXPORT void bzero(void *to, size_t n)
{
	STORE(int, to, n, (real.bzero(to, n), 0));
}

EXPORT void explicit_bzero(void *to, size_t n)
{
	STORE(int, to, n, (real.explicit_bzero(to, n), 0));
}

EXPORT void bcopy(const void *from, void *to, size_t n)
{
	COPY(int, to, from, n, (real.bcopy(OWN(from, n), to, n), 0));
}

EXPORT void *memccpy(void *to, const void *from, int stop, size_t n)
{
	return COPY(void *, to, from, result_ ? (size_t)((char *)result_ - (char *)to) : n,
			real.memccpy(to, from, stop, n));
}

EXPORT char *strcpy(char *to, const char *from)
{
	return COPY(char *, to, from, text_length(from) + 1, real.strcpy(to, from));
}

EXPORT char *stpcpy(char *to, const char *from)
{
	return COPY(char *, to, from, (size_t)(result_ - to) + 1, real.stpcpy(to, from));
}

EXPORT char *__stpcpy(char *to, const char *from)
{
	return COPY(char *, to, from, (size_t)(result_ - to) + 1, real.stpcpy(to, from));
}

/*
 * strncpy stores n bytes, zeros behind the text; what it copies is the text and its NUL if that
 * fits.
 */
static size_t copied_limited(const char *from, size_t n)
{
	size_t length = text_limited(from, n);

	return length < n ? length + 1 : n;
}

EXPORT char *strncpy(char *to, const char *from, size_t n)
{
	return COPY(char *, to, from, copied_limited(from, n), real.strncpy(to, from, n));
}

EXPORT char *stpncpy(char *to, const char *from, size_t n)
{
	return COPY(char *, to, from, copied_limited(from, n), real.stpncpy(to, from, n));
}

/*
 * Appending copies to the end of the text that is there, which must be looked up before it moves.
 */
#define APPEND(to, from, work)                                      \
	({                                                              \
		uintptr_t frame_ = FRAME;                                   \
		bool record_ = frame_enter_block(frame_);                   \
		char *end_ = (to) + text_length(to), *result_ = (work);     \
		if (record_)                                                \
			record_copy(CALLER, end_, from, text_length(end_) + 1); \
		frame_leave(frame_);                                        \
		result_;                                                    \
	})

EXPORT char *strcat(char *to, const char *from)
{
	return APPEND(to, from, real.strcat(to, from));
}

EXPORT char *strncat(char *to, const char *from, size_t n)
{
	return APPEND(to, from, real.strncat(to, from, n));
}

/* --------------------------------------------- -D_FORTIFY_SOURCE: the last argument is the room */

EXPORT void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	return COPY(void *, to, from, n, real.__memcpy_chk(to, OWN(from, n), n, room));
}

EXPORT void *__memmove_chk(void *to, const void *from, size_t n, size_t room)
{
	return COPY(void *, to, from, n, real.__memmove_chk(to, OWN(from, n), n, room));
}

EXPORT void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
	return COPY(void *, to, from, n, real.__mempcpy_chk(to, OWN(from, n), n, room));
}

EXPORT void *__memset_chk(void *to, int value, size_t n, size_t room)
{
	return STORE(void *, to, n, real.__memset_chk(to, value, n, room));
}

EXPORT char *__strcpy_chk(char *to, const char *from, size_t room)
{
	return COPY(char *, to, from, text_length(from) + 1, real.__strcpy_chk(to, from, room));
}

EXPORT char *__stpcpy_chk(char *to, const char *from, size_t room)
{
	return COPY(char *, to, from, (size_t)(result_ - to) + 1, real.__stpcpy_chk(to, from, room));
}

EXPORT char *__strncpy_chk(char *to, const char *from, size_t n, size_t room)
{
	return COPY(char *, to, from, copied_limited(from, n), real.__strncpy_chk(to, from, n, room));
}

EXPORT char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room)
{
	return COPY(char *, to, from, copied_limited(from, n), real.__stpncpy_chk(to, from, n, room));
}

EXPORT char *__strcat_chk(char *to, const char *from, size_t room)
{
	return APPEND(to, from, real.__strcat_chk(to, from, room));
}

EXPORT char *__strncat_chk(char *to, const char *from, size_t n, size_t room)
{
	return APPEND(to, from, real.__strncat_chk(to, from, n, room));
}

/* ---------------------------------------------------------------- wide characters */

EXPORT wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n)
{
	return COPY(wchar_t *, to, from, n * sizeof *to, real.wmemcpy(to, from, n));
}

EXPORT wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
	return COPY(wchar_t *, to, from, n * sizeof *to, real.wmemmove(to, from, n));
}

EXPORT wchar_t *wmemset(wchar_t *to, wchar_t value, size_t n)
{
	return STORE(wchar_t *, to, n * sizeof *to, real.wmemset(to, value, n));
}

/* Others may define functions of these names, and take them: the wrappers' own, for wrap_slots.c. */
#define BLOCK_OWN(type, name, parameters) \
	extern __typeof__(name) own_##name    \
			__attribute__((alias(#name), copy(name), visibility("hidden")));
WRAP_MEMORY(BLOCK_OWN)
