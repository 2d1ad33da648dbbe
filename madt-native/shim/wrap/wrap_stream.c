/*
 * Streams: fread, fwrite, fgets, fputs. Each is one W or G event of the bytes that were moved,
 * whole items or not. Accesses to the stream's own buffer are part of the call and not recorded.
 *
 * Where a stream's buffer is the program's own memory (setvbuf, fmemopen, open_memstream) or the
 * program's own functions read and write (fopencookie), the call is no event: what libc's code and
 * these functions do is recorded access by access.
 */
#include "wrap/wrap.h"

#include "text/text.h"

/* struct _IO_FILE of glibc (bits/types/struct_FILE.h) and its flags (libio.h) */
#define FLAG_USER_BUFFER 0x1
#define FLAG_BACKUP 0x100

static bool stream_plain(const FILE *file)
{
	return file && file->_fileno >= 0
			&& (!(file->_flags & FLAG_USER_BUFFER) || file->_IO_buf_base == file->_shortbuf);
}

/*
 * Bytes of the stream that were read and not taken yet; some may wait behind characters that ungetc
 * put back.
 */
static size_t stream_waiting(const FILE *file)
{
	size_t waiting = (size_t)(file->_IO_read_end - file->_IO_read_ptr);

	if (file->_flags & FLAG_BACKUP)
		waiting += (size_t)(file->_IO_save_end - file->_IO_save_base);
	return waiting;
}

/*
 * `work` in the frame, then the event, if its length is not 0; on a stream that is not plain, the
 * same work outside any frame. The stream is looked at within the frame, since its page may be
 * closed.
 */
#define STREAM(type, number, address, file, length, work)                       \
	({                                                                          \
		uintptr_t frame_ = FRAME;                                               \
		bool record_ = frame_enter_stream(frame_), plain_ = stream_plain(file); \
		type result_;                                                           \
		size_t length_;                                                         \
		if (!plain_)                                                            \
			frame_leave(frame_);                                                \
		result_ = (type)(work);                                                 \
		length_ = plain_ && record_ ? (length) : 0;                             \
		if (length_)                                                            \
			record_block(number, CALLER, address, length_);                     \
		if (plain_)                                                             \
			frame_leave(frame_);                                                \
		result_;                                                                \
	})

/* ---------------------------------------------------------------- blocks */

/*
 * The real function is asked for bytes, so that it tells how many were moved of an item that was
 * not whole.
 */
#define ITEMS(number, address, size, n, file, whole, bytes)            \
	({                                                                 \
		size_t bytes_, done_;                                          \
		if (__builtin_mul_overflow(size, n, &bytes_) || !bytes_)       \
			return (size_t)(whole);                                    \
		done_ = STREAM(size_t, number, address, file, result_, bytes); \
		done_ == bytes_ ? n : done_ / size;                            \
	})

EXPORT size_t fread(void *to, size_t size, size_t n, FILE *file)
{
	return ITEMS(MADT_TEMPLATE_STORE, to, size, n, file, real.fread(to, size, n, file),
			CALL(real.fread, to, 1, bytes_, file));
}

EXPORT size_t fread_unlocked(void *to, size_t size, size_t n, FILE *file)
{
	return ITEMS(MADT_TEMPLATE_STORE, to, size, n, file, real.fread_unlocked(to, size, n, file),
			CALL(real.fread_unlocked, to, 1, bytes_, file));
}

EXPORT size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *file)
{
	return ITEMS(MADT_TEMPLATE_STORE, to, size, n, file, real.__fread_chk(to, room, size, n, file),
			CALL(real.__fread_chk, to, room, 1, bytes_, file));
}

EXPORT size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t n, FILE *file)
{
	return ITEMS(MADT_TEMPLATE_STORE, to, size, n, file,
			real.__fread_unlocked_chk(to, room, size, n, file),
			CALL(real.__fread_unlocked_chk, to, room, 1, bytes_, file));
}

EXPORT size_t fwrite(const void *from, size_t size, size_t n, FILE *file)
{
	return ITEMS(MADT_TEMPLATE_FETCH, from, size, n, file, real.fwrite(from, size, n, file),
			CALL(real.fwrite, own_text(from, bytes_), 1, bytes_, file));
}

EXPORT size_t fwrite_unlocked(const void *from, size_t size, size_t n, FILE *file)
{
	return ITEMS(MADT_TEMPLATE_FETCH, from, size, n, file,
			real.fwrite_unlocked(from, size, n, file),
			CALL(real.fwrite_unlocked, own_text(from, bytes_), 1, bytes_, file));
}

/* ---------------------------------------------------------------- texts */

/*
 * Returns how many bytes fgets took: what waited, and what it read meanwhile, but for what waits
 * now. The text's length would be wrong, for there may be NULs in it; it is the answer for a stream
 * that is mapped (fopen(3), "m").
 */
static size_t line_bytes(const char *line, const char *to, size_t n, size_t waited,
		const FILE *file)
{
	size_t taken = waited + frame_moved() - stream_waiting(file);

	if (line && (taken >= n || to[taken]))
		taken = text_length(to);
	return line ? taken + 1 : taken < n ? taken : 0;
}

#define LINE(to, n, file, work)                                                \
	({                                                                         \
		size_t waited_ = 0;                                                    \
		STREAM(char *, MADT_TEMPLATE_STORE, to, file,                          \
				line_bytes(result_, to, n > 0 ? (size_t)n : 0, waited_, file), \
				(waited_ = plain_ ? stream_waiting(file) : 0, work));          \
	})

EXPORT char *fgets(char *to, int n, FILE *file)
{
	return LINE(to, n, file, CALL(real.fgets, to, n, file));
}

EXPORT char *fgets_unlocked(char *to, int n, FILE *file)
{
	return LINE(to, n, file, CALL(real.fgets_unlocked, to, n, file));
}

EXPORT char *__fgets_chk(char *to, size_t room, int n, FILE *file)
{
	return LINE(to, n, file, CALL(real.__fgets_chk, to, room, n, file));
}

EXPORT char *__fgets_unlocked_chk(char *to, size_t room, int n, FILE *file)
{
	return LINE(to, n, file, CALL(real.__fgets_unlocked_chk, to, room, n, file));
}

EXPORT int fputs(const char *from, FILE *file)
{
	return STREAM(int, MADT_TEMPLATE_FETCH, from, file, result_ >= 0 ? text_length(from) + 1 : 0,
			CALL(real.fputs, from, file));
}

EXPORT int fputs_unlocked(const char *from, FILE *file)
{
	return STREAM(int, MADT_TEMPLATE_FETCH, from, file, result_ >= 0 ? text_length(from) + 1 : 0,
			CALL(real.fputs_unlocked, from, file));
}
