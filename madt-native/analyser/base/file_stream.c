#include "base/file_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crc32c.h"

#define BUFFER_SIZE ((size_t)1 << 18)

static int temporary_open(struct file_stream *stream)
{
	static atomic_uint serial; /* two threads of one process may write the same file */
	size_t size = strlen(stream->path) + 40;
	stream->temporary = malloc(size);
	stream->buffer = malloc(BUFFER_SIZE);
	if (!stream->temporary || !stream->buffer)
		return ENOMEM;
	snprintf(stream->temporary, size, "%s.%ld.%u.tmp", stream->path, (long)getpid(),
			atomic_fetch_add(&serial, 1));
	stream->descriptor = open(stream->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return stream->descriptor < 0 ? errno : 0;
}

void file_stream_begin(struct file_stream *stream, const char *path, const char *what,
		uint64_t size, struct failure *failure)
{
	failure->path = path;
	*stream = (struct file_stream){
		.path = path, .what = what, .failure = failure, .size = size, .descriptor = -1
	};
	stream->code = temporary_open(stream);
}

static void bytes_write(struct file_stream *stream, const uint8_t *from, size_t size)
{
	while (size && !stream->code) {
		ssize_t wrote = write(stream->descriptor, from, size < 1 << 30 ? size : 1 << 30);
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0) {
			stream->code = errno;
			return;
		}
		from += wrote;
		size -= (size_t)wrote;
	}
}

void file_stream_flush(struct file_stream *stream)
{
	stream->sum = crc32c_add(stream->sum, stream->buffer, stream->used);
	bytes_write(stream, stream->buffer, stream->used);
	stream->used = 0;
}

void file_stream_add(struct file_stream *stream, const void *bytes, uint64_t size)
{
	const uint8_t *from = bytes;
	stream->at += size;
	while (size && !stream->code) {
		size_t part = size < BUFFER_SIZE - stream->used ? size : BUFFER_SIZE - stream->used;
		memcpy(stream->buffer + stream->used, from, part);
		stream->used += part;
		from += part;
		size -= part;
		if (stream->used == BUFFER_SIZE)
			file_stream_flush(stream);
	}
}

void file_stream_pad(struct file_stream *stream, uint8_t byte, uint64_t count)
{
	stream->at += count;
	while (count && !stream->code) {
		size_t part = count < BUFFER_SIZE - stream->used ? count : BUFFER_SIZE - stream->used;
		memset(stream->buffer + stream->used, byte, part);
		stream->used += part;
		count -= part;
		if (stream->used == BUFFER_SIZE)
			file_stream_flush(stream);
	}
}

static void head_write(struct file_stream *stream, const void *head, size_t size)
{
	if (!stream->code && lseek(stream->descriptor, 0, SEEK_SET) < 0)
		stream->code = errno;
	bytes_write(stream, head, size);
}

int file_stream_end(struct file_stream *stream, const void *head, size_t size)
{
	if (!stream->code)
		file_stream_flush(stream);
	if (size)
		head_write(stream, head, size);
	if (stream->descriptor >= 0 && close(stream->descriptor) != 0 && !stream->code)
		stream->code = errno;
	if (!stream->code && rename(stream->temporary, stream->path) != 0)
		stream->code = errno;
	if (stream->code && stream->descriptor >= 0)
		unlink(stream->temporary);
	free(stream->temporary);
	free(stream->buffer);
	return stream->code
			? failure_set(stream->failure, stream->code, "cannot write the %s (%llu bytes): %s",
					stream->what, (unsigned long long)stream->size, strerror(stream->code))
			: 0;
}
