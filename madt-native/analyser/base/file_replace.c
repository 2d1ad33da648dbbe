#include "base/file_replace.h"

#include "base/file_stream.h"

int file_replace(const char *path, const struct file_part *parts, unsigned count, const char *what,
		struct failure *failure)
{
	struct file_stream stream;
	uint64_t size = 0;
	for (unsigned i = 0; i < count; i++)
		size += parts[i].size;
	file_stream_begin(&stream, path, what, size, failure);
	for (unsigned i = 0; i < count; i++)
		file_stream_add(&stream, parts[i].bytes, parts[i].size);
	return file_stream_end(&stream, NULL, 0);
}
