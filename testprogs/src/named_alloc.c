/*
 * Allocators of its own, which write down what they do: lists of free blocks, cut from slabs of
 * malloc's, with big blocks passed on to malloc; and arenas that end as a whole. Each thread runs
 * its own steps (THREADS STEPS). What is printed is for each thread, in its order:
 *
 *   THREAD alloc|free|move ADDRESS SIZE [OLD]
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MOST 3001
#define LIVE 101
#define SLAB 8192
#define CLASSES 16
#define GRAIN 16
#define ARENAS 7
#define THREADS_MAX 16
#define OUT __attribute__((noinline, noclone))

struct entry {
	const char *what;
	void *at;
	size_t size;
	void *old;
};

static int steps = STEPS_MOST;
static __thread struct entry *entries;
static __thread size_t entry_count;
static __thread int quiet;

static void note(const char *what, void *at, size_t size, void *old)
{
	if (!quiet)
		entries[entry_count++] = (struct entry){ what, at, size, old };
}

/* ---------------------------------------------------------------- lists of free blocks */

struct chunk {
	struct chunk *next;
};
static __thread struct chunk *lists[CLASSES];
static __thread char *slab, *slab_end;

static void *cut(size_t size)
{
	void *p;

	if (size > (size_t)(slab_end - slab)) {
		slab = malloc(SLAB);
		slab_end = slab + SLAB;
	}
	p = slab;
	slab += size;
	return p;
}

OUT void *list_alloc(int unused, size_t size)
{
	size_t class = (size + 2 * GRAIN - 1) / GRAIN; /* a header in front */
	size_t *head;

	(void)unused;
	if (size == 12345)
		return NULL;
	if (class >= CLASSES) {
		head = malloc(size + GRAIN);
	} else if (lists[class]) {
		head = (size_t *)lists[class];
		lists[class] = lists[class]->next;
	} else {
		head = cut(class * GRAIN);
	}
	*head = class;
	note("alloc", (char *)head + GRAIN, size, NULL);
	return (char *)head + GRAIN;
}

OUT void list_free(void *p)
{
	size_t *head = (size_t *)((char *)p - GRAIN);
	size_t class;

	if (!p)
		return;
	class = *head;
	note("free", p, 0, NULL);
	if (class >= CLASSES) {
		free(head);
		return;
	}
	((struct chunk *)head)->next = lists[class];
	lists[class] = (struct chunk *)head;
}

OUT void *list_realloc(void *p, int unused, size_t size)
{
	void *q;

	quiet++;
	q = list_alloc(unused, size);
	if (p && q) {
		size_t had = *(size_t *)((char *)p - GRAIN) * GRAIN - GRAIN;

		memcpy(q, p, size < had ? size : had);
		list_free(p);
	}
	quiet--;
	if (!q)
		return NULL;
	if (p)
		note("move", q, size, p);
	else
		note("alloc", q, size, NULL);
	return q;
}

/* Blocks of one size, which no argument says. */
#define NODE 2072

OUT void *node_new(void)
{
	void *p;

	quiet++;
	p = list_alloc(0, NODE);
	quiet--;
	note("alloc", p, NODE, NULL);
	return p;
}

/* What it gives is malloc's: one block, and not two. */
OUT void *plain_alloc(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (p)
		note("alloc", p, n * size, NULL);
	return p;
}

OUT void plain_free(void *p)
{
	if (p)
		note("free", p, 0, NULL);
	free(p);
}

/* ---------------------------------------------------------------- arenas */

struct arena {
	char *begin, *next, *end;
	void *held[SLAB / GRAIN];
	size_t count;
};

OUT void *arena_alloc(struct arena *arena, size_t size)
{
	char *p = arena->next;

	if (size > (size_t)(arena->end - p))
		return NULL;
	arena->next += (size + GRAIN - 1) / GRAIN * GRAIN;
	arena->held[arena->count++] = p;
	note("alloc", p, size, NULL);
	return p;
}

static int by_address(const void *a, const void *b)
{
	const uintptr_t left = *(const uintptr_t *)a, right = *(const uintptr_t *)b;

	return (left > right) - (left < right);
}

OUT void arena_end(struct arena *arena)
{
	qsort(arena->held, arena->count, sizeof *arena->held, by_address);
	for (size_t i = 0; i < arena->count; i++)
		note("free", arena->held[i], 0, NULL);
	arena->count = 0;
	arena->next = arena->begin;
}

/* ---------------------------------------------------------------- */

static unsigned next_number(unsigned *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 8;
}

static void step(void **live, struct arena *arenas, unsigned *seed)
{
	unsigned what = next_number(seed) % 16, i = next_number(seed) % LIVE;
	size_t size = 1 + next_number(seed) % 400;
	struct arena *arena = &arenas[i % ARENAS];
	char *p;

	if (what < 6) {
		list_free(live[i]);
		live[i] = list_alloc(0, size);
		memset(live[i], 1, size);
	} else if (what < 8) {
		live[i] = p = list_realloc(live[i], 0, size);
		*p = 2;
	} else if (what == 8) {
		list_realloc(live[i], 0, 12345);
		list_alloc(0, 12345);
	} else if (what < 14) {
		if ((p = arena_alloc(arena, size)))
			p[size - 1] = 3;
		else
			arena_end(arena);
	} else {
		p = plain_alloc(1 + size % 5, size);
		*p = 4;
		plain_free(p);
		p = node_new();
		p[NODE - 1] = 5;
		list_free(p);
	}
}

static void *work(void *number)
{
	unsigned seed = 7u + (unsigned)(uintptr_t)number;
	void *live[LIVE] = { NULL };
	struct arena *arenas = calloc(ARENAS, sizeof *arenas);

	entries = malloc(8 * STEPS_MOST * sizeof *entries);
	for (int i = 0; i < ARENAS; i++) {
		arenas[i].begin = arenas[i].next = malloc(SLAB);
		arenas[i].end = arenas[i].begin + SLAB;
	}
	for (int i = 0; i < steps; i++)
		step(live, arenas, &seed);
	for (int i = 0; i < LIVE; i++)
		list_free(live[i]);
	for (int i = 0; i < ARENAS; i++)
		arena_end(&arenas[i]);
	return memcpy(malloc(sizeof(void *[2])), (void *[2]){ entries, (void *)entry_count },
			sizeof(void *[2]));
}

/* Functions of one byte each, behind which there is no room. */
__asm__(".text\n"
		".type tiny_free, @function\n"
		".type tiny_next, @function\n"
		"tiny_free:\n\t.cfi_startproc\n\tret\n\t.cfi_endproc\n\t.size tiny_free, 1\n"
		"tiny_next:\n\t.cfi_startproc\n\tret\n\t.cfi_endproc\n\t.size tiny_next, 1\n");
extern void tiny_free(void *), tiny_next(void *);

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t thread[THREADS_MAX];

	tiny_free(NULL);
	tiny_next(NULL);
	if (argc > 2 && atoi(argv[2]) < steps)
		steps = atoi(argv[2]);
	for (int i = 0; i < threads && i < THREADS_MAX; i++)
		pthread_create(&thread[i], NULL, work, (void *)(uintptr_t)i);
	for (int i = 0; i < threads && i < THREADS_MAX; i++) {
		void **result;

		pthread_join(thread[i], (void **)&result);
		for (size_t k = 0; k < (size_t)result[1]; k++) {
			const struct entry *entry = (struct entry *)result[0] + k;

			printf("%d %s %p %zu %p\n", i, entry->what, entry->at, entry->size, entry->old);
		}
	}
	return 0;
}
