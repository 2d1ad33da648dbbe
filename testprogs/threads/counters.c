/* counters THREADS ROUNDS: counters under a lock, by locked instructions and by compare and
 * exchange; none may lose a count. */
#include "known.h"

enum { LOCKED, ADDED, REPLACED, LATCH, GUARDED };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long rounds;

static void replaced_add(void)
{
	long old;

	do
		old = known_load(REPLACED);
	while (!known_replace(REPLACED, old, old + 1));
}

/* A latch of our own: every try is counted. */
static void guarded_add(void)
{
	while (!known_replace(LATCH, 0, 1))
		sched_yield();
	known_store(GUARDED, known_load(GUARDED) + 1);
	known_store(LATCH, 0);
}

static void *work(void *number)
{
	(void)number;
	for (long i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock);
		known_store(LOCKED, known_load(LOCKED) + 1);
		pthread_mutex_unlock(&lock);
		known_add_locked(ADDED, 1);
		replaced_add();
		guarded_add();
	}
	known_end();
	return NULL;
}

int main(int count, char **arguments)
{
	long all;

	if (count < 3)
		return 2;
	rounds = atol(arguments[2]);
	all = atol(arguments[1]) * rounds;
	known_begin();
	threads_run(atol(arguments[1]), work);
	for (int i = LOCKED; i <= GUARDED; i++)
		if (known_load(i) != (i == LATCH ? 0 : all))
			return 1;
	known_end();
	return 0;
}
