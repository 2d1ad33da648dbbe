/*
 * Further ways to share data, those whose names begin with argument 1: those with "race" have a race
 * whichever thread comes first, in what is called raced; the others have none, though most of them
 * do without the locks of the C library.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#include "ways.h"

enum { TIMES = 31, CELLS = 31, RING = 8, TASKS = 40 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spins[2];
static pthread_barrier_t both;
static sem_t units;
static mtx_t c11;
static int ends[2];

static volatile long raced, guarded, handed;
static volatile long raced_cells[CELLS];
static char raced_text[64];
static struct pair {
	volatile long first, second;
} raced_pair, *volatile raced_pointer;
static const struct pair ones = { 1, 1 };

static int index_of(void *number)
{
	return (int)(long)number;
}

static void *race_semaphore_of_two(void *number)
{
	(void)number;
	sem_wait(&units);
	pthread_barrier_wait(&both);
	raced++;
	pthread_barrier_wait(&both);
	sem_post(&units);
	return NULL;
}

static void *race_written_outside(void *number)
{
	long seen;

	(void)number;
	pthread_mutex_lock(&mutex);
	seen = raced;
	pthread_mutex_unlock(&mutex);
	raced = seen + 1;
	return NULL;
}

static void *race_published(void *number)
{
	if (index_of(number))
		raced_pointer = &raced_pair;
	else if (raced_pointer != NULL)
		guarded = raced_pointer->first;
	return NULL;
}

static void *race_overlapping_parts(void *number)
{
	int from = index_of(number) * (CELLS / 2);

	for (int i = from; i <= from + CELLS / 2; i++)
		raced_cells[i] = i;
	return NULL;
}

static void *race_cleared(void *number)
{
	if (index_of(number))
		memset(raced_text, 0, sizeof raced_text);
	else
		guarded = *(volatile char *)&raced_text[5];
	return NULL;
}

static void *race_bits_of_a_word(void *number)
{
	raced |= 1 << index_of(number);
	return NULL;
}

static void *race_with_the_one_not_joined(void *number)
{
	if (index_of(number))
		raced = 1;
	return NULL;
}

static void *race_lock_of_each(void *number)
{
	pthread_spinlock_t *mine = &spins[index_of(number)];

	pthread_spin_lock(mine);
	raced++;
	pthread_spin_unlock(mine);
	return NULL;
}

static void *race_lock_not_got(void *number)
{
	int got = pthread_mutex_trylock(&mutex) == 0; /* never: main has it */

	(void)number;
	raced++;
	if (got)
		pthread_mutex_unlock(&mutex);
	return NULL;
}

static void *race_reader_without(void *number)
{
	if (index_of(number)) {
		pthread_rwlock_wrlock(&table);
		raced++;
		pthread_rwlock_unlock(&table);
	} else {
		guarded = raced;
	}
	return NULL;
}

static void *race_struct_copied(void *number)
{
	if (index_of(number))
		memcpy((void *)&raced_pair, (const void *)&ones, sizeof ones);
	else
		guarded = raced_pair.second;
	return NULL;
}

/* A sequence lock: readers look again when a writer came between. */
static _Atomic unsigned sequence;
static _Atomic long left_half, right_half;

static void *clean_seqlock(void *number)
{
	for (int i = 0; i < TIMES; i++) {
		if (index_of(number)) {
			atomic_fetch_add(&sequence, 1);
			atomic_store_explicit(&left_half, i, memory_order_relaxed);
			atomic_store_explicit(&right_half, -i, memory_order_relaxed);
			atomic_fetch_add(&sequence, 1);
		} else {
			unsigned before;
			long sum;

			do {
				before = atomic_load(&sequence);
				sum = atomic_load(&left_half) + atomic_load(&right_half);
			} while (before % 2 != 0 || before != atomic_load(&sequence));
			if (sum != 0)
				abort();
		}
	}
	return NULL;
}

/* Hazard pointers: who reads a node says so, and who replaced it frees it when nobody does. */
struct node {
	long value;
	struct node *next;
};
static struct node *_Atomic current_node;
static struct node *_Atomic hazard;

static void *clean_hazard_pointers(void *number)
{
	for (int i = 0; i < TIMES; i++) {
		if (index_of(number)) {
			struct node *fresh = malloc(sizeof *fresh), *old;

			fresh->value = i;
			old = atomic_exchange(&current_node, fresh);
			while (old != NULL && atomic_load(&hazard) == old)
				;
			free(old);
		} else {
			struct node *seen;

			do {
				seen = atomic_load(&current_node);
				atomic_store(&hazard, seen);
			} while (seen != atomic_load(&current_node));
			if (seen != NULL && seen->value >= TIMES)
				abort();
			atomic_store(&hazard, NULL);
		}
	}
	return NULL;
}

/* Treiber's stack: nodes are pushed by exchange if equal, and all taken at once. */
static struct node *_Atomic top_node;

static void *clean_stack(void *number)
{
	for (int i = 0; i < TIMES; i++) {
		if (index_of(number)) {
			struct node *fresh = malloc(sizeof *fresh);

			fresh->value = i;
			fresh->next = atomic_load(&top_node);
			while (!atomic_compare_exchange_weak(&top_node, &fresh->next, fresh))
				;
		} else {
			struct node *all = atomic_exchange(&top_node, NULL), *next;

			for (; all != NULL; all = next) {
				next = all->next;
				if (all->value < 0)
					abort();
				free(all);
			}
		}
	}
	return NULL;
}

/*
 * A ring of one writer and one reader, by the compiler's intrinsics. Each waits for the other one at
 * least once, whatever the machine does: the reader sleeps at first, the writer in the midst.
 */
static long ring[RING];
static unsigned head, tail;

static void *clean_ring(void *number)
{
	for (unsigned i = 0; i < TIMES; i++) {
		if (i == (index_of(number) ? TIMES / 2 : 0))
			usleep(20000);
		if (index_of(number)) {
			while (__atomic_load_n(&tail, __ATOMIC_ACQUIRE) + RING == i)
				;
			ring[i % RING] = i;
			__atomic_store_n(&head, i + 1, __ATOMIC_RELEASE);
		} else {
			while (__atomic_load_n(&head, __ATOMIC_ACQUIRE) == i)
				;
			if (ring[i % RING] != i)
				abort();
			__atomic_store_n(&tail, i + 1, __ATOMIC_RELEASE);
		}
	}
	return NULL;
}

/* Read, copy, update: what was replaced is freed when each reader has been elsewhere. */
static _Atomic unsigned reading, quiet;

static void *clean_rcu(void *number)
{
	for (int i = 0; i < TIMES; i++) {
		if (index_of(number)) {
			struct node *fresh = malloc(sizeof *fresh), *old;
			unsigned since;

			fresh->value = i;
			old = atomic_exchange(&current_node, fresh);
			since = atomic_load(&quiet);
			while (atomic_load(&reading) != 0 && atomic_load(&quiet) == since)
				;
			free(old);
		} else {
			struct node *seen;

			atomic_store(&reading, 1);
			seen = atomic_load(&current_node);
			if (seen != NULL && seen->value >= TIMES)
				abort();
			atomic_store(&reading, 0);
			atomic_fetch_add(&quiet, 1);
		}
	}
	return NULL;
}

/* A pool: tasks wait in a list for whoever comes first. */
static int waiting[TASKS], tasks, taken;

static void *clean_pool(void *number)
{
	if (index_of(number)) {
		for (int i = 0; i < TASKS; i++) {
			pthread_mutex_lock(&mutex);
			waiting[tasks++] = i;
			pthread_cond_signal(&more);
			pthread_mutex_unlock(&mutex);
		}
		return NULL;
	}
	for (int i = 0; i < TASKS; i++) {
		pthread_mutex_lock(&mutex);
		while (taken == tasks)
			pthread_cond_wait(&more, &mutex);
		guarded += waiting[taken++];
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void *clean_spin(void *number)
{
	(void)number;
	for (int i = 0; i < TIMES; i++) {
		pthread_spin_lock(&spins[0]);
		guarded++;
		pthread_spin_unlock(&spins[0]);
	}
	return NULL;
}

static void *clean_c11(void *number)
{
	(void)number;
	for (int i = 0; i < TIMES; i++) {
		mtx_lock(&c11);
		guarded++;
		mtx_unlock(&c11);
	}
	return NULL;
}

static void *clean_trylock(void *number)
{
	(void)number;
	for (int i = 0; i < TIMES; i++) {
		while (pthread_mutex_trylock(&mutex) != 0)
			;
		guarded++;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* Tickets: who has the number that is served goes on. */
static _Atomic unsigned tickets, served;

static void *clean_tickets(void *number)
{
	(void)number;
	for (int i = 0; i < TIMES; i++) {
		unsigned mine = atomic_fetch_add(&tickets, 1);

		while (atomic_load_explicit(&served, memory_order_acquire) != mine)
			;
		guarded++;
		atomic_fetch_add_explicit(&served, 1, memory_order_release);
	}
	return NULL;
}

/* The kernel orders them: what was written into a pipe before it is read. */
static void *clean_pipe(void *number)
{
	char byte = 'b';

	if (index_of(number)) {
		handed = 7;
		if (write(ends[1], &byte, 1) != 1)
			abort();
	} else {
		if (read(ends[0], &byte, 1) != 1)
			abort();
		guarded = handed;
	}
	return NULL;
}

/* The same by a signal for which the other thread waits. */
static pthread_t waiter;

static void *clean_signal(void *number)
{
	sigset_t set;
	int got;

	if (index_of(number)) {
		handed = 8;
		pthread_kill(waiter, SIGUSR1);
	} else {
		sigemptyset(&set);
		sigaddset(&set, SIGUSR1);
		sigwait(&set, &got);
		guarded = handed;
	}
	return NULL;
}

static const struct way ways[] = {
	WAY(race_semaphore_of_two),
	WAY(race_written_outside),
	WAY(race_published),
	WAY(race_overlapping_parts),
	WAY(race_cleared),
	WAY(race_bits_of_a_word),
	WAY(race_with_the_one_not_joined),
	WAY(race_lock_of_each),
	WAY(race_lock_not_got),
	WAY(race_reader_without),
	WAY(race_struct_copied),
	WAY(clean_seqlock),
	WAY(clean_hazard_pointers),
	WAY(clean_stack),
	WAY(clean_ring),
	WAY(clean_rcu),
	WAY(clean_pool),
	WAY(clean_spin),
	WAY(clean_c11),
	WAY(clean_trylock),
	WAY(clean_tickets),
	WAY(clean_pipe),
	WAY(clean_signal),
};

static void run(const struct way *way)
{
	int holds = way->work == race_lock_not_got;
	pthread_t id[2];

	raced = handed = 0;
	pthread_barrier_init(&both, NULL, 2);
	sem_init(&units, 0, 2);
	if (holds)
		pthread_mutex_lock(&mutex);
	pthread_create(&waiter, NULL, way->work, (void *)0);
	id[0] = waiter;
	pthread_create(&id[1], NULL, way->work, (void *)1);
	pthread_join(id[0], NULL);
	if (way->work == race_with_the_one_not_joined)
		guarded += raced;
	pthread_join(id[1], NULL);
	if (holds)
		pthread_mutex_unlock(&mutex);
	guarded += raced + raced_cells[0] + raced_text[1];
	free(atomic_exchange(&current_node, NULL));
}

int main(int argc, char **argv)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL); /* and in all threads, too */
	pthread_spin_init(&spins[0], 0);
	pthread_spin_init(&spins[1], 0);
	mtx_init(&c11, mtx_plain);
	if (pipe(ends) != 0)
		return 1;
	return run_ways(argc, argv, ways, sizeof ways / sizeof *ways, run);
}
