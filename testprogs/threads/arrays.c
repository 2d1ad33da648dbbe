/* arrays THREADS ROUNDS: every kind of access, at random, to words of the thread's own and to words
 * of all, side by side in one page. */
#include "known.h"

#define ROW 6
#define SHARED (WORDS - 24)

static long rounds;

static void access_make(uint64_t *state, long first, long count)
{
	long i = first + (long)random_below(state, (unsigned long)count - 2), n = first + count - i;

	switch (random_below(state, 9)) {
	case 0:
		known_store(i, known_load(i + 1));
		break;
	case 1:
		known_load(i);
		break;
	case 2:
		known_store(i, (long)*state);
		break;
	case 3:
		known_add(i, 3);
		break;
	case 4:
		known_add_locked(i, 5);
		break;
	case 5:
		known_fill(i, (long)random_below(state, (unsigned long)n), 7);
		break;
	case 6:
		known_copy(i, first, (long)random_below(state, (unsigned long)n));
		break;
	case 7:
		known_swap_halves(i);
		break;
	default:
		known_through_stack(i, i + 1);
	}
}

static void *work(void *number)
{
	uint64_t state = (uint64_t)number * 2654435761u + 88172645463325252u;

	for (long i = 0; i < rounds; i++)
		if (random_below(&state, 4))
			access_make(&state, (long)number * ROW, ROW);
		else
			access_make(&state, SHARED, 24);
	known_end();
	return NULL;
}

int main(int count, char **arguments)
{
	if (count < 3 || atol(arguments[1]) > SHARED / ROW)
		return 2;
	rounds = atol(arguments[2]);
	known_begin();
	threads_run(atol(arguments[1]), work);
	return 0;
}
