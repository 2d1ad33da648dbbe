/*
 * Logs which of its functions are entered and left, in a file that it maps: a capital letter for an
 * enter, a small one for a leave. When the log is full, the program ends within these functions in
 * the way that it is asked for.
 *
 *   last LOG LENGTH exit|segv|kill|abort
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_DEPTH 6

static char *letters;
static size_t used, length;
static const char *ending;
static unsigned random_state = 1;
static unsigned *counts; /* in the heap, from the beginning on */

static void end(void)
{
	if (strcmp(ending, "segv") == 0)
		*(volatile int *)0 = 1;
	else if (strcmp(ending, "kill") == 0)
		kill(getpid(), SIGKILL);
	else if (strcmp(ending, "abort") == 0)
		abort();
	exit(0);
}

static void note(char letter)
{
	if (used == length)
		end();
	letters[used++] = letter;
}

static unsigned next_random(unsigned below)
{
	random_state = random_state * 1103515245 + 12345;
	return (random_state >> 16) % below;
}

static void step(int depth);

#define STEP(number)                                                        \
	__attribute__((noinline)) static void step_##number(int depth)          \
	{                                                                       \
		note('A' + number);                                                 \
		counts[number]++;                                                   \
		for (unsigned i = next_random(4); i > 0 && depth < MOST_DEPTH; i--) \
			step(depth + 1);                                                \
		note('a' + number);                                                 \
	}
STEP(0)
STEP(1)
STEP(2)
STEP(3)

static void (*const steps[])(int) = { step_0, step_1, step_2, step_3 };

static void step(int depth)
{
	steps[next_random(4)](depth);
}

int main(int count, char **arguments)
{
	int file = count == 4 ? open(arguments[1], O_RDWR | O_CREAT, 0600) : -1;

	if (file < 0)
		return 1;
	length = strtoul(arguments[2], 0, 10);
	ending = arguments[3];
	if (ftruncate(file, (off_t)length) != 0)
		return 1;
	letters = mmap(0, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	counts = calloc(sizeof steps / sizeof *steps, sizeof *counts);
	for (;;)
		step(0);
}
