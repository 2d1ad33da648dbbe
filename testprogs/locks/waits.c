/* Four threads that wait for each other for some time; says where the locks lie. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 3, HELD = 100000, BETWEEN = 100000 };

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t barrier;
sem_t units;

static void *work(void *unused)
{
	sem_wait(&units);
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&mutex);
		usleep(HELD); /* microseconds */
		pthread_mutex_unlock(&mutex);
	}
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < ROUNDS; i++) {
		pthread_rwlock_wrlock(&rwlock);
		usleep(HELD);
		pthread_rwlock_unlock(&rwlock);
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];

	printf("mutex %p %zu\n", (void *)&mutex, sizeof mutex);
	printf("rwlock %p %zu\n", (void *)&rwlock, sizeof rwlock);
	printf("units %p %zu\n", (void *)&units, sizeof units);
	fflush(stdout);
	pthread_barrier_init(&barrier, NULL, THREADS);
	sem_init(&units, 0, 0);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++) {
		usleep(BETWEEN);
		sem_post(&units);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
