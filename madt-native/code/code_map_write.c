#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "code_map.h"
#include "crc32c.h"

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

static void header_finish(struct code_map *map, const struct build_id *id)
{
	struct madt_codemap *header = &map->header;
	size_t entry_bytes = map->entry_count * sizeof *map->entries;
	size_t operand_bytes = map->operand_count * sizeof *map->operands;
	header->magic = MADT_CODEMAP_MAGIC;
	header->version = MADT_CODEMAP_VERSION;
	header->header_size = sizeof *header;
	header->file_size = sizeof *header + entry_bytes + operand_bytes;
	header->entries = (uint32_t)map->entry_count;
	header->operands = (uint32_t)map->operand_count;
	header->checksum = crc32c_add(crc32c_add(0, map->entries, entry_bytes), map->operands, operand_bytes);
	header->build_id_length = id->length;
	memcpy(header->build_id, id->bytes, id->length);
}

static int parts_write(int descriptor, const struct code_map *map)
{
	int code = bytes_write(descriptor, &map->header, sizeof map->header);
	if (!code)
		code = bytes_write(descriptor, map->entries, map->entry_count * sizeof *map->entries);
	if (!code)
		code = bytes_write(descriptor, map->operands, map->operand_count * sizeof *map->operands);
	return code;
}

static int temporary_write(const struct code_map *map, const char *temporary, const char *path)
{
	int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (descriptor < 0)
		return errno;
	int code = parts_write(descriptor, map);
	if (close(descriptor) != 0 && !code)
		code = errno;
	if (!code && rename(temporary, path) != 0)
		code = errno;
	if (code)
		unlink(temporary);
	return code;
}

int code_map_write(struct code_map *map, const struct build_id *id, const char *path, struct failure *failure)
{
	static atomic_uint serial; /* two threads of one process may write the same map */
	failure->path = path;
	size_t size = strlen(path) + 40;
	char *temporary = malloc(size);
	if (!temporary)
		return failure_set(failure, ENOMEM, "no memory for its name");
	snprintf(temporary, size, "%s.%ld.%u.tmp", path, (long)getpid(), atomic_fetch_add(&serial, 1));
	header_finish(map, id);
	int code = temporary_write(map, temporary, path);
	free(temporary);
	return code ? failure_set(failure, code, "cannot write the code map (%llu bytes): %s",
			(unsigned long long)map->header.file_size, strerror(code)) : 0;
}
