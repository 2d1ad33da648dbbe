#include "map_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "madtcode.h"

uint8_t *file_bytes(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	if (!file || fseek(file, 0, SEEK_END) != 0) {
		perror(path);
		exit(1);
	}
	*size = (size_t)ftell(file);
	rewind(file);
	uint8_t *bytes = malloc(*size + 1);
	if (!bytes || fread(bytes, 1, *size, file) != *size) {
		perror(path);
		exit(1);
	}
	fclose(file);
	return bytes;
}

struct map_file map_file_make(const char *elf_path, const char *map_path)
{
	char error[300];
	if (madtcode_build(elf_path, map_path, error, sizeof error) != 0
			|| madtcode_check(map_path, NULL, 0, error, sizeof error) != 0) {
		fprintf(stderr, "%s\n", error);
		exit(1);
	}
	size_t size;
	struct map_file map = { .header = (void *)file_bytes(map_path, &size) };
	map.entries = (const void *)(map.header + 1);
	map.operands = (const void *)(map.entries + map.header->entries);
	map.functions = (const void *)(map.operands + map.header->operands);
	return map;
}

const struct madt_code_entry *map_file_entry(const struct map_file *map, uint64_t address)
{
	uint32_t low = 0;
	uint32_t high = map->header->entries;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (map->entries[middle].offset < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < map->header->entries && map->entries[low].offset == address ? &map->entries[low]
																			 : NULL;
}
