/*
 * Writes a file piece by piece so that it changes at once or not at all: a temporary one beside it,
 * then a rename.
 */
#ifndef MADT_FILE_STREAM_H
#define MADT_FILE_STREAM_H

#include <stdint.h>

#include "base/failure.h"

struct file_stream {
	const char *path;
	const char *what;
	struct failure *failure;
	uint64_t size;   /* bytes that there will be, for the text of a failure */
	uint64_t at;     /* bytes that were added */
	char *temporary; /* its name */
	int descriptor;
	int code; /* an errno value: nothing is written any more */
	uint8_t *buffer;
	size_t used;
	uint32_t sum; /* CRC32C of what file_stream_flush wrote */
};

/*
 * `what` says in the text of a failure what the file is. What fails is said by file_stream_end,
 * which must be called in any case.
 */
void file_stream_begin(struct file_stream *stream, const char *path, const char *what,
		uint64_t size, struct failure *failure);

void file_stream_add(struct file_stream *stream, const void *bytes, uint64_t size);
void file_stream_pad(struct file_stream *stream, uint8_t byte, uint64_t count);
void file_stream_flush(struct file_stream *stream);

/*
 * Writes the head over what was written first, if there is one, and gives the file its name. 0, or
 * an errno value with the text.
 */
int file_stream_end(struct file_stream *stream, const void *head, size_t size);

#endif
