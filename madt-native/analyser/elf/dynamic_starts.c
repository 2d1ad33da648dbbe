/*
 * Code that the loader and the kernel enter by address alone, so that no symbol and no branch need
 * lead there: the program's entry, constructors and finalisers (DT_INIT, DT_FINI and the three
 * arrays), and resolvers of indirect functions (R_X86_64_IRELATIVE). What an array holds is the
 * addend of a relative relocation, the array's own contents where the linker put it there (programs
 * at fixed addresses, packed relocations), or a symbol, which is a function's like any other.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "elf/functions.h"

#define ARRAYS 3

struct range {
	uint64_t start;
	uint64_t end;
};

struct starts {
	const struct elf_file *file;
	struct functions *functions;
	struct range arrays[ARRAYS];
	int code;
};

static void start_add(struct starts *starts, uint64_t address)
{
	if (address && address != UINT64_MAX
			&& !functions_add(starts->functions, address, 0, MADT_FUNCTION_START, 0))
		starts->code = failure_set(starts->file->failure, ENOMEM, "no memory for its functions");
}

/* The value of the first entry of this kind, or 0. */
static uint64_t entry_value(const Elf64_Dyn *entries, uint64_t count, Elf64_Sxword tag)
{
	for (uint64_t i = 0; i < count && entries[i].d_tag != DT_NULL; i++)
		if (entries[i].d_tag == tag)
			return entries[i].d_un.d_val;
	return 0;
}

/* The bytes at an address, to be freed, or NULL: damage shows fewer starts. */
static void *bytes_read(struct starts *starts, uint64_t address, uint64_t size)
{
	const Elf64_Phdr *segment = elf_file_segment_at(starts->file, address);
	if (!segment || size > segment->p_filesz - (address - segment->p_vaddr))
		return NULL;
	return elf_file_read(starts->file, segment->p_offset + (address - segment->p_vaddr), size,
			"constructors", &starts->code);
}

static void array_follow(struct starts *starts, const struct range *array)
{
	uint64_t count = (array->end - array->start) / sizeof(uint64_t);
	uint64_t *addresses = count ? bytes_read(starts, array->start, count * sizeof *addresses)
								: NULL;
	for (uint64_t i = 0; addresses && i < count && !starts->code; i++)
		start_add(starts, addresses[i]);
	free(addresses);
}

static bool in_array(const struct starts *starts, uint64_t address)
{
	for (unsigned i = 0; i < ARRAYS; i++)
		if (address >= starts->arrays[i].start && address < starts->arrays[i].end)
			return true;
	return false;
}

static void relocations_follow(struct starts *starts, uint64_t table, uint64_t size)
{
	uint64_t count = size / sizeof(Elf64_Rela);
	Elf64_Rela *relocations = count ? bytes_read(starts, table, count * sizeof *relocations) : NULL;
	for (uint64_t i = 0; relocations && i < count && !starts->code; i++) {
		uint64_t type = ELF64_R_TYPE(relocations[i].r_info);
		if (type == R_X86_64_IRELATIVE
				|| (type == R_X86_64_RELATIVE && in_array(starts, relocations[i].r_offset)))
			start_add(starts, (uint64_t)relocations[i].r_addend);
	}
	free(relocations);
}

static void section_follow(struct starts *starts, const Elf64_Dyn *entries, uint64_t count)
{
	const Elf64_Sxword tags[ARRAYS][2] = { { DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ },
		{ DT_INIT_ARRAY, DT_INIT_ARRAYSZ }, { DT_FINI_ARRAY, DT_FINI_ARRAYSZ } };
	start_add(starts, entry_value(entries, count, DT_INIT));
	start_add(starts, entry_value(entries, count, DT_FINI));
	for (unsigned i = 0; i < ARRAYS; i++) {
		uint64_t start = entry_value(entries, count, tags[i][0]);
		uint64_t size = entry_value(entries, count, tags[i][1]);
		if (start && size <= UINT32_MAX && start <= UINT64_MAX - size)
			starts->arrays[i] = (struct range){ start, start + size };
		array_follow(starts, &starts->arrays[i]);
	}
	relocations_follow(starts, entry_value(entries, count, DT_RELA),
			entry_value(entries, count, DT_RELASZ));
	relocations_follow(starts, entry_value(entries, count, DT_JMPREL),
			entry_value(entries, count, DT_PLTRELSZ));
}

int dynamic_starts_add(const struct elf_file *file, struct functions *functions)
{
	struct starts starts = { .file = file, .functions = functions };
	start_add(&starts, file->header.e_entry);
	for (uint32_t i = 0; i < file->segment_count && !starts.code; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		if (segment->p_type != PT_DYNAMIC)
			continue;
		Elf64_Dyn *entries = elf_file_read(file, segment->p_offset, segment->p_filesz,
				"dynamic section", &starts.code);
		if (entries)
			section_follow(&starts, entries, segment->p_filesz / sizeof *entries);
		free(entries);
	}
	return starts.code;
}
