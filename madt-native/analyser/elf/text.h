/*
 * The bytes of a module that may be executed: where they lie and which instructions were found to
 * start there.
 */
#ifndef MADT_TEXT_H
#define MADT_TEXT_H

#include <stdint.h>

#include "elf/elf_file.h"
#include "madt_sum.h"

/* An executable section, or an executable segment of a file without section headers. */
struct text_area {
	uint64_t start; /* ELF virtual addresses, below 4 GiB */
	uint64_t end;
	const uint8_t *bytes;
	/* per byte: 0, or the length of the instruction that starts there, or TEXT_BAD */
	uint8_t *starts;
};

#define TEXT_BAD 0x81u    /* no instruction: one byte to be skipped */
#define TEXT_LENGTH 0x7fu /* the bytes to go on by */

struct text {
	struct text_area *areas; /* by address, without overlaps */
	uint32_t count;
	uint32_t capacity;
	uint8_t **blocks; /* the bytes of the segments */
	uint32_t block_count;
	uint64_t bytes;      /* in all areas */
	struct madt_sum sum; /* of the segments that stay in memory as they are in the file */
};

/* 0, or an errno value with the text in the file's failure. Free in either case. */
int text_read(struct text *text, const struct elf_file *file);
void text_free(struct text *text);

/* The area of an address, or NULL. */
const struct text_area *text_area_at(const struct text *text, uint64_t address);

#endif
