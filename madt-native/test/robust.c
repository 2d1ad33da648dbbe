/*
 * Robust mutexes whose owners end, in every way in which a thread or process ends, in every kind of
 * memory: who waits is told. Prints what the waiter got, whether it waited already or came later.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIZE (3 * 4096)
#define LIMIT_SECONDS 20

enum place { ANONYMOUS, FILE_SHARED, SEGMENT, HEAP };
enum ending { THREAD_EXIT, THREAD_CANCEL, EXIT, KILLED, CRASH, EXECUTED };

static const char *const places[] = { "anonymous", "file", "segment", "heap" };
static const char *const endings[] = { "thread exit", "cancel", "exit", "SIGKILL", "crash",
	"exec" };

struct shared {
	char before[4000]; /* the mutexes lie in different pages */
	pthread_mutex_t first;
	char between[4096];
	pthread_mutex_t second;
	volatile int counter;
};

static struct shared *shared;
static volatile int *volatile nowhere = (volatile int *)8;
static enum ending how;
static int ready[2];

static void *memory_get(enum place place)
{
	FILE *file;
	void *memory;
	int id;

	switch (place) {
	case ANONYMOUS:
		return mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	case FILE_SHARED:
		file = tmpfile();
		if (!file || ftruncate(fileno(file), SIZE))
			exit(2);
		memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
		fclose(file);
		return memory;
	case SEGMENT:
		id = shmget(IPC_PRIVATE, SIZE, IPC_CREAT | 0600);
		memory = shmat(id, NULL, 0);
		shmctl(id, IPC_RMID, NULL);
		return memory;
	default:
		return malloc(SIZE);
	}
}

static void memory_give_back(enum place place)
{
	if (place == HEAP)
		free(shared);
	else if (place == SEGMENT)
		shmdt(shared);
	else
		munmap(shared, SIZE);
}

static void mutex_make(pthread_mutex_t *mutex, int protocol)
{
	pthread_mutexattr_t kind;

	pthread_mutexattr_init(&kind);
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setprotocol(&kind, protocol);
	pthread_mutex_init(mutex, &kind);
}

/* Takes both, after having taken and let go one of them often. */
static void take(void)
{
	for (int i = 0; i < 5; i++) {
		pthread_mutex_lock(&shared->second);
		shared->counter++;
		pthread_mutex_unlock(&shared->second);
	}
	pthread_mutex_lock(&shared->first);
	pthread_mutex_lock(&shared->second);
	shared->counter++;
	if (write(ready[1], "x", 1) != 1)
		_exit(3);
}

static void *owner_thread(void *unused)
{
	take();
	usleep(20000);
	while (how == THREAD_CANCEL)
		pause();
	return unused;
}

static void owner_process(void)
{
	take();
	usleep(20000);
	if (how == EXIT)
		_exit(5);
	if (how == CRASH)
		*nowhere = 1;
	if (how == EXECUTED)
		execl("/bin/true", "true", NULL);
	for (;;)
		pause();
}

static const char *wait_for(pthread_mutex_t *mutex)
{
	struct timespec until;
	int result;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += LIMIT_SECONDS;
	result = pthread_mutex_timedlock(mutex, &until);
	if (result == EOWNERDEAD)
		pthread_mutex_consistent(mutex);
	if (result == 0 || result == EOWNERDEAD)
		pthread_mutex_unlock(mutex);
	return result ? strerror(result) : "taken";
}

static pid_t child;
static pthread_t thread;

static void *end_it(void *unused)
{
	usleep(10000);
	if (how == KILLED)
		kill(child, SIGKILL);
	if (how == THREAD_CANCEL)
		pthread_cancel(thread);
	return unused;
}

static void check(enum place place, enum ending ending, int protocol)
{
	const char *first, *second;
	pthread_t helper;
	char byte;
	int status = 0;

	shared = memory_get(place);
	memset(shared, 0, SIZE);
	mutex_make(&shared->first, protocol);
	mutex_make(&shared->second, protocol);
	how = ending;
	if (ending == THREAD_EXIT || ending == THREAD_CANCEL) {
		pthread_create(&thread, NULL, owner_thread, NULL);
	} else {
		child = fork();
		if (child == 0)
			owner_process();
	}
	if (read(ready[0], &byte, 1) != 1)
		exit(2);
	pthread_create(&helper, NULL, end_it, NULL);
	first = wait_for(&shared->first);
	if (ending == THREAD_EXIT || ending == THREAD_CANCEL)
		pthread_join(thread, NULL);
	else
		waitpid(child, &status, 0);
	pthread_join(helper, NULL);
	second = wait_for(&shared->second);
	printf("%s, %s, protocol %d: %s, %s; counter %d, status %#x\n", places[place], endings[ending],
			protocol, first, second, shared->counter, status & ~0x80);
	fflush(stdout);
	memory_give_back(place);
}

int main(void)
{
	if (pipe(ready))
		return 2;
	for (enum place place = ANONYMOUS; place <= HEAP; place++)
		for (enum ending ending = THREAD_EXIT; ending <= EXECUTED; ending++)
			if (place != HEAP || ending <= THREAD_CANCEL)
				for (int protocol = PTHREAD_PRIO_NONE; protocol <= PTHREAD_PRIO_INHERIT; protocol++)
					check(place, ending, protocol);
	return 0;
}
