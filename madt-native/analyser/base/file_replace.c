#include "base/file_replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int bytes_write(int descriptor, const void *bytes, size_t size)
{
	const uint8_t *from = bytes;
	while (size) {
		ssize_t wrote = write(descriptor, from, size < 1 << 30 ? size : 1 << 30);
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return errno;
		from += wrote;
		size -= (size_t)wrote;
	}
	return 0;
}

static int temporary_write(const char *temporary, const char *path, const struct file_part *parts, unsigned count)
{
	int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (descriptor < 0)
		return errno;
	int code = 0;
	for (unsigned i = 0; i < count && !code; i++)
		code = bytes_write(descriptor, parts[i].bytes, parts[i].size);
	if (close(descriptor) != 0 && !code)
		code = errno;
	if (!code && rename(temporary, path) != 0)
		code = errno;
	if (code)
		unlink(temporary);
	return code;
}

static size_t parts_size(const struct file_part *parts, unsigned count)
{
	size_t size = 0;
	for (unsigned i = 0; i < count; i++)
		size += parts[i].size;
	return size;
}

int file_replace(const char *path, const struct file_part *parts, unsigned count, const char *what,
		struct failure *failure)
{
	static atomic_uint serial; /* two threads of one process may write the same file */
	failure->path = path;
	size_t size = strlen(path) + 40;
	char *temporary = malloc(size);
	if (!temporary)
		return failure_set(failure, ENOMEM, "no memory for its name");
	snprintf(temporary, size, "%s.%ld.%u.tmp", path, (long)getpid(), atomic_fetch_add(&serial, 1));
	int code = temporary_write(temporary, path, parts, count);
	free(temporary);
	return code ? failure_set(failure, code, "cannot write the %s (%zu bytes): %s", what, parts_size(parts, count),
			strerror(code)) : 0;
}
