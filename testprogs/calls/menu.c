/*
 * A menu: loads the libraries that its arguments name when the key m comes, and prints how many
 * nanoseconds each took by its own clock.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define OWN __attribute__((noinline, noclone))

static long nanos(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1000000000 + now.tv_nsec;
}

OWN void menu_open(int count, char **libraries)
{
	for (int i = 0; i < count; i++) {
		long begin = nanos();
		if (!dlopen(libraries[i], RTLD_NOW))
			puts(dlerror());
		printf("%ld\n", nanos() - begin);
	}
}

int main(int argc, char **argv)
{
	char key;
	while (read(0, &key, 1) == 1)
		if (key == 'm')
			menu_open(argc - 1, argv + 1);
	return 0;
}
