#include "elf/build_id.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*
 * A note (ELF gABI, "Note Section"): namesz, descsz, type, then the name and the descriptor, each
 * padded to the segment's alignment (4, or 8 for .note.gnu.property).
 */
static bool note_find(const uint8_t *notes, uint64_t size, uint64_t alignment, struct build_id *id)
{
	uint64_t at = 0;
	while (size - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr note;
		memcpy(&note, notes + at, sizeof note);
		uint64_t name = at + sizeof note;
		uint64_t description = (name + note.n_namesz + alignment - 1) & ~(alignment - 1);
		uint64_t next = (description + note.n_descsz + alignment - 1) & ~(alignment - 1);
		if (description > size || note.n_descsz > size - description)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4
				&& memcmp(notes + name, "GNU", 4) == 0) {
			id->length = note.n_descsz < sizeof id->bytes ? note.n_descsz : sizeof id->bytes;
			memcpy(id->bytes, notes + description, id->length);
			return id->length > 0;
		}
		if (next > size)
			return false;
		at = next;
	}
	return false;
}

static int notes_search(const struct elf_file *file, uint64_t offset, uint64_t size,
		uint64_t alignment, struct build_id *id, bool *found)
{
	int code = 0;
	uint8_t *notes = elf_file_read(file, offset, size, "notes", &code);
	if (!notes)
		return code;
	*found = note_find(notes, size, alignment == 8 ? 8 : 4, id);
	free(notes);
	return 0;
}

int build_id_read(const struct elf_file *file, struct build_id *id)
{
	*id = (struct build_id){ .length = 0 };
	int code = 0;
	bool found = false;
	for (uint32_t i = 0; i < file->segment_count && !code && !found; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		if (segment->p_type == PT_NOTE)
			code = notes_search(file, segment->p_offset, segment->p_filesz, segment->p_align, id,
					&found);
	}
	for (uint32_t i = 0; i < file->section_count && !code && !found; i++) {
		const Elf64_Shdr *section = &file->sections[i];
		if (section->sh_type == SHT_NOTE)
			code = notes_search(file, section->sh_offset, section->sh_size, section->sh_addralign,
					id, &found);
	}
	return code;
}
