/*
 * Touches one byte of thread-local storage at a time: of all models, of modules from the beginning
 * and of such as come later, in threads from before and after that, in a handler, in a child.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 16
#define EARLY 7 /* threads before the modules that come later */

typedef volatile char *place(int which, int i);
place le_at, ie_at, gd_at, ld_at, desc_at, object_at;
static place *places[9] = { le_at, ie_at, gd_at, ld_at, desc_at, object_at };
static pthread_barrier_t before, loaded;

__attribute__((noinline)) void touch(volatile char *place)
{
	(void)*place;
}

static void handle(int number)
{
	touch(le_at(0, 40 + number % 2));
}

static void touch_all(int i)
{
	for (unsigned k = 0; k < sizeof places / sizeof *places; k++)
		for (int which = 0; which < 2; which++)
			touch(places[k](which, i));
	touch((volatile char *)&errno);
	pthread_kill(pthread_self(), SIGUSR1);
}

static void *work(void *argument)
{
	int i = (int)(long)argument;

	if (i < EARLY) {
		touch(le_at(1, i));
		pthread_barrier_wait(&before);
		pthread_barrier_wait(&loaded);
	}
	touch_all(i);
	return NULL;
}

static void load(int number, const char *file, const char *name)
{
	void *library = dlopen(file, RTLD_NOW);

	places[number] = library ? (place *)dlsym(library, name) : NULL;
	if (!places[number])
		printf("%s: %s\n", file, dlerror());
}

int main(void)
{
	pthread_t threads[THREADS];
	int status;

	signal(SIGUSR1, handle);
	pthread_barrier_init(&before, NULL, EARLY + 1);
	pthread_barrier_init(&loaded, NULL, EARLY + 1);
	for (long i = 0; i < EARLY; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	pthread_barrier_wait(&before);
	load(6, "./liblate_gd.so", "late_gd_at");
	load(7, "./liblate_ie.so", "late_ie_at");
	load(8, "./liblate_desc.so", "late_desc_at");
	pthread_barrier_wait(&loaded);
	for (long i = EARLY; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	touch_all(THREADS);
	if (fork() == 0) {
		touch_all(THREADS + 1);
		_exit(3);
	}
	wait(&status);
	printf("%d\n", WEXITSTATUS(status));
	return 0;
}
