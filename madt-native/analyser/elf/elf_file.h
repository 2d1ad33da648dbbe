/*
 * An ELF64 x86-64 program or shared library, opened for reading. Nothing is mapped: a file that
 * shrinks while it is read is an error, never a SIGBUS in the JVM. Every offset and size is checked
 * against the file before it is used.
 */
#ifndef MADT_ELF_FILE_H
#define MADT_ELF_FILE_H

#include <elf.h>
#include <stdint.h>

#include "base/failure.h"

struct elf_file {
	int descriptor;
	uint64_t size;
	Elf64_Ehdr header;
	Elf64_Phdr *segments;
	uint32_t segment_count;
	Elf64_Shdr *sections; /* none in a file whose section headers are stripped */
	uint32_t section_count;
	char *names; /* the section names, and a NUL behind them */
	uint64_t names_size;
	struct failure *failure;
};

/* 0, or an errno value with the text in `failure`. Close in either case. */
int elf_file_open(struct elf_file *file, const char *path, struct failure *failure);
void elf_file_close(struct elf_file *file);

/*
 * `size` bytes from `offset` and a NUL behind them, to be freed, or NULL with *code set; `what` is
 * for the text.
 */
void *elf_file_read(const struct elf_file *file, uint64_t offset, uint64_t size, const char *what,
		int *code);

/* The same into memory that has the room. 0, or an errno value. */
int elf_file_read_into(const struct elf_file *file, void *bytes, uint64_t offset, uint64_t size,
		const char *what);

/* The section's name, "" if it has none. */
const char *elf_file_section_name(const struct elf_file *file, const Elf64_Shdr *section);

/* The loaded segment that holds the file byte of a virtual address, or NULL. */
const Elf64_Phdr *elf_file_segment_at(const struct elf_file *file, uint64_t address);

#endif
