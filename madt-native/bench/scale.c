/*
 * What real programs have many of, for `madt bench scale`:
 *
 *   scale live N       makes N blocks of 24 bytes and goes through them
 *   scale order N      N blocks of random sizes, 1,000 alive, ended in the order of their births
 *   scale random N     the same, ended in any order
 *   scale forks N      N children one after another, each of 1,000 stores
 *   scale execs N      N times /bin/true
 *   scale threads N    N threads one after another, each of 1,000 stores
 *   scale mappings N   N mappings of a page, a store into each, then their ends
 */
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALIVE 1000
#define STORES 1000
#define PAGE 4096

extern char **environ;

struct link {
	struct link *before;
	long number[2];
};

static volatile long stored[STORES];

static void check(int good)
{
	if (!good)
		abort();
}

static void live(long count)
{
	struct link *last = NULL;

	for (long i = 0; i < count; i++) {
		struct link *link = malloc(sizeof *link);
		check(link != NULL);
		*link = (struct link){ last, { i, i } };
		last = link;
	}
	for (; last; last = last->before)
		stored[0] += last->number[0];
}

static void churn(long count, int random)
{
	static char *block[ALIVE];
	uint64_t state = 88172645463325252u;

	for (long i = 0; i < count; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		char **place = &block[random ? (state >> 32) % ALIVE : (uint64_t)i % ALIVE];
		free(*place);
		*place = malloc(16 + state % 497);
		check(*place != NULL);
	}
	for (int i = 0; i < ALIVE; i++)
		free(block[i]);
}

static void in_order(long count)
{
	churn(count, 0);
}

static void at_random(long count)
{
	churn(count, 1);
}

static void *store(void *none)
{
	for (int i = 0; i < STORES; i++)
		stored[i] = i;
	return none;
}

static void forks(long count)
{
	for (long i = 0; i < count; i++) {
		pid_t child = fork();
		if (!child) {
			store(NULL);
			_exit(0);
		}
		check(child > 0 && waitpid(child, NULL, 0) == child);
	}
}

static void execs(long count)
{
	char *arguments[] = { "true", NULL };

	for (long i = 0; i < count; i++) {
		pid_t child;
		check(posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ) == 0);
		check(waitpid(child, NULL, 0) == child);
	}
}

static void threads(long count)
{
	for (long i = 0; i < count; i++) {
		pthread_t thread;
		check(pthread_create(&thread, NULL, store, NULL) == 0);
		pthread_join(thread, NULL);
	}
}

static void mappings(long count)
{
	char **page = malloc((size_t)count * sizeof *page);

	check(page != NULL);
	for (long i = 0; i < count; i++) {
		/* neighbours that differ stay two mappings */
		page[i] = mmap(NULL, PAGE,
				i % 2 ? PROT_READ | PROT_WRITE : PROT_READ | PROT_WRITE | PROT_EXEC,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		check(page[i] != MAP_FAILED);
		*page[i] = 1;
	}
	for (long i = 0; i < count; i++)
		munmap(page[i], PAGE);
	free(page);
}

static const struct {
	const char *name;
	void (*work)(long count);
} works[] = { { "live", live }, { "order", in_order }, { "random", at_random }, { "forks", forks },
	{ "execs", execs }, { "threads", threads }, { "mappings", mappings } };

int main(int count, char **arguments)
{
	for (size_t i = 0; count == 3 && i < sizeof works / sizeof works[0]; i++)
		if (!strcmp(arguments[1], works[i].name)) {
			works[i].work(atol(arguments[2]));
			return 0;
		}
	return 2;
}
