/* flags: -O1 -pthread */
/* A tree of processes that share a counter, semaphores and a mutex whose owners die. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static struct shared {
	pthread_mutex_t mutex;
	pthread_barrier_t barrier;
	sem_t turn[3];
	long sum, dead;
	char order[64];
	int at;
} * all;

static void lock(void)
{
	if (pthread_mutex_lock(&all->mutex) == EOWNERDEAD) {
		all->dead++;
		pthread_mutex_consistent(&all->mutex);
	}
}

static void grow(int depth, long weight)
{
	for (int i = 0; i < 200; i++) {
		lock();
		all->sum += weight;
		pthread_mutex_unlock(&all->mutex);
	}
	for (int child = 0; depth < 3 && child < 2; child++)
		if (fork() == 0) {
			char *block = malloc(1000);

			grow(depth + 1, weight * 2 + child);
			free(block);
			if (depth == 2 && child == 1) {
				lock(); /* and dies with it */
				kill(getpid(), SIGKILL);
			}
			_exit(depth);
		}
	while (wait(NULL) > 0)
		;
}

static void turns(int me)
{
	for (int i = 0; i < 5; i++) {
		sem_wait(&all->turn[me]);
		all->order[all->at++] = (char)('a' + me);
		sem_post(&all->turn[(me + 1) % 3]);
	}
	pthread_barrier_wait(&all->barrier);
}

int main(void)
{
	pthread_mutexattr_t kind;
	pthread_barrierattr_t wide;

	all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_init(&kind), pthread_barrierattr_init(&wide);
	pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
	pthread_barrierattr_setpshared(&wide, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&all->mutex, &kind), pthread_barrier_init(&all->barrier, &wide, 3);
	for (int i = 0; i < 3; i++)
		sem_init(&all->turn[i], 1, i == 0);
	grow(0, 1);
	lock();
	printf("sum %ld, dead owners %ld\n", all->sum, all->dead);
	pthread_mutex_unlock(&all->mutex);
	for (int i = 1; i < 3; i++)
		if (fork() == 0)
			turns(i), _exit(0);
	turns(0);
	while (wait(NULL) > 0)
		;
	printf("order %s\n", all->order);
	return 0;
}
