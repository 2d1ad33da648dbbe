/* Locks of every kind, by several threads: each writes down what it did, to compare with a trace. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive, checked, robust;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static sem_t units;
static pthread_barrier_t all;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static mtx_t c11;
struct account {
	long balance;
	pthread_mutex_t lock;
};
static struct account accounts[2] = { { 0, PTHREAD_MUTEX_INITIALIZER },
	{ 0, PTHREAD_MUTEX_INITIALIZER } };
static int turn;
static int rounds = 20, threads = 4;
static char log_text[16][1 << 20];
static int log_used[16];
static __thread int self, depth;
static __thread unsigned long since[8];

/* A line: thread, what, lock, the locks held besides, and for how many ticks this one was held at least. */
static void note(const char *what, const volatile void *lock, unsigned long ticks)
{
	log_used[self] += sprintf(log_text[self] + log_used[self], "%d %s %p %d %lu\n", self, what,
			(void *)lock, depth, ticks);
}

#define GOT(lock) (since[depth + 1] = __rdtsc(), note("got", lock, 0), depth++)
#define FREE(lock, release) \
	(ticks = __rdtsc() - since[depth], release, depth--, note("free", lock, ticks))

static void begin_once(void)
{
}

static void locks_of_all_kinds(int i)
{
	struct timespec soon;
	unsigned long ticks;

	pthread_mutex_lock(&plain);
	GOT(&plain);
	pthread_mutex_lock(&recursive);
	GOT(&recursive);
	pthread_mutex_lock(&recursive);
	GOT(&recursive);
	pthread_rwlock_rdlock(&readers);
	GOT(&readers);
	FREE(&readers, pthread_rwlock_unlock(&readers));
	FREE(&recursive, pthread_mutex_unlock(&recursive));
	FREE(&recursive, pthread_mutex_unlock(&recursive));
	if (pthread_mutex_trylock(&checked) == 0) {
		GOT(&checked);
		if (pthread_mutex_trylock(&checked) != EBUSY || pthread_mutex_lock(&checked) != EDEADLK)
			abort();
		note("failed", &checked, 0);
		note("failed", &checked, 0);
		FREE(&checked, pthread_mutex_unlock(&checked));
	} else {
		note("failed", &checked, 0);
	}
	FREE(&plain, pthread_mutex_unlock(&plain));

	pthread_rwlock_wrlock(&readers);
	GOT(&readers);
	FREE(&readers, pthread_rwlock_unlock(&readers));

	pthread_spin_lock(&spin);
	GOT(&spin);
	FREE(&spin, pthread_spin_unlock(&spin));

	mtx_lock(&c11);
	GOT(&c11);
	FREE(&c11, mtx_unlock(&c11));

	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec += 10;
	if (pthread_mutex_timedlock(&accounts[i % 2].lock, &soon) == 0) {
		GOT(&accounts[i % 2].lock);
		accounts[i % 2].balance++;
		FREE(&accounts[i % 2].lock, pthread_mutex_unlock(&accounts[i % 2].lock));
	}
	clock_gettime(CLOCK_MONOTONIC, &soon);
	soon.tv_sec += 10;
	if (pthread_mutex_clocklock(&robust, CLOCK_MONOTONIC, &soon) == 0) {
		GOT(&robust);
		FREE(&robust, pthread_mutex_unlock(&robust));
	}

	sem_wait(&units);
	note("unit", &units, 0);
	sem_post(&units);
}

static void *work(void *number)
{
	unsigned long ticks;

	self = (int)(long)number;
	pthread_once(&once, begin_once);
	pthread_barrier_wait(&all);
	for (int i = 0; i < rounds; i++)
		locks_of_all_kinds(i);
	/* each in its turn */
	pthread_mutex_lock(&plain);
	GOT(&plain);
	while (turn != self) {
		FREE(&plain, pthread_cond_wait(&turned, &plain));
		GOT(&plain);
	}
	turn++;
	pthread_cond_broadcast(&turned);
	FREE(&plain, pthread_mutex_unlock(&plain));
	return NULL;
}

static void *dies(void *unused)
{
	(void)unused;
	self = 15;
	pthread_mutex_lock(&robust);
	GOT(&robust);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_mutexattr_t attributes;
	pthread_t id[16];
	unsigned long ticks;

	threads = argc > 1 ? atoi(argv[1]) : threads;
	rounds = argc > 2 ? atoi(argv[2]) : rounds;
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&recursive, &attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&checked, &attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_NORMAL);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &attributes);
	pthread_spin_init(&spin, 0);
	mtx_init(&c11, mtx_plain);
	sem_init(&units, 0, 2);
	pthread_barrier_init(&all, NULL, (unsigned)threads);

	pthread_create(&id[15], NULL, dies, NULL);
	pthread_join(id[15], NULL);
	self = 14;
	if (pthread_mutex_lock(&robust) != EOWNERDEAD)
		return 1;
	GOT(&robust);
	pthread_mutex_consistent(&robust);
	FREE(&robust, pthread_mutex_unlock(&robust));
	for (long i = 0; i < threads; i++)
		pthread_create(&id[i], NULL, work, (void *)i);
	for (int i = 0; i < threads; i++)
		pthread_join(id[i], NULL);
	for (int i = 0; i < 16; i++)
		fputs(log_text[i], stdout);
	return 0;
}
