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
#include <unistd.h>

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

struct looking {
	pid_t pid;
	int pagemap; /* or a negative number: it cannot be opened */
	struct pages pages;
	struct memory {
		char *bytes;
		size_t size;
	} copy; /* room for a heap, which all of them use */
	struct block *block;
	size_t count, room;
};

static void block_note(struct looking *looking, uintptr_t start, size_t size)
{
	if (looking->count == looking->room) {
		looking->room = looking->room ? 2 * looking->room : 4096;
		looking->block = realloc(looking->block, looking->room * sizeof *looking->block);
		if (!looking->block)
			abort();
	}
	looking->block[looking->count++] = (struct block){ start, size };
}

static uint64_t word(const struct heap *heap, size_t at)
{
	uint64_t value;

	memcpy(&value, heap->bytes + at, sizeof value);
	return value;
}

/*
 * Goes through the chunks from there on, and notes their blocks; the last chunk is no block. False:
 * these are no chunks.
 */
static bool chunks_walk(struct looking *looking, const struct heap *heap, size_t at)
{
	size_t count = 0;

	while (at + HEADER <= heap->size) {
		uint64_t head = word(heap, at + 8), size = head & ~FLAGS;
		size_t next = at + size;

		if (head & MAPPED || size < LEAST || size % HEADER || next > heap->size)
			return false;
		if (next == heap->size)
			return count > 0;
		if (next + HEADER > heap->size)
			return false;
		if (word(heap, next + 8) & BEFORE_IN_USE)
			block_note(looking, heap->start + at + HEADER, size - 8);
		count++;
		at = next;
	}
	return false;
}

/* False: it is no heap. */
static bool heap_tell(struct looking *looking, const struct heap *heap)
{
	const size_t before = looking->count;

	for (size_t at = 0; at < BEGINS && at + LEAST < heap->size; at += HEADER) {
		if (chunks_walk(looking, heap, at))
			return true;
		looking->count = before;
	}
	return false;
}

/* ---------------------------------------------------------------- chunks with their own mapping */

/* Its size, or 0 where there is none. */
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

/*
 * They lie side by side, and beside other memory. Each begins with a page that has been written:
 * there are few such pages in the stacks of threads, which would be read to their ends otherwise.
 */
static void mapped_tell(struct looking *looking, uintptr_t start, uintptr_t end)
{
	struct pages *pages = &looking->pages;
	size_t looked = 0;

	for (uintptr_t at = start; at < end && looked < PAGES_MOST;) {
		uint64_t size;

		at = pages_next(pages, looking->pagemap, at / PAGE, end / PAGE) * PAGE;
		size = at < end ? mapped_at(looking->pid, at, end) : 0;
		if (size)
			block_note(looking, at + HEADER, size - HEADER);
		else
			looked++;
		at += size ? size : PAGE;
	}
}

/* ---------------------------------------------------------------- heaps of many chunks */

static bool copy_make(struct memory *copy, size_t size)
{
	if (copy->size >= size)
		return true;
	free(copy->bytes);
	copy->bytes = malloc(size);
	copy->size = copy->bytes ? size : 0;
	return copy->bytes;
}

/* Pages that were never written hold zeroes, and stay as they are. */
static bool heap_copy(struct looking *looking, uintptr_t start, uintptr_t end)
{
	struct pages pages = { 0 };
	bool read = true;

	for (uintptr_t at = start, next; read && at < end; at = next) {
		bool own = pages_own(&pages, looking->pagemap, at / PAGE, end / PAGE);
		char *to = looking->copy.bytes + (at - start);

		for (next = at + PAGE;
				next < end && pages_own(&pages, looking->pagemap, next / PAGE, end / PAGE) == own;)
			next += PAGE;
		if (own)
			read = memory_read(looking->pid, at, to, next - at);
		else
			memset(to, 0, next - at);
	}
	return read;
}

/* False: it is no heap, or cannot be read. */
static bool region_tell(struct looking *looking, uintptr_t start, uintptr_t end)
{
	return copy_make(&looking->copy, end - start) && heap_copy(looking, start, end)
			&& heap_tell(looking, &(struct heap){ looking->copy.bytes, start, end - start });
}

static void regions_tell(struct looking *looking, FILE *maps)
{
	char line[512], rights[8];
	uintptr_t start, end;
	size_t looked = 0;

	while (fgets(line, sizeof line, maps)) {
		bool heap = strstr(line, "[heap]"), named = strchr(line, '/') || strchr(line, '[');

		if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) != 3 || strcmp(rights, "rw-p") != 0
				|| (named && !heap))
			continue;
		if (!heap && (start % HEAP_BYTES || end - start > HEAP_BYTES)) {
			mapped_tell(looking, start, end);
			continue;
		}
		looked += end - start;
		if (looked <= MOST && !region_tell(looking, start, end) && !heap)
			mapped_tell(looking, start, end); /* it begins there by chance */
	}
}

void blocks_tell(pid_t pid, const char *maps_path, const char *path)
{
	struct looking looking = { .pid = pid, .pagemap = pagemap_open(pid) };
	FILE *maps = fopen(maps_path, "r"), *to = fopen(path, "w");

	if (maps && to) {
		regions_tell(&looking, maps);
		fwrite(looking.block, sizeof *looking.block, looking.count, to);
	}
	if (maps)
		fclose(maps);
	if (to)
		fclose(to);
	if (looking.pagemap >= 0)
		close(looking.pagemap);
	free(looking.copy.bytes);
	free(looking.block);
}
