/*
 * Damaged files end in an error with a text, or in a good map; never in a crash (this is built with
 * sanitizers). The damage is done to a copy of a small shared object and of its code map.
 */
#include <dirent.h>
#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "damage.h"
#include "madtcode.h"
#include "map_file.h"

char elf_path[300], map_path[300], good_path[300];
uint8_t *good;
size_t good_size;
static unsigned checks, failures;

void expect(bool holds, const char *what)
{
	checks++;
	if (!holds) {
		failures++;
		fprintf(stderr, "check_damage: %s\n", what);
	}
}

void file_write(const char *path, const void *bytes, size_t size)
{
	FILE *file = fopen(path, "wb");
	if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
		perror(path);
		exit(1);
	}
}

/* A text that names the file, and no output. */
static void expect_build_error(const void *bytes, size_t size, const char *what)
{
	char error[300] = "";
	file_write(elf_path, bytes, size);
	int code = madtcode_build(elf_path, map_path, error, sizeof error);
	expect(code > 0, what);
	expect(strncmp(error, elf_path, strlen(elf_path)) == 0 && strlen(error) > strlen(elf_path) + 8,
			error);
	expect(access(map_path, F_OK) != 0, "a map of a damaged file");
	unlink(map_path);
}

static void expect_map_error(const void *bytes, size_t size, const uint8_t *id, uint32_t id_length,
		const char *what)
{
	char error[300] = "";
	file_write(map_path, bytes, size);
	expect(madtcode_check(map_path, id, id_length, error, sizeof error) > 0, what);
	expect(strncmp(error, map_path, strlen(map_path)) == 0, error);
	unlink(map_path);
}

/* ----------------------------------------------------------- the shared object, one field wrong */

static uint8_t *damaged_begin(void)
{
	uint8_t *copy = malloc(good_size);
	if (!copy)
		exit(1);
	memcpy(copy, good, good_size);
	return copy;
}

static void damaged_end(uint8_t *copy, const char *what)
{
	expect_build_error(copy, good_size, what);
	free(copy);
}

static void field_check(const char *what, size_t offset, uint64_t value, unsigned width)
{
	uint8_t *copy = damaged_begin();
	memcpy(copy + offset, &value, width);
	damaged_end(copy, what);
}

#define HEADER_CHECK(field, value) \
	field_check("Ehdr." #field, offsetof(Elf64_Ehdr, field), value, sizeof((Elf64_Ehdr *)0)->field)
#define SEGMENT_CHECK(at, field, value)                                    \
	field_check("Phdr." #field, (at) + offsetof(Elf64_Phdr, field), value, \
			sizeof((Elf64_Phdr *)0)->field)
#define SECTION_CHECK(at, field, value)                                    \
	field_check("Shdr." #field, (at) + offsetof(Elf64_Shdr, field), value, \
			sizeof((Elf64_Shdr *)0)->field)

static void header_checks(void)
{
	HEADER_CHECK(e_ident[EI_MAG1], 'e');
	HEADER_CHECK(e_ident[EI_CLASS], ELFCLASS32);
	HEADER_CHECK(e_ident[EI_DATA], ELFDATA2MSB);
	HEADER_CHECK(e_ident[EI_VERSION], 9);
	HEADER_CHECK(e_machine, EM_AARCH64);
	HEADER_CHECK(e_machine, EM_386);
	HEADER_CHECK(e_type, ET_REL);
	HEADER_CHECK(e_type, ET_CORE);
	HEADER_CHECK(e_phnum, 0);
	HEADER_CHECK(e_phnum, 60000);
	HEADER_CHECK(e_phentsize, 32);
	HEADER_CHECK(e_phoff, good_size - 8);
	HEADER_CHECK(e_phoff, UINT64_MAX - 8);
	HEADER_CHECK(e_shentsize, 40);
	HEADER_CHECK(e_shnum, 60000);
	HEADER_CHECK(e_shoff, good_size + 1);
	HEADER_CHECK(e_shoff, UINT64_MAX - 8);
	HEADER_CHECK(e_shstrndx, 60000);
}

/*
 * Returns where in the file the n-th program header of this type is; flags: that it has at least
 * these.
 */
static size_t segment_offset(uint32_t type, uint32_t flags)
{
	Elf64_Ehdr header;
	memcpy(&header, good, sizeof header);
	for (size_t i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;
		size_t at = header.e_phoff + i * sizeof segment;
		memcpy(&segment, good + at, sizeof segment);
		if (segment.p_type == type && (segment.p_flags & flags) == flags)
			return at;
	}
	fprintf(stderr, "check_damage: no segment of type %u\n", type);
	exit(1);
}

static size_t section_offset(const char *name)
{
	Elf64_Ehdr header;
	Elf64_Shdr names, section;
	memcpy(&header, good, sizeof header);
	memcpy(&names, good + header.e_shoff + header.e_shstrndx * sizeof names, sizeof names);
	for (size_t i = 0; i < header.e_shnum; i++) {
		size_t at = header.e_shoff + i * sizeof section;
		memcpy(&section, good + at, sizeof section);
		if (strcmp((const char *)good + names.sh_offset + section.sh_name, name) == 0)
			return at;
	}
	fprintf(stderr, "check_damage: no section %s\n", name);
	exit(1);
}

static void segment_checks(void)
{
	size_t code = segment_offset(PT_LOAD, PF_X);
	size_t note = segment_offset(PT_NOTE, 0);
	SEGMENT_CHECK(code, p_filesz, good_size + 1);
	SEGMENT_CHECK(code, p_filesz, UINT64_MAX);
	SEGMENT_CHECK(code, p_offset, good_size);
	SEGMENT_CHECK(code, p_offset, UINT64_MAX);
	SEGMENT_CHECK(code, p_vaddr, UINT64_C(1) << 32);
	SEGMENT_CHECK(code, p_vaddr, UINT64_MAX - 100);
	SEGMENT_CHECK(note, p_offset, good_size);
	SEGMENT_CHECK(note, p_filesz, UINT64_MAX);
}

static void section_checks(void)
{
	size_t unwind = section_offset(".eh_frame");
	size_t symbols = section_offset(".symtab");
	Elf64_Shdr section;
	memcpy(&section, good + unwind, sizeof section);
	SECTION_CHECK(unwind, sh_offset, good_size);
	SECTION_CHECK(unwind, sh_size, UINT64_MAX / 2);
	SECTION_CHECK(unwind, sh_size, 40);
	field_check(".eh_frame: length of the first CIE", section.sh_offset, 0x7fffffff, 4);
	field_check(".eh_frame: version of the first CIE", section.sh_offset + 8, 77, 1);
	field_check(".eh_frame: augmentation without end", section.sh_offset, 6, 4);
	SECTION_CHECK(symbols, sh_entsize, 0);
	SECTION_CHECK(symbols, sh_entsize, 23);
	SECTION_CHECK(symbols, sh_size, 25);
	SECTION_CHECK(symbols, sh_size, UINT64_MAX / 24 * 24);
	SECTION_CHECK(symbols, sh_offset, good_size);
	memcpy(&section, good + section_offset("second"), sizeof section);
	/* two sections in one place */
	SECTION_CHECK(section_offset(".text"), sh_addr, section.sh_addr);
}

static void cut_checks(void)
{
	static const size_t lengths[] = { 0, 1, 3, 4, 5, 16, 63, 64, 65, 119, 120, 1000, 4096, 8192 };
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
		expect_build_error(good, lengths[i], "cut");
	expect_build_error(good, good_size / 2, "cut in the middle");
	expect_build_error(good, good_size - 1, "cut by a byte");
	expect_build_error("#!/bin/sh\nexit 0\n", 17, "a script");
}

/* ----------------------------------------- the code map, one field wrong and the checksum right */

static void map_body_check(const uint8_t *map, size_t size, size_t offset, uint64_t value,
		unsigned width, const char *what)
{
	uint8_t *copy = malloc(size);
	if (!copy)
		exit(1);
	memcpy(copy, map, size);
	memcpy(copy + offset, &value, width);
	uint32_t sum = crc32c_add(0, copy + sizeof(struct madt_codemap),
			size - sizeof(struct madt_codemap));
	memcpy(copy + offsetof(struct madt_codemap, checksum), &sum, sizeof sum);
	expect_map_error(copy, size, NULL, 0, what);
	free(copy);
}

#define ENTRY_CHECK(field, value)                                                     \
	map_body_check(map, size, entry + offsetof(struct madt_code_entry, field), value, \
			sizeof((struct madt_code_entry *)0)->field, "entry." #field)
#define OPERAND_CHECK(field, value)                                                       \
	map_body_check(map, size, operand + offsetof(struct madt_code_operand, field), value, \
			sizeof((struct madt_code_operand *)0)->field, "operand." #field)

#define FUNCTION_CHECK(field, value)                                                        \
	map_body_check(map, size, function + offsetof(struct madt_code_function, field), value, \
			sizeof((struct madt_code_function *)0)->field, "function." #field)

static void map_body_checks(const uint8_t *map, size_t size)
{
	struct madt_codemap header;
	memcpy(&header, map, sizeof header);
	size_t entry = sizeof header + 3 * sizeof(struct madt_code_entry);
	size_t operand = sizeof header + header.entries * sizeof(struct madt_code_entry);
	size_t function = operand + header.operands * sizeof(struct madt_code_operand)
			+ sizeof(struct madt_code_function);
	ENTRY_CHECK(offset, 0xffffffff);
	ENTRY_CHECK(offset, 0);
	ENTRY_CHECK(length, 0);
	ENTRY_CHECK(length, 16);
	ENTRY_CHECK(flags, 64);
	ENTRY_CHECK(operands, 255);
	ENTRY_CHECK(operands, 0);
	ENTRY_CHECK(words, 77);
	ENTRY_CHECK(first_operand, header.operands);
	ENTRY_CHECK(first_operand, 0xffffffff);
	OPERAND_CHECK(access, 0);
	OPERAND_CHECK(access, 4);
	OPERAND_CHECK(shape, 6);
	OPERAND_CHECK(base, 17);
	OPERAND_CHECK(index, 16);
	OPERAND_CHECK(scale, 3);
	OPERAND_CHECK(segment, 3);
	OPERAND_CHECK(flags, 8);
	OPERAND_CHECK(mask, 8);
	OPERAND_CHECK(size, 0);
	OPERAND_CHECK(elements, 0);
	OPERAND_CHECK(elements, 65);
	FUNCTION_CHECK(start, 0);
	FUNCTION_CHECK(start, 0xffffffff);
	FUNCTION_CHECK(end, 0);
	FUNCTION_CHECK(kinds, 0);
	FUNCTION_CHECK(kinds, 2 * MADT_FUNCTION_OUTERMOST);
}

/* Header bytes that only count something: nothing else in the file tells whether they are right. */
static bool header_byte_is_free(size_t offset)
{
	return (offset >= offsetof(struct madt_codemap, text_bytes)
				   && offset < offsetof(struct madt_codemap, entries))
			|| (offset >= offsetof(struct madt_codemap, instructions)
					&& offset < offsetof(struct madt_codemap, checksum));
}

static void map_flip_checks(uint8_t *map, size_t size, const uint8_t *id, uint32_t id_length)
{
	for (size_t at = 0; at < size; at += at < sizeof(struct madt_codemap) ? 1 : 97) {
		if (at < sizeof(struct madt_codemap)
				&& (header_byte_is_free(at)
						|| (at >= offsetof(struct madt_codemap, build_id) + id_length
								&& at < offsetof(struct madt_codemap, reserved))))
			continue;
		map[at] ^= 0x10;
		expect_map_error(map, size, id, id_length, "flipped map");
		map[at] ^= 0x10;
	}
}

static void map_checks(const uint8_t *id, uint32_t id_length)
{
	char error[300];
	size_t size;
	uint8_t *map = (uint8_t *)map_file_make(good_path, map_path).header;
	free(map);
	map = file_bytes(map_path, &size);
	expect(madtcode_check(map_path, id, id_length, error, sizeof error) == 0, "the right build-id");
	uint8_t *again = (uint8_t *)map_file_make(good_path, map_path).header;
	expect(memcmp(map, again, size) == 0, "two maps of one file differ");
	free(again);
	static const size_t lengths[] = { 0, 1, 8, 127, 128, 144 };
	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
		expect_map_error(map, lengths[i], NULL, 0, "cut map");
	expect_map_error(map, size - 1, NULL, 0, "map cut by a byte");
	expect_map_error(good, good_size, NULL, 0, "an ELF file for a map");
	expect_map_error(map, size, (const uint8_t *)"another", 7, "another build-id");
	map_flip_checks(map, size, id, id_length);
	map_body_checks(map, size);
	free(map);
}

/* ---------------------------------------------------------------- at random */

/* Whatever comes of it: an error with a text, or a map that passes its check. */
static void random_check(uint8_t *copy, uint64_t *random, unsigned flips)
{
	char error[300] = "";
	for (unsigned i = 0; i < flips; i++) {
		*random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		copy[(*random >> 33) % good_size] = (uint8_t)(*random >> 24);
	}
	file_write(elf_path, copy, good_size);
	int code = madtcode_build(elf_path, map_path, error, sizeof error);
	expect(code == 0 ? madtcode_check(map_path, NULL, 0, error, sizeof error) == 0 : error[0] != 0,
			error);
	code = madtcode_plan(elf_path, map_path, flips % 2, flips % 3 == 0, error, sizeof error);
	expect(code == 0 ? madtcode_plan_check(map_path, NULL, 0, error, sizeof error) == 0
					 : error[0] != 0,
			error);
	unlink(map_path);
}

/* Headers are a small part of the file: every second damage goes there. */
static void random_checks(unsigned rounds)
{
	uint64_t random = 1999993;
	for (unsigned i = 0; i < rounds; i++) {
		uint8_t *copy = damaged_begin();
		Elf64_Ehdr *header = (void *)copy;
		if (i % 4 == 0)
			header->e_shoff = 0; /* the way by the program headers */
		if (i % 2 == 0)
			copy[sizeof *header + i * 7 % (header->e_phnum * sizeof(Elf64_Phdr))] ^=
					(uint8_t)(i * 13 + 1);
		random_check(copy, &random, 1 + i % 29);
		free(copy);
	}
}

static void checksum_checks(void)
{
	uint8_t bytes[1001];
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)(i * i >> 3);
	expect(crc32c_add(0, "123456789", 9) == 0xe3069283, "CRC32C (RFC 3720, B.4)");
	for (size_t size = 0; size < sizeof bytes; size += 37)
		expect(crc32c_add(5, bytes, size) == crc32c_add_portable(5, bytes, size),
				"the two CRC32C differ");
}

static void build_id_checks(const char *expected, uint8_t *id, uint32_t *length)
{
	char text[2 * MADTCODE_BUILD_ID_MAX + 1] = "";
	expect(madtcode_build_id(good_path, id, length) == 0 && *length == 20, "build-id");
	for (uint32_t i = 0; i < *length; i++)
		sprintf(text + 2 * i, "%02x", id[i]);
	expect(strcmp(text, expected) == 0, "build-id differs from readelf's");
	expect(madtcode_build_id("/nonexistent", id + 0, &(uint32_t){ 0 }) != 0, "build-id of no file");
}

static void place_checks(const char *folder)
{
	char error[300];
	unsigned files = 0;
	expect(madtcode_build(good_path, "/nonexistent/map", error, sizeof error) > 0,
			"a map in no folder");
	expect(strncmp(error, "/nonexistent/map: ", 18) == 0, error);
	expect(madtcode_build("/nonexistent", map_path, error, sizeof error) > 0, "a map of nothing");
	expect(madtcode_build(folder, map_path, error, sizeof error) > 0, "a map of a folder");
	expect(madtcode_build(folder, map_path, NULL, 0) > 0, "no room for a text");
	unlink(elf_path);
	DIR *opened = opendir(folder);
	while (opened && readdir(opened))
		files++;
	closedir(opened);
	expect(files == 2, "files left behind");
}

int main(int count, char **arguments)
{
	if (count != 4)
		return 2;
	snprintf(elf_path, sizeof elf_path, "%s/damaged.so", arguments[1]);
	snprintf(map_path, sizeof map_path, "%s/damaged.codemap", arguments[1]);
	snprintf(good_path, sizeof good_path, "%s", arguments[2]);
	good = file_bytes(good_path, &good_size);
	uint8_t id[MADTCODE_BUILD_ID_MAX];
	uint32_t id_length;
	checksum_checks();
	build_id_checks(arguments[3], id, &id_length);
	header_checks();
	segment_checks();
	section_checks();
	cut_checks();
	map_checks(id, id_length);
	plan_checks(id, id_length);
	random_checks(600);
	place_checks(arguments[1]);
	printf("check_damage: %u checks, %u failed\n", checks, failures);
	free(good);
	return failures != 0;
}
