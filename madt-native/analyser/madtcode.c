#include "madtcode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "map/code_map.h"
#include "elf/identity.h"
#include "map/map_check.h"
#include "image/plan_check.h"
#include "map/text_walk.h"

static_assert(MADTCODE_BUILD_ID_MAX == sizeof((struct madt_codemap *)0)->build_id, "build-id");

static int map_make(const struct elf_file *file, struct code_map *map)
{
	struct text text;
	int code = text_read(&text, file);
	if (!code)
		code = functions_read(file, &map->functions);
	if (!code)
		code = text_walk(&text, &map->functions, map, file);
	if (!code && !code_map_finish(map))
		code = failure_set(file->failure, ENOMEM, "no memory for its code map");
	if (!code)
		code_map_cut(map, &text);
	text_free(&text);
	return code;
}

int madtcode_build(const char *elf_path, const char *out_path, char *error, size_t error_size)
{
	struct failure failure = { elf_path, error, error_size };
	struct code_map map = { .entry_count = 0 };
	struct build_id id;
	struct elf_file file;
	int code = elf_file_open(&file, elf_path, &failure);
	if (!code)
		code = build_id_read(&file, &id);
	if (!code)
		code = map_make(&file, &map);
	elf_file_close(&file);
	if (!code)
		code = code_map_write(&map, &id, out_path, &failure);
	code_map_free(&map);
	return code;
}

int madtcode_build_id(const char *elf_path, uint8_t *out, uint32_t *length)
{
	struct failure failure = { elf_path, NULL, 0 };
	struct elf_file file;
	struct build_id id = { .length = 0 };
	int code = elf_file_open(&file, elf_path, &failure);
	if (!code)
		code = build_id_read(&file, &id);
	elf_file_close(&file);
	*length = code ? 0 : id.length;
	if (!code)
		memcpy(out, id.bytes, id.length);
	return code;
}

int madtcode_identity(const char *elf_path, uint64_t point, uint64_t join, uint64_t *identity,
		char *error, size_t error_size)
{
	struct failure failure = { elf_path, error, error_size };
	struct elf_file file;
	int code = elf_file_open(&file, elf_path, &failure);
	if (!code)
		code = identity_read(&file, (struct madt_sum_key){ point, join }, identity);
	elf_file_close(&file);
	return code;
}

/* A file is read rather than mapped: it may be cut short while it is checked. */
static int file_read(int descriptor, uint8_t **bytes, uint64_t *size, struct failure *failure)
{
	struct stat status;
	if (fstat(descriptor, &status) != 0)
		return failure_set(failure, errno, "cannot read: %s", strerror(errno));
	if (!S_ISREG(status.st_mode))
		return failure_set(failure, EINVAL, "not a regular file");
	*bytes = malloc((size_t)status.st_size + 1);
	if (!*bytes)
		return failure_set(failure, ENOMEM, "no memory for %lld bytes", (long long)status.st_size);
	while (*size < (uint64_t)status.st_size) {
		ssize_t got = read(descriptor, *bytes + *size, (size_t)status.st_size - *size);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return failure_set(failure, errno, "cannot read byte %llu: %s",
					(unsigned long long)*size, strerror(errno));
		if (got == 0)
			break;
		*size += (uint64_t)got;
	}
	return 0;
}

static int whole_map_check(int descriptor, const uint8_t *build_id, uint32_t build_id_length,
		struct failure *failure)
{
	uint8_t *bytes = NULL;
	uint64_t size = 0;
	int code = file_read(descriptor, &bytes, &size, failure);
	if (!code)
		code = map_check(bytes, size, build_id, build_id_length, failure);
	free(bytes);
	return code;
}

typedef int check(int descriptor, const uint8_t *build_id, uint32_t build_id_length,
		struct failure *failure);

static int file_check(const char *path, check *check, const uint8_t *build_id,
		uint32_t build_id_length, struct failure *failure)
{
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (descriptor < 0)
		return failure_set(failure, errno, "cannot open: %s", strerror(errno));
	int code = check(descriptor, build_id, build_id_length, failure);
	close(descriptor);
	return code;
}

int madtcode_check(const char *map_path, const uint8_t *build_id, uint32_t build_id_length,
		char *error, size_t error_size)
{
	struct failure failure = { map_path, error, error_size };
	return file_check(map_path, whole_map_check, build_id, build_id_length, &failure);
}

int madtcode_plan_check(const char *plan_path, const uint8_t *build_id, uint32_t build_id_length,
		char *error, size_t error_size)
{
	struct failure failure = { plan_path, error, error_size };
	return file_check(plan_path, plan_check, build_id, build_id_length, &failure);
}

const char *madtcode_version(void)
{
	return "libmadtcode 1 (code map 1, plan 1, Zydis 4.0)";
}
