/* libmadt.so as it is to be in the target: what the loader would make of the file. */
#include "inject.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096ul
#define PAGE_UP(n) (((n) + PAGE - 1) & ~(PAGE - 1))

/* Within the image; the addresses in the file are distances from its begin. */
static const Elf64_Dyn *dynamic;
static const Elf64_Sym *symbols;
static const char *names;
static size_t symbol_count;

static bool segments_copy(struct image *image, const char *file, size_t size)
{
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
	const Elf64_Phdr *segment = (const Elf64_Phdr *)(file + header->e_phoff);

	if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0
			|| header->e_phoff + header->e_phnum * sizeof *segment > size)
		return false;
	for (size_t i = 0; i < header->e_phnum; i++)
		if (segment[i].p_type == PT_LOAD)
			image->size = PAGE_UP(segment[i].p_vaddr + segment[i].p_memsz);
	image->bytes = calloc(1, image->size);
	if (!image->bytes)
		return false;
	for (size_t i = 0; i < header->e_phnum; i++) {
		const Elf64_Phdr *load = &segment[i];

		if (load->p_type == PT_DYNAMIC)
			dynamic = (const Elf64_Dyn *)(image->bytes + load->p_vaddr);
		if (load->p_type != PT_LOAD)
			continue;
		if (load->p_offset + load->p_filesz > size || image->segment_count == 8)
			return false;
		memcpy(image->bytes + load->p_vaddr, file + load->p_offset, load->p_filesz);
		image->filled = PAGE_UP(load->p_vaddr + load->p_filesz);
		image->segments[image->segment_count++] = (struct segment){
			.from = load->p_vaddr & ~(PAGE - 1),
			.to = PAGE_UP(load->p_vaddr + load->p_memsz),
			.protection = (load->p_flags & PF_R ? PROT_READ : 0)
					| (load->p_flags & PF_W ? PROT_WRITE : 0)
					| (load->p_flags & PF_X ? PROT_EXEC : 0),
		};
	}
	return dynamic;
}

static uint64_t dynamic_value(int64_t tag)
{
	for (const Elf64_Dyn *entry = dynamic; entry->d_tag != DT_NULL; entry++)
		if (entry->d_tag == tag)
			return entry->d_un.d_val;
	return 0;
}

static uintptr_t symbol_find(const char *name)
{
	for (size_t i = 0; i < symbol_count; i++)
		if (symbols[i].st_shndx != SHN_UNDEF && strcmp(names + symbols[i].st_name, name) == 0)
			return symbols[i].st_value;
	return 0;
}

/* DT_SYMTAB has no size: the table of names lies behind it, as binutils lays them. */
static void symbols_find(struct image *image)
{
	symbols = (const Elf64_Sym *)(image->bytes + dynamic_value(DT_SYMTAB));
	names = image->bytes + dynamic_value(DT_STRTAB);
	symbol_count = (size_t)(names - (const char *)symbols) / sizeof *symbols;
}

bool image_read(struct image *image, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat stat;
	char *file = MAP_FAILED;
	bool read = false;

	*image = (struct image){ .file = path };
	if (fd >= 0 && fstat(fd, &stat) == 0)
		file = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (file != MAP_FAILED) {
		read = segments_copy(image, file, (size_t)stat.st_size);
		munmap(file, (size_t)stat.st_size);
	}
	if (!read)
		return refuse("%s cannot be read", path);
	symbols_find(image);
	image->attach_ready = symbol_find("madt_attach_ready");
	image->attach = symbol_find("madt_attach");
	image->attach_thread = symbol_find("madt_attach_thread");
	image->attach_end = symbol_find("madt_attach_end");
	image->attach_leave = symbol_find("madt_attach_leave");
	image->attach_ended = symbol_find("madt_attach_ended");
	image->attach_stacks = symbol_find("madt_attach_stacks");
	image->attach_rest = symbol_find("madt_attach_rest");
	image->attach_unmap = symbol_find("madt_attach_unmap");
	image->attach_call = symbol_find("madt_attach_call");
	return image->attach_ready && image->attach && image->attach_rest && image->attach_thread
					&& image->attach_leave && image->attach_end && image->attach_ended
					&& image->attach_call && image->attach_stacks && image->attach_unmap
			? true
			: refuse("%s is of another version", path);
}

/* A function of the library's own, or what it has in place of the C library's. */
static uintptr_t import_find(const Elf64_Sym *symbol)
{
	char name[128];

	if (symbol->st_shndx != SHN_UNDEF)
		return symbol->st_value;
	snprintf(name, sizeof name, "madt_alone_%s", names + symbol->st_name);
	return symbol_find(name);
}

static bool relocate(struct image *image, uintptr_t base, uint64_t table, uint64_t size)
{
	const Elf64_Rela *rela = (const Elf64_Rela *)(image->bytes + table);

	for (size_t i = 0; i < size / sizeof *rela; i++) {
		uint64_t *place = (uint64_t *)(image->bytes + rela[i].r_offset);
		uintptr_t import;

		switch (ELF64_R_TYPE(rela[i].r_info)) {
		case R_X86_64_RELATIVE:
			*place = base + (uint64_t)rela[i].r_addend;
			break;
		case R_X86_64_JUMP_SLOT:
		case R_X86_64_GLOB_DAT:
			import = import_find(&symbols[ELF64_R_SYM(rela[i].r_info)]);
			if (!import)
				return refuse("%s: nothing stands for %s", image->file,
						names + symbols[ELF64_R_SYM(rela[i].r_info)].st_name);
			*place = base + import;
			break;
		default:
			return refuse("%s: unknown relocation", image->file);
		}
	}
	return true;
}

bool image_relocate(struct image *image, uintptr_t base)
{
	return relocate(image, base, dynamic_value(DT_RELA), dynamic_value(DT_RELASZ))
			&& relocate(image, base, dynamic_value(DT_JMPREL), dynamic_value(DT_PLTRELSZ));
}
