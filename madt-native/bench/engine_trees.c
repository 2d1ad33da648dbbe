/*
 * Allocating: a binary tree of 4,095 blocks is built, looked through and freed. A repetition: one
 * tree, searched 40,000 times: a call of malloc or free for about 120 accesses.
 */
#include "measured.h"

#define NODES 4095
#define SEARCHES 40000

struct node {
	struct node *child[2];
	uint64_t key, found;
};

void prepare(void)
{
}

static struct node *tree_build(uint64_t low, uint64_t high)
{
	uint64_t middle = low + (high - low) / 2;
	struct node *node = malloc(sizeof *node);

	if (!node)
		exit(1);
	node->key = middle;
	node->found = 0;
	node->child[0] = low < middle ? tree_build(low, middle) : NULL;
	node->child[1] = middle + 1 < high ? tree_build(middle + 1, high) : NULL;
	return node;
}

static uint64_t tree_free(struct node *node)
{
	uint64_t found;

	if (!node)
		return 0;
	found = node->found + tree_free(node->child[0]) + tree_free(node->child[1]);
	free(node);
	return found;
}

static void tree_search(struct node *node, uint64_t key)
{
	while (node && node->key != key)
		node = node->child[key > node->key];
	if (node)
		node->found++;
}

uint64_t work(long repetitions)
{
	uint64_t state = 88172645463325252, found = 0;

	for (long n = 0; n < repetitions; n++) {
		struct node *tree = tree_build(0, NODES);

		for (int i = 0; i < SEARCHES; i++)
			tree_search(tree, random_next(&state) % NODES);
		found += tree_free(tree);
	}
	return found;
}
