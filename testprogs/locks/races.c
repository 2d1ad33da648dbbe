/*
 * Ways to share data, those whose names begin with argument 1: those with "race" have a race
 * whichever thread comes first, in what is called raced; the others have none.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ways.h"

enum { TIMES = 31, PARTS = 4 };

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_once_t begun = PTHREAD_ONCE_INIT;
static pthread_barrier_t both;
static sem_t ping, pong;

static volatile long raced, guarded, handed;
static volatile int ready;
static _Atomic int flag;
static volatile atomic_flag busy = ATOMIC_FLAG_INIT;
static volatile char bytes[8];
static char raced_text[64];
static const char text_a[64] = "a", text_b[64] = "b";
static volatile int raced_parts[PARTS], parts[PARTS];
struct block {
	long before;
	volatile long field;
};
static struct block *raced_block;

static int index_of(void *number)
{
	return (int)(long)number;
}

static void *race_plain(void *number)
{
	(void)number;
	for (int i = 0; i < TIMES; i++)
		raced++;
	return NULL;
}

static void *race_two_locks(void *number)
{
	pthread_mutex_t *mine = index_of(number) ? &one : &other;

	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(mine);
		raced++;
		pthread_mutex_unlock(mine);
	}
	return NULL;
}

static void *race_behind_unlock(void *number)
{
	pthread_mutex_lock(&one);
	guarded++;
	pthread_mutex_unlock(&one);
	raced = index_of(number);
	return NULL;
}

static void *race_heap(void *number)
{
	raced_block->field = index_of(number);
	return NULL;
}

static void *race_checked_twice(void *number)
{
	(void)number;
	if (!raced) {
		pthread_mutex_lock(&one);
		if (!raced)
			raced = 1;
		pthread_mutex_unlock(&one);
	}
	return NULL;
}

static void *race_readers_write(void *number)
{
	pthread_rwlock_rdlock(&table);
	raced = index_of(number);
	pthread_rwlock_unlock(&table);
	return NULL;
}

static void *race_signal_alone(void *number)
{
	if (index_of(number)) {
		raced = 1; /* not under the lock */
		pthread_mutex_lock(&one);
		ready = 1;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&one);
		raced = 2; /* and again, when the other one may go on */
	} else {
		pthread_mutex_lock(&one);
		while (!ready)
			pthread_cond_wait(&changed, &one);
		pthread_mutex_unlock(&one);
		handed = raced;
	}
	return NULL;
}

static void *race_one_barrier(void *number)
{
	int self = index_of(number);

	raced_parts[self] = self;
	pthread_barrier_wait(&both);
	raced_parts[self] = raced_parts[!self] + 1;
	return NULL;
}

static void *race_copies(void *number)
{
	memcpy(raced_text, index_of(number) ? text_a : text_b, sizeof raced_text);
	return NULL;
}

static void *race_with_main(void *number)
{
	if (index_of(number))
		raced++;
	return NULL;
}

static void *clean_mutex(void *number)
{
	(void)number;
	for (int i = 0; i < TIMES; i++) {
		pthread_mutex_lock(&one);
		guarded++;
		pthread_mutex_unlock(&one);
	}
	return NULL;
}

static void *clean_semaphores(void *number)
{
	for (int i = 0; i < TIMES; i++) {
		sem_wait(index_of(number) ? &ping : &pong);
		handed++;
		sem_post(index_of(number) ? &pong : &ping);
	}
	return NULL;
}

static void *clean_condition(void *number)
{
	pthread_mutex_lock(&one);
	if (index_of(number)) {
		handed = 7;
		ready = 1;
		pthread_cond_broadcast(&changed);
	}
	while (!ready)
		pthread_cond_wait(&changed, &one);
	guarded += handed;
	pthread_mutex_unlock(&one);
	return NULL;
}

static void *clean_barriers(void *number)
{
	int self = index_of(number);

	for (int i = 0; i < TIMES; i++) {
		int seen;

		pthread_barrier_wait(&both);
		seen = parts[!self];
		pthread_barrier_wait(&both);
		parts[self] = seen + 1;
	}
	return NULL;
}

static void *clean_atomics(void *number)
{
	if (index_of(number)) {
		handed = 9;
		atomic_store_explicit(&flag, 1, memory_order_release);
	} else {
		while (!atomic_load_explicit(&flag, memory_order_acquire))
			;
		guarded = handed;
	}
	return NULL;
}

static void *clean_own_lock(void *number)
{
	(void)number;
	for (int i = 0; i < TIMES; i++) {
		while (atomic_flag_test_and_set(&busy))
			;
		guarded++;
		atomic_flag_clear(&busy);
	}
	return NULL;
}

static void *clean_rwlock(void *number)
{
	for (int i = 0; i < TIMES; i++) {
		if (index_of(number) == i % 2) {
			pthread_rwlock_wrlock(&table);
			guarded++;
		} else {
			pthread_rwlock_rdlock(&table);
			parts[index_of(number)] = (int)guarded;
		}
		pthread_rwlock_unlock(&table);
	}
	return NULL;
}

static void begin(void)
{
	handed = 3;
}

static void *clean_once(void *number)
{
	pthread_once(&begun, begin);
	parts[index_of(number)] = (int)handed;
	return NULL;
}

static void *clean_bytes(void *number)
{
	for (int i = 0; i < TIMES; i++)
		bytes[index_of(number)]++;
	return NULL;
}

static void *clean_blocks(void *number)
{
	for (int i = 0; i < TIMES; i++) {
		volatile long *block = malloc(24);

		block[0] = index_of(number);
		block[1] = block[0];
		free((void *)block);
	}
	return NULL;
}

static void *clean_main(void *number)
{
	parts[index_of(number)] = (int)handed;
	return NULL;
}

static const struct way ways[] = {
	WAY(race_plain),
	WAY(race_two_locks),
	WAY(race_behind_unlock),
	WAY(race_heap),
	WAY(race_checked_twice),
	WAY(race_readers_write),
	WAY(race_signal_alone),
	WAY(race_one_barrier),
	WAY(race_copies),
	WAY(race_with_main),
	WAY(clean_mutex),
	WAY(clean_semaphores),
	WAY(clean_condition),
	WAY(clean_barriers),
	WAY(clean_atomics),
	WAY(clean_own_lock),
	WAY(clean_rwlock),
	WAY(clean_once),
	WAY(clean_bytes),
	WAY(clean_blocks),
	WAY(clean_main),
};

static void run(const struct way *way)
{
	pthread_t id[2];

	handed = 5;
	raced = 0;
	ready = 0;
	atomic_store(&flag, 0);
	raced_block = calloc(1, sizeof *raced_block);
	pthread_barrier_init(&both, NULL, 2);
	sem_init(&ping, 0, 1);
	sem_init(&pong, 0, 0);
	for (long i = 0; i < 2; i++)
		pthread_create(&id[i], NULL, way->work, (void *)i);
	if (strcmp(way->name, "race_with_main") == 0)
		raced = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(id[i], NULL);
	guarded += handed + parts[0] + bytes[0] + raced_text[1];
	free(raced_block);
}

int main(int argc, char **argv)
{
	return run_ways(argc, argv, ways, sizeof ways / sizeof *ways, run);
}
