#include "elf/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool bytes_read(int descriptor, uint8_t *to, uint64_t size, uint64_t offset)
{
	while (size) {
		ssize_t got = pread(descriptor, to, size < 1 << 30 ? size : 1 << 30, (off_t)offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		offset += (uint64_t)got;
		size -= (uint64_t)got;
	}
	return true;
}

static int extent_check(const struct elf_file *file, uint64_t offset, uint64_t size,
		const char *what)
{
	if (offset <= file->size && size <= file->size - offset)
		return 0;
	return failure_set(file->failure, EINVAL,
			"damaged: the %s (%" PRIu64 " bytes from byte %" PRIu64
			") reach beyond the end of the file at byte %" PRIu64,
			what, size, offset, file->size);
}

int elf_file_read_into(const struct elf_file *file, void *bytes, uint64_t offset, uint64_t size,
		const char *what)
{
	int code = extent_check(file, offset, size, what);
	errno = 0;
	if (code || bytes_read(file->descriptor, bytes, size, offset))
		return code;
	return failure_set(file->failure, errno ? errno : EIO,
			"cannot read the %s at byte %" PRIu64 ": %s", what, offset,
			errno ? strerror(errno) : "the file shrank");
}

void *elf_file_read(const struct elf_file *file, uint64_t offset, uint64_t size, const char *what,
		int *code)
{
	*code = extent_check(file, offset, size, what);
	if (*code)
		return NULL;
	uint8_t *bytes = malloc(size + 1);
	if (!bytes) {
		*code = failure_set(file->failure, ENOMEM, "no memory for %" PRIu64 " bytes of %s", size,
				what);
		return NULL;
	}
	*code = elf_file_read_into(file, bytes, offset, size, what);
	if (*code) {
		free(bytes);
		return NULL;
	}
	bytes[size] = 0;
	return bytes;
}

static int header_check(const struct elf_file *file)
{
	const Elf64_Ehdr *header = &file->header;
	if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
		return failure_set(file->failure, ENOEXEC, "not an ELF file (byte 0)");
	if (header->e_ident[EI_CLASS] != ELFCLASS64)
		return failure_set(file->failure, ENOEXEC, "not a 64-bit ELF file (class %u at byte 4)",
				header->e_ident[EI_CLASS]);
	if (header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_machine != EM_X86_64)
		return failure_set(file->failure, ENOEXEC, "not x86-64 code (machine %u at byte 18)",
				header->e_machine);
	if (header->e_ident[EI_VERSION] != EV_CURRENT)
		return failure_set(file->failure, ENOEXEC, "ELF version %u at byte 6, not 1",
				header->e_ident[EI_VERSION]);
	if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
		return failure_set(file->failure, ENOEXEC,
				"neither a program nor a shared library (type %u at byte 16)", header->e_type);
	return 0;
}

static int header_read(struct elf_file *file)
{
	int code = 0;
	uint64_t size = file->size < sizeof file->header ? file->size : sizeof file->header;
	void *bytes = elf_file_read(file, 0, size, "ELF header", &code);
	if (!bytes)
		return code;
	memcpy(&file->header, bytes, size);
	free(bytes);
	if (size < sizeof file->header && size >= SELFMAG
			&& memcmp(file->header.e_ident, ELFMAG, SELFMAG) == 0)
		return failure_set(file->failure, EINVAL,
				"damaged: %" PRIu64 " bytes hold no ELF header (%zu bytes)", size,
				sizeof file->header);
	return header_check(file);
}

static int sections_read(struct elf_file *file)
{
	const Elf64_Ehdr *header = &file->header;
	if (!header->e_shoff)
		return 0;
	if (header->e_shentsize != sizeof(Elf64_Shdr))
		return failure_set(file->failure, EINVAL,
				"damaged: section headers of %u bytes (byte 58), not %zu", header->e_shentsize,
				sizeof(Elf64_Shdr));
	int code = 0;
	uint64_t count = header->e_shnum;
	if (!count) { /* 65,280 sections or more: the number is in the first one */
		Elf64_Shdr *first = elf_file_read(file, header->e_shoff, sizeof *first,
				"first section header", &code);
		if (!first)
			return code;
		count = first->sh_size;
		free(first);
	}
	if (count > file->size / sizeof(Elf64_Shdr))
		return failure_set(file->failure, EINVAL,
				"damaged: %" PRIu64 " section headers at byte %" PRIu64 " in a file of %" PRIu64
				" bytes",
				count, header->e_shoff, file->size);
	file->sections = elf_file_read(file, header->e_shoff, count * sizeof(Elf64_Shdr),
			"section headers", &code);
	file->section_count = (uint32_t)count;
	return code;
}

static int names_read(struct elf_file *file)
{
	uint32_t index = file->header.e_shstrndx;
	if (!file->section_count || index == SHN_UNDEF)
		return 0;
	if (index == SHN_XINDEX)
		index = file->sections[0].sh_link;
	if (index >= file->section_count)
		return failure_set(file->failure, EINVAL,
				"damaged: section names in section %u of %u (byte 62)", index, file->section_count);
	int code = 0;
	file->names_size = file->sections[index].sh_size;
	file->names = elf_file_read(file, file->sections[index].sh_offset, file->names_size,
			"section names", &code);
	return code;
}

static int segments_read(struct elf_file *file)
{
	const Elf64_Ehdr *header = &file->header;
	uint32_t count = header->e_phnum;
	if (count == PN_XNUM && file->section_count)
		count = file->sections[0].sh_info;
	if (!count)
		return failure_set(file->failure, EINVAL,
				"no program headers (byte 56): nothing of it can be loaded");
	if (header->e_phentsize != sizeof(Elf64_Phdr))
		return failure_set(file->failure, EINVAL,
				"damaged: program headers of %u bytes (byte 54), not %zu", header->e_phentsize,
				sizeof(Elf64_Phdr));
	int code = 0;
	file->segments = elf_file_read(file, header->e_phoff, (uint64_t)count * sizeof(Elf64_Phdr),
			"program headers", &code);
	file->segment_count = count;
	return code;
}

static int file_open(struct elf_file *file, const char *path)
{
	file->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file->descriptor < 0)
		return failure_set(file->failure, errno, "cannot open: %s", strerror(errno));
	struct stat status;
	if (fstat(file->descriptor, &status) != 0)
		return failure_set(file->failure, errno, "cannot read: %s", strerror(errno));
	if (!S_ISREG(status.st_mode))
		return failure_set(file->failure, EINVAL, "not a regular file");
	file->size = (uint64_t)status.st_size;
	return 0;
}

int elf_file_open(struct elf_file *file, const char *path, struct failure *failure)
{
	*file = (struct elf_file){ .descriptor = -1, .failure = failure };
	failure->path = path;
	int code = file_open(file, path);
	if (!code)
		code = header_read(file);
	if (!code)
		code = sections_read(file);
	if (!code)
		code = names_read(file);
	if (!code)
		code = segments_read(file);
	return code;
}

void elf_file_close(struct elf_file *file)
{
	if (file->descriptor >= 0)
		close(file->descriptor);
	free(file->segments);
	free(file->sections);
	free(file->names);
}

const char *elf_file_section_name(const struct elf_file *file, const Elf64_Shdr *section)
{
	return file->names && section->sh_name < file->names_size ? file->names + section->sh_name : "";
}

const Elf64_Phdr *elf_file_segment_at(const struct elf_file *file, uint64_t address)
{
	for (uint32_t i = 0; i < file->segment_count; i++) {
		const Elf64_Phdr *segment = &file->segments[i];
		if (segment->p_type == PT_LOAD && address >= segment->p_vaddr
				&& address - segment->p_vaddr < segment->p_filesz)
			return segment;
	}
	return NULL;
}
