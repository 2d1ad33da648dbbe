/* Splice plans: of damaged files, and damaged themselves. */
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "damage.h"
#include "madt_plan.h"
#include "madtcode.h"
#include "map_file.h"

static void expect_plan_error(const void *bytes, size_t size, const uint8_t *id, uint32_t id_length,
		const char *what)
{
	char error[300] = "";
	file_write(map_path, bytes, size);
	expect(madtcode_plan_check(map_path, id, id_length, error, sizeof error) > 0, what);
	expect(strncmp(error, map_path, strlen(map_path)) == 0, error);
	unlink(map_path);
}

/*
 * One byte wrong, in header and tables, and the checksum right: an error, or a plan that is as good
 * as the other.
 */
static void plan_body_checks(uint8_t *plan, size_t size)
{
	struct madt_plan *header = (void *)plan;
	const uint32_t sum = header->checksum;
	const size_t tables = header->tables;
	unsigned refused = 0, tried = 0;
	for (size_t at = 0; at < size;
			at += at < sizeof *header || at > size - 1024 ? 1 : 23, tried++) {
		if (at == sizeof *header)
			at = tables;
		char error[300] = "";
		plan[at] ^= 0x90;
		if (at >= sizeof *header)
			header->checksum = crc32c_add(0, plan + sizeof *header, size - sizeof *header);
		file_write(map_path, plan, size);
		refused += madtcode_plan_check(map_path, NULL, 0, error, sizeof error) > 0 && error[0];
		plan[at] ^= 0x90;
		header->checksum = sum;
	}
	expect(refused > tried / 2, "damaged plans pass");
	unlink(map_path);
}

/* The checksum right, and a patch not in the patched text image as the tables say. */
static void plan_patched_text_check(uint8_t *plan, size_t size)
{
	struct madt_plan *header = (void *)plan;
	const struct madt_plan_block *patches = (const void *)(plan + header->patches.offset);
	const uint32_t sum = header->checksum;
	expect(header->patched_text.size > 0, "no patched text image");
	uint8_t *at = plan + header->patched_text.offset
			+ (patches->key - header->patched_text.address);
	*at ^= 0x90;
	header->checksum = crc32c_add(0, plan + sizeof *header, size - sizeof *header);
	expect_plan_error(plan, size, NULL, 0, "a patched text image without a patch");
	*at ^= 0x90;
	header->checksum = sum;
}

/* A shared object that says that its code is relocated when it is loaded. */
static void relocated_check(void)
{
	char error[300] = "";
	Elf64_Ehdr header;
	uint8_t *copy = malloc(good_size);
	if (!copy)
		exit(1);
	memcpy(copy, good, good_size);
	memcpy(&header, good, sizeof header);
	for (size_t i = 0; i < header.e_phnum; i++) {
		const Elf64_Phdr *segment = (const void *)(copy + header.e_phoff + i * sizeof *segment);
		if (segment->p_type == PT_DYNAMIC)
			memcpy(copy + segment->p_offset, &(Elf64_Sxword){ DT_TEXTREL }, sizeof(Elf64_Sxword));
	}
	file_write(elf_path, copy, good_size);
	expect(madtcode_plan(elf_path, map_path, 0, 0, error, sizeof error) == ENOTSUP,
			"a plan of relocated code");
	expect(strstr(error, "DT_TEXTREL") != NULL, error);
	unlink(elf_path);
	free(copy);
}

void plan_checks(const uint8_t *id, uint32_t id_length)
{
	char error[300] = "";
	size_t size;
	expect(madtcode_plan(good_path, map_path, 0, 0, error, sizeof error) == 0, error);
	expect(madtcode_plan_check(map_path, id, id_length, error, sizeof error) == 0, error);
	uint8_t *plan = file_bytes(map_path, &size);
	static const size_t lengths[] = { 0, 1, 8, 255, 256, 4096 };
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
		expect_plan_error(plan, lengths[i], NULL, 0, "cut plan");
	expect_plan_error(good, good_size, NULL, 0, "an ELF file for a plan");
	expect_plan_error(plan, size, (const uint8_t *)"another", 7, "another build-id");
	for (size_t at = sizeof(struct madt_plan); at < size; at += 997) {
		plan[at] ^= 0x10;
		expect_plan_error(plan, size, NULL, 0, "flipped plan");
		plan[at] ^= 0x10;
	}
	plan_body_checks(plan, size);
	plan_patched_text_check(plan, size);
	expect(madtcode_plan(good_path, map_path, MADT_PLAN_VARIANTS, 0, error, sizeof error) > 0,
			"no such variant");
	expect(madtcode_plan(good_path, map_path, 0, MADT_PLAN_FLAGS + 1, error, sizeof error) > 0,
			"no such flag");
	free(plan);
	relocated_check();
	unlink(map_path);
}
