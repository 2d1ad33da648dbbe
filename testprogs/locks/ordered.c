/*
 * Threads write down, under a lock, who had it: arguments: threads, entries, and what locks: mutex,
 * rwlock, spin. The log's own order is that of the lock.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 21, CELLS = 13 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static char kind = 'm';
static int entries = 20011;

long cells[CELLS];
int who_had_it[MOST];
static int used;

static void take(void)
{
	if (kind == 'm')
		pthread_mutex_lock(&mutex);
	else if (kind == 'r')
		pthread_rwlock_wrlock(&rwlock);
	else
		pthread_spin_lock(&spin);
}

static void release(void)
{
	if (kind == 'm')
		pthread_mutex_unlock(&mutex);
	else if (kind == 'r')
		pthread_rwlock_unlock(&rwlock);
	else
		pthread_spin_unlock(&spin);
}

static void *work(void *number)
{
	int self = (int)(long)number, more = 1;
	char *block = NULL;

	for (int i = 0; more; i++) {
		take();
		more = used < entries;
		if (more) {
			who_had_it[used++] = self;
			cells[i % CELLS]++;
		}
		release();
		if (i % 101 == 0) {
			free(block);
			block = malloc(100); /* events between */
		}
	}
	free(block);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 3;
	pthread_t id[16];

	entries = argc > 2 ? atoi(argv[2]) : entries;
	kind = argc > 3 ? argv[3][0] : kind;
	pthread_spin_init(&spin, 0);
	for (long i = 0; i < threads; i++)
		pthread_create(&id[i], NULL, work, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(id[i], NULL);
	printf("%p\n", (void *)who_had_it);
	for (int i = 0; i < used; i++)
		printf("%d\n", who_had_it[i]);
	return 0;
}
