#include <string.h>

#include "map/code_map.h"
#include "base/crc32c.h"
#include "base/file_replace.h"

static void header_finish(struct code_map *map, const struct build_id *id)
{
	struct madt_codemap *header = &map->header;
	size_t entry_bytes = map->entry_count * sizeof *map->entries;
	size_t operand_bytes = map->operand_count * sizeof *map->operands;
	header->magic = MADT_CODEMAP_MAGIC;
	header->version = MADT_CODEMAP_VERSION;
	header->header_size = sizeof *header;
	size_t function_bytes = map->functions.count * sizeof *map->functions.items;
	header->file_size = sizeof *header + entry_bytes + operand_bytes + function_bytes;
	header->entries = (uint32_t)map->entry_count;
	header->operands = (uint32_t)map->operand_count;
	header->functions = (uint32_t)map->functions.count;
	header->checksum = crc32c_add(crc32c_add(0, map->entries, entry_bytes), map->operands,
			operand_bytes);
	header->checksum = crc32c_add(header->checksum, map->functions.items, function_bytes);
	header->build_id_length = id->length;
	memcpy(header->build_id, id->bytes, id->length);
}

int code_map_write(struct code_map *map, const struct build_id *id, const char *path,
		struct failure *failure)
{
	header_finish(map, id);
	const struct file_part parts[] = {
		{ &map->header, sizeof map->header },
		{ map->entries, map->entry_count * sizeof *map->entries },
		{ map->operands, map->operand_count * sizeof *map->operands },
		{ map->functions.items, map->functions.count * sizeof *map->functions.items },
	};
	return file_replace(path, parts, sizeof parts / sizeof *parts, "code map", failure);
}
