/* libc's containers: search trees, hash tables, queues; and obstacks, whose blocks it takes by
 * malloc. */
#define _GNU_SOURCE
#include <obstack.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

static unsigned long visited;

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void visit(const void *node, VISIT order, int depth)
{
	if (order == postorder || order == leaf)
		visited = visited * 7 + (unsigned long)depth + strlen(*(char *const *)node);
}

int main(void)
{
	enum { COUNT = 70 };
	struct hsearch_data table;
	struct obstack stack;
	void *root = NULL;
	char *words[COUNT];

	obstack_init(&stack);
	memset(&table, 0, sizeof table);
	hcreate_r(2 * COUNT, &table);
	for (int i = 0; i < COUNT; i++) {
		ENTRY entry, *found;

		words[i] = obstack_alloc(&stack, 24);
		snprintf(words[i], 24, "word %d", i * 37 % 101);
		tsearch(words[i], &root, compare);
		entry.key = words[i];
		entry.data = words[(i + 1) / 2];
		hsearch_r(entry, ENTER, &found, &table);
	}
	twalk(root, visit);
	for (int i = 0; i < COUNT; i += 3)
		tdelete(words[i], &root, compare);
	twalk(root, visit);
	while (root)
		tdelete(*(char **)root, &root, compare);
	hdestroy_r(&table);
	obstack_free(&stack, NULL);
	printf("%lu\n", visited);
	return 0;
}
