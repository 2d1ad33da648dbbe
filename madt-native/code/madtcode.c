#include "madtcode.h"

#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#include "build_id.h"
#include "codemap_build.h"

static int ranges_collect(const struct elf_file *file, struct code_ranges *ranges)
{
	int code = unwind_ranges_add(file, ranges);

	if (!code)
		code = symbol_ranges_add(file, ranges);
	if (!code)
		code_ranges_sort(ranges);
	return code;
}

static int map_make(const struct elf_file *file, const char *out_path, struct failure *failure)
{
	struct code_ranges ranges = { 0 };
	struct codemap_build build = { 0 };
	struct build_id id;
	int code = ranges_collect(file, &ranges);

	if (!code)
		code = codemap_build(file, &ranges, &build);
	if (!code)
		code = build_id_read(file, &id);
	if (!code) {
		build.head.build_id_length = id.length;
		memcpy(build.head.build_id, id.bytes, id.length);
		code = codemap_write(&build, out_path, failure);
	}
	codemap_build_free(&build);
	free(ranges.items);
	return code;
}

int madtcode_build(const char *elf_path, const char *out_path, char *error, size_t error_size)
{
	struct failure failure = { elf_path, error, error_size };
	struct elf_file file;
	int code = elf_file_open(&file, elf_path, &failure);

	if (!code)
		code = map_make(&file, out_path, &failure);
	elf_file_close(&file);
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
	memcpy(out, id.bytes, id.length);
	*length = code ? 0 : id.length;
	return code;
}

const char *madtcode_version(void)
{
	return "libmadtcode 1 (code map 1, Zydis 4.0)";
}
