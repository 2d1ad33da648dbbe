/*
 * Edits copies of libraries at random and asks whether that is noticed, by what the launcher asks
 * of a file and by what the target asks of mapped text: check_identity EDITS LIBRARY…
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf/text.h"
#include "madtcode.h"

#define EDIT_MAX 64u

/* A copy of a library that has no name. */
struct copy {
	int descriptor;
	char path[64];
	uint8_t *bytes; /* the file, mapped */
	size_t size;
	struct elf_file elf;
	const Elf64_Phdr *text;
	uint64_t identity, sum;
};

static uint64_t seed = 0x2545f4914f6cdd1d;

static uint64_t random_below(uint64_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % limit;
}

static void demand(bool holds, const char *what, const char *path)
{
	if (holds)
		return;
	fprintf(stderr, "check_identity: %s: %s\n", path, what);
	exit(1);
}

static uint64_t identity_of(const struct copy *copy)
{
	char error[256];
	uint64_t identity = 0;
	int code = madtcode_identity(copy->path, 0x123456789abcdef, 0xfedcba987654321, &identity, error,
			sizeof error);
	demand(code == 0, error, copy->path);
	return identity;
}

/* As the target sums it up. */
static uint64_t mapped_sum(const struct copy *copy)
{
	struct madt_sum sum = madt_sum_begin(MADT_SUM_TEXT_KEY);
	for (uint32_t i = 0; i < copy->elf.segment_count; i++) {
		const Elf64_Phdr *segment = &copy->elf.segments[i];
		if (segment->p_type != PT_LOAD || !segment->p_filesz
				|| !madt_segment_stays(segment->p_flags))
			continue;
		madt_sum_number(&sum, segment->p_filesz);
		madt_sum_add(&sum, copy->bytes + segment->p_offset, segment->p_filesz);
	}
	return madt_sum_end(&sum);
}

/* As the analyser does, from the file. */
static uint64_t file_sum(struct copy *copy)
{
	struct text text;
	demand(text_read(&text, &copy->elf) == 0, "its text cannot be read", copy->path);
	uint64_t sum = madt_sum_end(&text.sum);
	text_free(&text);
	return sum;
}

static void copy_make(struct copy *copy, const char *library, struct failure *failure)
{
	int from = open(library, O_RDONLY);
	off_t size = lseek(from, 0, SEEK_END);
	demand(from >= 0 && size > 0, "cannot be read", library);
	*copy = (struct copy){ .descriptor = memfd_create("library", 0), .size = (size_t)size };
	snprintf(copy->path, sizeof copy->path, "/proc/self/fd/%d", copy->descriptor);
	demand(ftruncate(copy->descriptor, size) == 0, "cannot be copied", library);
	copy->bytes = mmap(NULL, copy->size, PROT_READ | PROT_WRITE, MAP_SHARED, copy->descriptor, 0);
	demand(copy->bytes != MAP_FAILED && pread(from, copy->bytes, copy->size, 0) == size,
			"cannot be copied", library);
	close(from);
	demand(elf_file_open(&copy->elf, copy->path, failure) == 0, "is no ELF file", library);
	for (uint32_t i = 0; i < copy->elf.segment_count; i++)
		if (copy->elf.segments[i].p_type == PT_LOAD && copy->elf.segments[i].p_flags & PF_X)
			copy->text = &copy->elf.segments[i];
	demand(copy->text && copy->text->p_filesz > EDIT_MAX, "has no text", library);
	copy->identity = identity_of(copy);
	copy->sum = file_sum(copy);
	demand(copy->sum == mapped_sum(copy), "is another one where it is mapped", library);
}

/* One bit, one byte, several bytes, or two stretches that change places. */
static void bytes_edit(uint8_t *bytes, size_t size)
{
	uint64_t kind = random_below(4);
	if (kind == 0)
		bytes[0] ^= (uint8_t)(1 << random_below(8));
	else if (kind == 1)
		bytes[0] = (uint8_t)random_below(256);
	else if (kind == 2)
		for (size_t i = 0; i < size; i++)
			bytes[i] = (uint8_t)random_below(256);
	else
		for (size_t i = 0; i < size / 2; i++) {
			uint8_t byte = bytes[i];
			bytes[i] = bytes[size / 2 + i];
			bytes[size / 2 + i] = byte;
		}
}

/* False: the bytes are the same as before. */
static bool edit_try(struct copy *copy, const char *library)
{
	size_t size = 2 + random_below(EDIT_MAX - 1);
	uint8_t *at = copy->bytes + copy->text->p_offset + random_below(copy->text->p_filesz - size);
	uint8_t before[EDIT_MAX];
	memcpy(before, at, size);
	bytes_edit(at, size);
	bool other = memcmp(before, at, size) != 0;
	demand((identity_of(copy) != copy->identity) == other, "an edit of the file", library);
	demand((mapped_sum(copy) != copy->sum) == other, "an edit of mapped text", library);
	memcpy(at, before, size);
	return other;
}

int main(int count, char **words)
{
	unsigned long edits = strtoul(words[1], NULL, 10), made = 0;
	for (int i = 2; i < count; i++) {
		struct failure failure = { words[i], NULL, 0 };
		struct copy copy;
		copy_make(&copy, words[i], &failure);
		for (unsigned long k = 0; k < edits; k += edit_try(&copy, words[i]))
			;
		made += edits;
		demand(identity_of(&copy) == copy.identity, "is not what it was", words[i]);
		elf_file_close(&copy.elf);
		munmap(copy.bytes, copy.size);
		close(copy.descriptor);
	}
	printf("check_identity: %lu edits of %d libraries, all noticed\n", made, count - 2);
	return 0;
}
