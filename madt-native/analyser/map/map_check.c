#include "map/map_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/crc32c.h"

static bool register_is_known(unsigned number, unsigned above)
{
	return number <= above || number == MADT_REGISTER_NONE;
}

static bool mask_is_known(const struct madt_code_operand *operand)
{
	bool vector = operand->mask >= MADT_MASK_VECTOR && operand->mask < MADT_MASK_VECTOR + 32
			&& operand->mask_size;
	switch (operand->shape) {
	case MADT_SHAPE_BIT:
		return operand->mask < 16;
	case MADT_SHAPE_VECTOR:
	case MADT_SHAPE_MASKED:
	case MADT_SHAPE_COMPRESSED:
		return operand->mask < 8 || operand->mask == MADT_REGISTER_NONE || vector;
	default:
		return operand->mask == MADT_REGISTER_NONE;
	}
}

static bool shape_is_known(const struct madt_code_operand *operand)
{
	switch (operand->shape) {
	case MADT_SHAPE_PLAIN:
	case MADT_SHAPE_BIT:
		return operand->elements == 1 && register_is_known(operand->index, 15);
	case MADT_SHAPE_XLAT:
		return operand->elements == 1 && operand->index == 0;
	case MADT_SHAPE_VECTOR:
		return operand->index < 32 && (operand->index_size == 4 || operand->index_size == 8);
	case MADT_SHAPE_MASKED:
	case MADT_SHAPE_COMPRESSED:
		return register_is_known(operand->index, 15);
	default:
		return false;
	}
}

bool map_operand_is_known(const struct madt_code_operand *operand)
{
	const unsigned scale = operand->scale;
	return operand->access >= MADT_LOAD && operand->access <= MADT_MODIFY && shape_is_known(operand)
			&& mask_is_known(operand) && register_is_known(operand->base, MADT_REGISTER_RIP)
			&& (scale == 1 || scale == 2 || scale == 4 || scale == 8)
			&& operand->segment <= MADT_SEGMENT_GS && operand->flags < 8 && operand->size
			&& operand->elements >= 1 && operand->elements <= 64;
}

static bool entry_is_known(const struct madt_code_entry *entry,
		const struct madt_code_operand *operands, uint32_t count)
{
	if (entry->length < 1 || entry->length > 15 || entry->flags >= 64
			|| entry->first_operand > count || entry->operands > count - entry->first_operand)
		return false;
	if (!entry->operands && !(entry->flags & MADT_CODE_CALL))
		return false;
	unsigned words = 0;
	for (unsigned i = 0; i < entry->operands; i++)
		words += operands[entry->first_operand + i].elements;
	return words == entry->words;
}

static bool function_is_known(const struct madt_code_function *function)
{
	return function->end >= function->start && function->kinds
			&& function->kinds < 2 * MADT_FUNCTION_OUTERMOST;
}

/* By start, the longer first. */
static bool functions_ascend(const struct madt_code_function *a, const struct madt_code_function *b)
{
	return a->start < b->start || (a->start == b->start && a->end >= b->end);
}

static int functions_check(const struct madt_codemap *header,
		const struct madt_code_function *functions, struct failure *failure)
{
	for (uint32_t i = 0; i < header->functions; i++)
		if (!function_is_known(&functions[i])
				|| (i && !functions_ascend(&functions[i - 1], &functions[i])))
			return failure_set(failure, EINVAL, "damaged: function %u at byte %" PRIu64, i,
					header->file_size - (uint64_t)(header->functions - i) * sizeof *functions);
	return 0;
}

static int header_check(const struct madt_codemap *header, uint64_t size, struct failure *failure)
{
	if (header->magic != MADT_CODEMAP_MAGIC)
		return failure_set(failure, EINVAL, "not a code map (byte 0)");
	if (header->version != MADT_CODEMAP_VERSION)
		return failure_set(failure, EINVAL, "a code map of version %u (byte 8), not %u",
				header->version, MADT_CODEMAP_VERSION);
	if (header->header_size != sizeof *header)
		return failure_set(failure, EINVAL, "damaged: header of %u bytes (byte 12), not %zu",
				header->header_size, sizeof *header);
	uint64_t expected = sizeof *header + (uint64_t)header->entries * sizeof(struct madt_code_entry)
			+ (uint64_t)header->operands * sizeof(struct madt_code_operand)
			+ (uint64_t)header->functions * sizeof(struct madt_code_function);
	if (header->file_size != size || expected != size)
		return failure_set(failure, EINVAL,
				"damaged: %" PRIu64 " bytes; byte 16 says %" PRIu64 " and the counts at bytes 48 "
				"and 68 make %" PRIu64,
				size, header->file_size, expected);
	if (header->build_id_length > sizeof header->build_id)
		return failure_set(failure, EINVAL, "damaged: build-id of %u bytes (byte 64)",
				header->build_id_length);
	if (header->reserved[0] || header->reserved[1])
		return failure_set(failure, EINVAL, "damaged: the reserved bytes 112 to 127 are not zero");
	if (header->gap_bytes > header->text_bytes || header->bad_bytes > header->text_bytes)
		return failure_set(failure, EINVAL,
				"damaged: more gap or undecodable bytes than code (byte 32)");
	return 0;
}

static int build_id_check(const struct madt_codemap *header, const uint8_t *build_id,
		uint32_t length, struct failure *failure)
{
	if (!length
			|| (length == header->build_id_length
					&& memcmp(build_id, header->build_id, length) == 0))
		return 0;
	return failure_set(failure, ESTALE, "of another file: its build-id differs (byte 72)");
}

static int parts_check(const struct madt_codemap *header, const struct madt_code_entry *entries,
		const struct madt_code_operand *operands, struct failure *failure)
{
	for (uint32_t i = 0; i < header->operands; i++)
		if (!map_operand_is_known(&operands[i]))
			return failure_set(failure, EINVAL, "damaged: operand %u at byte %zu", i,
					sizeof *header + header->entries * sizeof *entries + i * sizeof *operands);
	for (uint32_t i = 0; i < header->entries; i++)
		if (!entry_is_known(&entries[i], operands, header->operands)
				|| (i && entries[i].offset <= entries[i - 1].offset))
			return failure_set(failure, EINVAL, "damaged: entry %u at byte %zu", i,
					sizeof *header + i * sizeof *entries);
	return 0;
}

int map_check(const uint8_t *bytes, uint64_t size, const uint8_t *build_id,
		uint32_t build_id_length, struct failure *failure)
{
	struct madt_codemap header;
	if (size < sizeof header)
		return failure_set(failure, EINVAL,
				"damaged: %" PRIu64 " bytes are no code map (%zu at least)", size, sizeof header);
	memcpy(&header, bytes, sizeof header);
	int code = header_check(&header, size, failure);
	if (!code)
		code = build_id_check(&header, build_id, build_id_length, failure);
	if (code)
		return code;
	uint32_t sum = crc32c_add(0, bytes + sizeof header, size - sizeof header);
	if (sum != header.checksum)
		return failure_set(failure, EINVAL,
				"damaged: checksum %08x from byte %zu on, %08x at byte 60", sum, sizeof header,
				header.checksum);
	const uint8_t *entries = bytes + sizeof header;
	const uint8_t *operands = entries + (size_t)header.entries * sizeof(struct madt_code_entry);
	const uint8_t *functions = operands
			+ (size_t)header.operands * sizeof(struct madt_code_operand);
	code = parts_check(&header, (const void *)entries, (const void *)operands, failure);
	return code ? code : functions_check(&header, (const void *)functions, failure);
}
