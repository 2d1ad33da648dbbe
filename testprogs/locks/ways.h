/* Programs of ways to do something, those of which are run whose names begin with argument 1. */
#include <stdio.h>
#include <string.h>

struct way {
	const char *name;
	void *(*work)(void *);
};
#define WAY(name)   \
	{               \
#name, name \
	}

/* Runs the ways that are asked for; without an argument prints all names. */
static int run_ways(int argc, char **argv, const struct way *ways, size_t count,
		void (*run)(const struct way *))
{
	for (size_t i = 0; i < count; i++) {
		if (argc > 1 && strncmp(argv[1], ways[i].name, strlen(argv[1])) == 0)
			run(&ways[i]);
		else if (argc == 1)
			puts(ways[i].name);
	}
	return 0;
}
