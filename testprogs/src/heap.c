/* Structures on the heap: a list, a binary tree and an array that grows by realloc. */
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 131

struct node {
	struct node *next;
	int value;
};

struct tree {
	struct tree *left;
	struct tree *right;
	int key;
};

struct array {
	size_t used;
	size_t room;
	int *items;
};

__attribute__((noinline)) static struct node *push(struct node *list, int value)
{
	struct node *node = malloc(sizeof(*node));
	node->next = list;
	node->value = value;
	return node;
}

__attribute__((noinline)) static struct tree *insert(struct tree *tree, int key)
{
	struct tree **link = &tree;
	while (*link)
		link = key < (*link)->key ? &(*link)->left : &(*link)->right;
	*link = calloc(1, sizeof(**link));
	(*link)->key = key;
	return tree;
}

__attribute__((noinline)) static void append(struct array *array, int value)
{
	if (array->used == array->room) {
		array->room = array->room * 2 + 3;
		array->items = realloc(array->items, array->room * sizeof(int));
	}
	array->items[array->used++] = value;
}

__attribute__((noinline)) static long tree_sum(const struct tree *tree)
{
	return tree ? tree_sum(tree->left) + tree->key + tree_sum(tree->right) : 0;
}

__attribute__((noinline)) static void release(struct tree *tree)
{
	if (!tree)
		return;
	release(tree->left);
	release(tree->right);
	free(tree);
}

int main(void)
{
	struct node *list = NULL;
	struct tree *tree = NULL;
	struct array *array = calloc(1, sizeof(*array));
	long sum = 0;

	for (int i = 0; i < ITEMS; i++) {
		int value = (i * 89) % 197;
		list = push(list, value);
		tree = insert(tree, value);
		append(array, value);
	}
	for (size_t i = 0; i < array->used; i++)
		sum += array->items[i];
	sum += tree_sum(tree);
	while (list) {
		struct node *next = list->next;
		sum += list->value;
		free(list);
		list = next;
	}
	release(tree);
	free(array->items);
	free(array);
	printf("heap %ld\n", sum);
	return 0;
}
