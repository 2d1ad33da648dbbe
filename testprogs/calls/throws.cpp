/* Exceptions through five functions, with destructors on the way. */
#include "counted.h"

enum { CATCHES, LEVEL1, LEVEL2, LEVEL3, LEVEL4, LEVEL5, CLEANS, NUMBER };

static counted counts[NUMBER] = { COUNT(catches), COUNT(level1), COUNT(level2), COUNT(level3),
	COUNT(level4), COUNT(level5), COUNT(cleans) };
static volatile int sink;

extern "C" {
OWN void cleans(int i)
{
	ENTER(CLEANS);
	sink += i;
	LEAVE(CLEANS);
}

struct guard {
	int number;
	~guard()
	{
		cleans(number);
	}
};

OWN void level5(int i)
{
	ENTER(LEVEL5);
	if (i % 3)
		throw i;
	LEAVE(LEVEL5);
}

#define LEVEL(name, index, next) \
	OWN void name(int i)         \
	{                            \
		ENTER(index);            \
		{                        \
			guard guard = { i }; \
			next(i);             \
		}                        \
		LEAVE(index);            \
	}

LEVEL(level4, LEVEL4, level5)
LEVEL(level3, LEVEL3, level4)
LEVEL(level2, LEVEL2, level3)
LEVEL(level1, LEVEL1, level2)

OWN int catches(int i)
{
	ENTER(CATCHES);
	int caught = 0;
	try {
		level1(i);
	} catch (int thrown) {
		caught = thrown;
	}
	LEAVE(CATCHES);
	return caught;
}
}

int main()
{
	int sum = 0;
	for (int i = 0; i < 30; i++)
		sum += catches(i);
	printf("%d\n", sum);
	counts_print(counts, NUMBER);
	return 0;
}
