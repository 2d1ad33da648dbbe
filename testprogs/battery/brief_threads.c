/* flags: -O1 -pthread */
/* A hundred threads that live briefly: their blocks, keys and stacks are others' afterwards. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 100
#define BLOCKS 16

static pthread_key_t key;
static atomic_int destroyed, cleaned, running;
static _Atomic(char *) handed[THREADS];
static __thread char local[3000];

static void destroy(void *block)
{
	destroyed += ((char *)block)[11] == 'k';
	free(block);
}

static void clean(void *block)
{
	cleaned++;
	free(block);
}

static void *live(void *number)
{
	long me = (long)number, bad = 0;
	char *blocks[BLOCKS], *mine = malloc(100), *other;

	running++;
	memset(mine, 'k', 100), memset(local, (int)me, sizeof local);
	pthread_setspecific(key, mine);
	for (int i = 0; i < BLOCKS; i++)
		memset(blocks[i] = malloc(17 + (size_t)(me * i) % 900), i, 17);
	for (int i = 0; i < BLOCKS; i++) {
		bad += blocks[i][13] != i;
		blocks[i] = realloc(blocks[i], 2000);
		bad += blocks[i][13] != i;
	}
	other = atomic_exchange(&handed[(me + 1) % THREADS], blocks[0]);
	for (int i = 1; i < BLOCKS; i++)
		free(blocks[i]);
	free(other);
	bad += local[2999] != (char)me;
	if (me % 10 == 3) {
		pthread_cleanup_push(clean, malloc(10));
		pthread_exit((void *)bad);
		pthread_cleanup_pop(0);
	}
	if (me % 10 == 7) {
		pthread_cleanup_push(clean, malloc(10));
		for (;;)
			pause(); /* until it is cancelled */
		pthread_cleanup_pop(0);
	}
	return (void *)bad;
}

int main(void)
{
	pthread_t threads[THREADS];
	long bad = 0, cancelled = 0;
	pthread_attr_t small;

	pthread_key_create(&key, destroy);
	pthread_attr_init(&small), pthread_attr_setstacksize(&small, 65536);
	for (long from = 0; from < THREADS; from += 25) {
		for (long i = from; i < from + 25; i++)
			pthread_create(&threads[i], i % 2 ? &small : NULL, live, (void *)i);
		for (long i = from; i < from + 25; i++) {
			void *result;

			if (i % 10 == 7)
				pthread_cancel(threads[i]);
			pthread_join(threads[i], &result);
			if (result == PTHREAD_CANCELED)
				cancelled++;
			else
				bad += (long)result;
		}
	}
	for (int i = 0; i < THREADS; i++)
		free(handed[i]);
	printf("bad %ld, destroyed enough %d, cancelled %ld\n", bad, destroyed >= 90, cancelled);
	printf("cleaned enough %d\n", cleaned >= 10);
	return 0;
}
