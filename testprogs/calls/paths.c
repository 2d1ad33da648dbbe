/* Four functions that call all four, as deep as the argument says: 4 + 16 + … + 4 ^ N paths. */
#include <stdlib.h>

#define OWN __attribute__((noinline, noclone, noipa)) static
#define PATHS(name)         \
	OWN void name(int deep) \
	{                       \
		done++;             \
		if (deep > 1)       \
			all(deep - 1);  \
		done++;             \
	}

static volatile long done;
static void all(int deep);

PATHS(north)
PATHS(east)
PATHS(south)
PATHS(west)

static inline __attribute__((always_inline)) void all(int deep)
{
	north(deep);
	east(deep);
	south(deep);
	west(deep);
}

int main(int argc, char **argv)
{
	all(argc > 1 ? atoi(argv[1]) : 5);
	return 0;
}
