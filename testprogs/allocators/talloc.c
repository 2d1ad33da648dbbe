#include "random_blocks.h"

void *_talloc(const void *parent, size_t size);
void *_talloc_zero(const void *parent, size_t size, const char *name);
void *talloc_named_const(const void *parent, size_t size, const char *name);
void *_talloc_array(const void *parent, size_t size, unsigned count, const char *name);
void *_talloc_memdup(const void *parent, const void *from, size_t size, const char *name);
void *_talloc_realloc(const void *parent, void *block, size_t size, const char *name);
int _talloc_free(void *block, const char *location);
size_t talloc_total_blocks(const void *block);
size_t talloc_total_size(const void *block);

static void *root(void)
{
	static void *root;

	if (!root)
		root = talloc_named_const(NULL, 0, "root");
	return root;
}

struct counted counted(void)
{
	return (struct counted){ talloc_total_blocks(root()), talloc_total_size(root()) };
}

/* Every third block has others in it, which end with it. */
void *take(size_t size)
{
	static int times;
	void *block;

	switch (++times % 3) {
	case 0:
		return _talloc(root(), size);
	case 1:
		return _talloc_zero(root(), size, "zero");
	default:
		block = talloc_named_const(root(), size, "parent");
		_talloc_memdup(_talloc_array(block, 8, 5, "child"), "grandchild", 11, "grandchild");
		return block;
	}
}

void *change(void *block, size_t size)
{
	return _talloc_realloc(root(), block, size, "changed");
}

void give(void *block)
{
	_talloc_free(block, "here");
}
