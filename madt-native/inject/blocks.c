/*
 * The blocks that the C library's allocator has given out before: its heaps are gone through, chunk
 * by chunk (glibc, malloc/malloc.c).
 *
 *   chunk  | size of the one before | size, bit 0: the one before is in use | block …
 *
 * Blocks that were freed and are kept for their thread look as if they were in use: there are at most
 * as many as are told. A heap that does not consist of chunks to its end, another allocator's, tells
 * nothing.
 */
#define _GNU_SOURCE
#include "inject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER 16ul
#define LEAST 32ul /* bytes of a chunk */
#define FLAGS 7ul  /* in the size of a chunk */
#define BEFORE_IN_USE 1ul
#define MAPPED 2ul
#define PAGE 4096ul
#define PAGES_MOST 1024         /* of a mapping, where no such chunk begins */
#define HEAP_BYTES (64ul << 20) /* of an arena, and where it begins */
#define BEGINS 4096ul           /* the first chunk of an arena's heap lies no later */
#define MOST (256ul << 20) /* bytes of heaps that are gone through while the process stands still */

struct heap {
	const char *bytes; /* a copy of it */
	uintptr_t start;
	size_t size;
};

struct block {
	uint64_t start, size;
};

static uint64_t word(const struct heap *heap, size_t at)
{
	uint64_t value;

	memcpy(&value, heap->bytes + at, sizeof value);
	return value;
}

/*
 * Goes through the chunks from there on, and writes blocks if a file is given. The last chunk is no
 * block. False: these are none.
 */
static bool chunks_walk(const struct heap *heap, size_t at, FILE *to)
{
	size_t count = 0;

	while (at + HEADER <= heap->size) {
		uint64_t size = word(heap, at + 8) & ~FLAGS;
		size_t next = at + size;

		if (size < LEAST || size % HEADER || next > heap->size)
			return false;
		if (next == heap->size)
			return count > 0;
		if (next + HEADER > heap->size)
			return false;
		if (to && word(heap, next + 8) & BEFORE_IN_USE) {
			const struct block block = { heap->start + at + HEADER, size - 8 };

			fwrite(&block, sizeof block, 1, to);
		}
		count++;
		at = next;
	}
	return false;
}

static void heap_tell(const struct heap *heap, FILE *to)
{
	for (size_t at = 0; at < BEGINS && at + LEAST < heap->size; at += HEADER)
		if (chunks_walk(heap, at, NULL)) {
			chunks_walk(heap, at, to);
			return;
		}
}

/* A chunk with a mapping of its own: its size, or 0. */
static uint64_t mapped_at(pid_t pid, uintptr_t at, uintptr_t end)
{
	uint64_t head[2], size;

	if (!memory_read(pid, at, head, sizeof head))
		return 0;
	size = head[1] & ~FLAGS;
	return !head[0] && (head[1] & FLAGS) == MAPPED && size >= PAGE && size % PAGE == 0
					&& size <= end - at
			? size
			: 0;
}

/* Chunks that have mappings of their own lie side by side, and beside other memory. */
static void mapped_tell(pid_t pid, uintptr_t start, uintptr_t end, FILE *to)
{
	size_t looked = 0;

	for (uintptr_t at = start; at < end && looked < PAGES_MOST;) {
		uint64_t size = mapped_at(pid, at, end);
		const struct block block = { at + HEADER, size - HEADER };

		if (size)
			fwrite(&block, sizeof block, 1, to);
		else
			looked++;
		at += size ? size : PAGE;
	}
}

static void region_tell(pid_t pid, uintptr_t start, uintptr_t end, FILE *to)
{
	struct heap heap = { .start = start, .size = end - start };
	char *copy = malloc(heap.size);

	heap.bytes = copy;
	if (copy && memory_read(pid, start, copy, heap.size))
		heap_tell(&heap, to);
	free(copy);
}

void blocks_tell(pid_t pid, const char *path)
{
	char line[512], rights[8];
	uintptr_t start, end;
	size_t looked = 0;
	FILE *maps = process_file(pid, "maps"), *to = fopen(path, "w");

	while (maps && to && fgets(line, sizeof line, maps)) {
		bool heap = strstr(line, "[heap]"), named = strchr(line, '/') || strchr(line, '[');

		if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) != 3 || strcmp(rights, "rw-p") != 0
				|| (named && !heap))
			continue;
		if (!heap && (start % HEAP_BYTES || end - start > HEAP_BYTES)) {
			mapped_tell(pid, start, end, to);
			continue;
		}
		looked += end - start;
		if (looked <= MOST)
			region_tell(pid, start, end, to);
	}
	if (maps)
		fclose(maps);
	if (to)
		fclose(to);
}
