/*
 * Threads that run at the same time, with stacks, locks, keys and heap blocks of their own. None
 * waits for another in libc, where how often it looks would depend on the machine.
 */
#include "own_thread.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 3, WORDS = 64 };

struct worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_rwlock_t shared;
	sem_t tokens;
	int id;
	long result;
};

static int go;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static __thread long mine = 3;

static void key_end(void *block)
{
	free(block);
}

static void make_key(void)
{
	pthread_key_create(&key, key_end);
}

static int descending(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

static long work(struct worker *self)
{
	int *block = malloc(WORDS * sizeof *block);
	char text[40];
	long sum = 0;

	pthread_setspecific(key, block);
	for (int i = 0; i < WORDS; i++) {
		pthread_mutex_lock(&self->lock);
		block[i] = i * 17 % WORDS;
		mine += block[i];
		pthread_mutex_unlock(&self->lock);
	}
	qsort(block, WORDS, sizeof *block, descending);
	pthread_rwlock_rdlock(&self->shared);
	snprintf(text, sizeof text, "%ld of %d", mine, block[0]);
	pthread_rwlock_unlock(&self->shared);
	sem_wait(&self->tokens);
	for (char *c = text; *c; c++)
		sum += *c;
	errno = ERANGE;
	return sum + strtol("12", NULL, 10) + errno;
}

static void *run(void *argument)
{
	struct worker *self = argument;

	self->id = thread_id();
	wake_word(&self->id);
	wait_for_word(&go);
	self->result = work(self);
	return self;
}

int main(void)
{
	static struct worker workers[THREADS];
	long sum = 0;

	pthread_once(&once, make_key);
	for (int i = 0; i < THREADS; i++) {
		pthread_mutex_init(&workers[i].lock, NULL);
		pthread_rwlock_init(&workers[i].shared, NULL);
		sem_init(&workers[i].tokens, 0, 1);
		if (pthread_create(&workers[i].thread, NULL, run, &workers[i]))
			return 1;
		wait_for_word(&workers[i].id);
	}
	go = 1;
	wake_word(&go);
	for (int i = 0; i < THREADS; i++) {
		void *result;

		wait_for_end(workers[i].id);
		pthread_join(workers[i].thread, &result);
		sum += ((struct worker *)result)->result;
	}
	printf("%ld %ld\n", sum, mine);
	return 0;
}
