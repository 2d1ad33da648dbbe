#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "codemap_build.h"
#include "crc32c.h"

static int write_all(int descriptor, const void *data, size_t size)
{
	const char *at = data;

	while (size) {
		ssize_t n = write(descriptor, at, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		at += n;
		size -= (size_t)n;
	}
	return 0;
}

static int parts_write(int descriptor, const struct codemap_build *build)
{
	int code = write_all(descriptor, &build->head, sizeof build->head);

	if (!code)
		code = write_all(descriptor, build->entries, build->head.entries * sizeof *build->entries);
	if (!code)
		code = write_all(descriptor, build->operands, build->head.operands * sizeof *build->operands);
	return code;
}

static void head_complete(struct codemap_build *build)
{
	struct madt_codemap *head = &build->head;
	size_t entries = head->entries * sizeof *build->entries, operands = head->operands * sizeof *build->operands;

	head->magic = MADT_CODEMAP_MAGIC;
	head->version = MADT_CODEMAP_VERSION;
	head->header_size = sizeof *head;
	head->file_size = sizeof *head + entries + operands;
	head->checksum = crc32c_add(crc32c_add(0, build->entries, entries), build->operands, operands);
}

int codemap_write(struct codemap_build *build, const char *path, struct failure *failure)
{
	size_t size = strlen(path) + 16;
	char *temporary = malloc(size);
	int descriptor, code;

	if (!temporary)
		return failure_set(failure, ENOMEM, "no memory");
	head_complete(build);
	snprintf(temporary, size, "%s.XXXXXX", path);
	descriptor = mkstemp(temporary);
	code = descriptor < 0 ? errno : parts_write(descriptor, build);
	if (descriptor >= 0 && close(descriptor) && !code)
		code = errno;
	if (!code && rename(temporary, path))
		code = errno;
	if (code && descriptor >= 0)
		unlink(temporary);
	free(temporary);
	return code ? failure_set(failure, code, "cannot write the code map %s: %s", path, strerror(code)) : 0;
}
