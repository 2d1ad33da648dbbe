/*
 * What the kernel does for threads in traced memory: raw clones, words that it clears, robust and
 * inheriting mutexes, stacks on the heap, cancellation.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int *words;
static pthread_mutex_t *mutex;
static pthread_barrier_t barrier;
static pthread_key_t key;
static sem_t *semaphore;
static int destroyed;

static int raw(void *argument)
{
	int *mine = argument;

	for (int i = 0; i < 50; i++)
		mine[10]++;
	mine[11] = mine[0]; /* CLONE_CHILD_SETTID has written it */
	syscall(SYS_exit, 0);
	return 0;
}

/*
 * It shares this thread's TLS, so neither may use it meanwhile. The kernel clears words[0] at its
 * end and wakes us.
 */
static void raw_thread(void)
{
	char *stack = malloc(65536);
	int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM
			| CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
	int number, seen;

	words[0] = -1;
	number = clone(raw, stack + 65536, flags, words, &words[1], NULL, &words[0]);
	while ((seen = __atomic_load_n(&words[0], __ATOMIC_ACQUIRE)))
		syscall(SYS_futex, &words[0], FUTEX_WAIT, seen, NULL, NULL, 0);
	printf("raw thread: counted %d, number for parent %d, for child %d, cleared %d\n", words[10],
			words[1] == number, words[11] == number, words[0] == 0);
}

static void *dies(void *none)
{
	(void)none;
	pthread_mutex_lock(&mutex[0]);
	pthread_mutex_lock(&mutex[1]);
	return NULL;
}

static void robust(void)
{
	pthread_mutexattr_t attributes;
	pthread_t thread;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&mutex[0], &attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&mutex[1], &attributes);
	pthread_create(&thread, NULL, dies, NULL);
	pthread_join(thread, NULL);
	for (int i = 0; i < 2; i++) {
		printf("owner died: %d", pthread_mutex_lock(&mutex[i]) == EOWNERDEAD);
		printf(", made consistent: %d\n", pthread_mutex_consistent(&mutex[i]));
		pthread_mutex_unlock(&mutex[i]);
	}
}

/* A process that dies with a robust mutex in memory that it shares. */
static void robust_process(void)
{
	pthread_mutex_t *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			-1, 0);
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(shared, &attributes);
	if (fork() == 0) {
		pthread_mutex_lock(shared);
		_exit(0);
	}
	wait(NULL);
	printf("owner process died: %d\n", pthread_mutex_lock(shared) == EOWNERDEAD);
}

static void on_destroy(void *value)
{
	destroyed += *(int *)value;
}

static void *on_heap(void *argument)
{
	volatile int local[100];
	int *value = malloc(sizeof *value);

	*value = 3;
	pthread_setspecific(key, value);
	for (int i = 0; i < 100; i++)
		local[i] = i;
	pthread_barrier_wait(&barrier);
	return (void *)((long)argument + local[99]);
}

static void *cancelled(void *none)
{
	(void)none;
	pthread_setspecific(key, &words[20]);
	for (;;)
		sem_wait(semaphore);
	return NULL;
}

static void library(void)
{
	pthread_attr_t attributes;
	pthread_t thread[3];
	void *result;
	long sum = 0;

	pthread_barrier_init(&barrier, NULL, 3);
	pthread_key_create(&key, on_destroy);
	for (long i = 0; i < 3; i++) {
		void *stack = NULL;

		pthread_attr_init(&attributes);
		if (posix_memalign(&stack, 4096, 262144))
			return;
		pthread_attr_setstack(&attributes, stack, 262144);
		if (pthread_create(&thread[i], &attributes, on_heap, (void *)i))
			printf("no thread\n");
	}
	for (int i = 0; i < 3; i++) {
		pthread_join(thread[i], &result);
		sum += (long)result;
	}
	printf("on heap stacks: sum %ld, destroyed %d\n", sum, destroyed);
	words[20] = 100;
	semaphore = calloc(1, sizeof *semaphore);
	sem_init(semaphore, 0, 2);
	pthread_create(&thread[0], NULL, cancelled, NULL);
	usleep(10000);
	pthread_cancel(thread[0]);
	pthread_join(thread[0], &result);
	printf("cancelled %d, destroyed %d\n", result == PTHREAD_CANCELED, destroyed);
}

static void timed(void)
{
	pthread_mutex_t *lock = calloc(1, sizeof *lock);
	pthread_cond_t *never = calloc(1, sizeof *never);
	pthread_rwlock_t *rw = calloc(1, sizeof *rw);
	struct timespec soon;

	pthread_mutex_init(lock, NULL);
	pthread_cond_init(never, NULL);
	pthread_rwlock_init(rw, NULL);
	pthread_rwlock_wrlock(rw);
	pthread_mutex_lock(lock);
	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_nsec += 5000000;
	soon.tv_sec += soon.tv_nsec / 1000000000;
	soon.tv_nsec %= 1000000000;
	printf("timed: %d", pthread_cond_timedwait(never, lock, &soon) == ETIMEDOUT);
	printf(", %d", pthread_rwlock_timedrdlock(rw, &soon));
	printf(", %d\n", pthread_mutex_timedlock(lock, &soon));
}

static void *spin(void *stop)
{
	while (!__atomic_load_n((int *)stop, __ATOMIC_RELAXED))
		__atomic_fetch_add(&words[30], 1, __ATOMIC_RELAXED);
	return NULL;
}

/* fork and exec while other threads run. */
static void forks(void)
{
	pthread_t thread[2];
	int sum = 0, status;

	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, spin, &words[31]);
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			char *p = malloc(100);

			p[0] = 1;
			free(p);
			_exit(words[20] == 100 ? 2 : 3);
		}
		waitpid(pid, &status, 0);
		sum += WEXITSTATUS(status);
	}
	__atomic_store_n(&words[31], 1, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	printf("forks among threads: %d, spun %d\n", sum, words[30] > 0);
}

static void *leave(void *none)
{
	(void)none;
	usleep(10000);
	printf("the last thread ends the process\n");
	exit(7);
}

int main(void)
{
	pthread_t thread;

	setvbuf(stdout, NULL, _IOLBF, 0);
	words = calloc(1000, sizeof *words);
	mutex = calloc(2, sizeof *mutex);
	raw_thread();
	robust();
	robust_process();
	library();
	timed();
	forks();
	pthread_create(&thread, NULL, leave, NULL);
	pthread_exit(NULL);
}
