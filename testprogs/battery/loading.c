/* flags: -O1 -pthread -ldl */
/* Libraries that come and go: while threads run, in namespaces of their own, and by constructors. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int named(struct dl_phdr_info *info, size_t size, void *name)
{
	(void)size;
	return strstr(info->dlpi_name, name) != NULL;
}

static int loaded(const char *name)
{
	return dl_iterate_phdr(named, (void *)name) != 0;
}

static void *work(void *unused)
{
	long sum = 0;

	for (int i = 0; i < 500; i++) {
		char *block = malloc(100 + (size_t)i);

		memset(block, i, 100);
		sum += block[50];
		free(block);
	}
	(void)unused;
	return (void *)sum;
}

int main(void)
{
	static const char *names[] = { "libm.so.6", "libutil.so.1", "libanl.so.1",
		"libBrokenLocale.so.1" };
	pthread_t worker;
	void *result;
	double (*cosine)(double) = NULL;
	Dl_info where;
	int bad = 0;

	pthread_create(&worker, NULL, work, NULL);
	for (int round = 0; round < 4; round++)
		for (int i = 0; i < 4; i++) {
			void *handle = dlopen(names[i], round % 2 ? RTLD_NOW : RTLD_LAZY);

			bad += handle == NULL || !loaded(names[i]);
			if (i == 0) {
				cosine = (double (*)(double))dlsym(handle, "cos");
				bad += cosine(0) != 1 || !dladdr((void *)cosine, &where);
			}
			bad += dlclose(handle) != 0;
		}
	pthread_join(worker, &result);
	printf("bad %d, sum %ld, %d\n", bad, (long)result, loaded("libanl.so.1"));
	printf("none: %d %d\n", dlopen("libnone.so.9", RTLD_NOW) == NULL, dlerror() != NULL);
	printf("not loaded: %d\n", dlopen("libanl.so.1", RTLD_NOW | RTLD_NOLOAD) == NULL);
	for (int i = 0; i < 3; i++) {
		void *space = dlmopen(LM_ID_NEWLM, "libm.so.6", RTLD_NOW);
		double (*sine)(double) = space ? (double (*)(double))dlsym(space, "sin") : NULL;

		printf("namespace: %d %.3f\n", space != NULL, sine ? sine(1) : 0);
		if (space)
			dlclose(space);
	}
	printf("own: %d %d\n", dlsym(RTLD_DEFAULT, "malloc") != NULL, dlsym(RTLD_NEXT, "main") == NULL);
	return 0;
}
