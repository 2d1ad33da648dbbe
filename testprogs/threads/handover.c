/*
 * handover THREADS ROUNDS: every thread takes blocks that others have made, reads them and frees
 * them, and makes new ones, often where it freed one just before. The two instructions that access
 * blocks are told, and each use of a block with its size and maker:
 *
 *   code ADDRESS                                  all accesses by this instruction are told below
 *   use THREAD L|S ADDRESS BLOCK SIZE MAKER       in the order of the thread
 *
 *   block:  size | maker's thread << 32 | last word: the same
 */
#include <stdatomic.h>

#include "known.h"

#define SLOTS 3
#define USES 6 /* at most, a round */

struct use {
	int store;
	long *address, *block;
	long tag;
};

static _Atomic(long *) slot[SLOTS];
static long rounds;

long block_load(const long *address);
void block_store(long *address, long value);
extern const char block_load_code[], block_store_code[];

__asm__(".text\n"
		".type block_load, @function\n"
		"block_load: .cfi_startproc\n"
		"block_load_code: movq (%rdi), %rax\n"
		"	ret\n"
		"	.cfi_endproc\n"
		".type block_store, @function\n"
		"block_store: .cfi_startproc\n"
		"block_store_code: movq %rsi, (%rdi)\n"
		"	ret\n"
		"	.cfi_endproc\n");

static long *last_word(long *block, long tag)
{
	return block + (uint32_t)tag / sizeof(long) - 1;
}

static struct use *use_note(struct use *uses, int store, long *address, long *block, long tag)
{
	*uses = (struct use){ store, address, block, tag };
	return uses + 1;
}

static struct use *block_write(struct use *uses, long *block, long tag)
{
	block_store(block, tag);
	uses = use_note(uses, 1, block, block, tag);
	block_store(last_word(block, tag), tag);
	return use_note(uses, 1, last_word(block, tag), block, tag);
}

/* Small blocks of a few classes, and now and then one with a mapping of its own. */
static unsigned long size_choose(uint64_t *state)
{
	return random_below(state, 40) ? 40 + 8 * random_below(state, 12)
								   : 140000 + 8 * random_below(state, 100);
}

static struct use *block_make(struct use *uses, uint64_t *state, long **made)
{
	unsigned long size = size_choose(state);
	long *block = random_below(state, 3) ? malloc(size) : calloc(size / 8, 8);

	if (!random_below(state, 8))
		block = realloc(block, size += 16);
	*made = block;
	return block_write(uses, block, (long)size | own_thread() << 32);
}

static struct use *block_use(struct use *uses, long *block)
{
	long tag = block_load(block);

	uses = use_note(uses, 0, block, block, tag);
	if (block_load(last_word(block, tag)) != tag)
		abort();
	uses = use_note(uses, 0, last_word(block, tag), block, tag);
	free(block);
	return uses;
}

static void uses_tell(const struct use *use, const struct use *end)
{
	for (; use < end; use++) {
		char text[160], *at = number_put(word_put(text, "use "), (unsigned long)own_thread(), ' ');

		at = number_put(word_put(at, use->store ? "S " : "L "), (uintptr_t)use->address, ' ');
		at = number_put(at, (uintptr_t)use->block, ' ');
		at = number_put(at, (uint32_t)use->tag, ' ');
		text_write(text, number_put(at, (unsigned long)use->tag >> 32, '\n'));
	}
}

static void *work(void *number)
{
	uint64_t state = (uint64_t)number * 2654435761u + 88172645463325252u;
	struct use *uses = malloc(sizeof *uses * (size_t)rounds * USES), *end = uses;

	for (long i = 0; i < rounds; i++) {
		long *taken = atomic_exchange(&slot[random_below(&state, SLOTS)], NULL), *made;

		if (taken)
			end = block_use(end, taken);
		end = block_make(end, &state, &made);
		taken = atomic_exchange(&slot[random_below(&state, SLOTS)], made);
		if (taken)
			end = block_use(end, taken);
	}
	uses_tell(uses, end);
	free(uses);
	return NULL;
}

static void code_tell(const char *code)
{
	char text[40];

	text_write(text, number_put(word_put(text, "code "), (uintptr_t)code, '\n'));
}

int main(int count, char **arguments)
{
	if (count < 3)
		return 2;
	rounds = atol(arguments[2]);
	code_tell(block_load_code);
	code_tell(block_store_code);
	threads_run(atol(arguments[1]), work);
	for (int i = 0; i < SLOTS; i++)
		free(slot[i]);
	return 0;
}
