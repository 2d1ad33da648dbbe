/* Does the same once for each byte that it reads, and says so. */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

struct node {
	struct node *next;
	long value;
};

static struct node *list;
static long table[16], sum;

static void push(long value)
{
	struct node *node = malloc(sizeof *node);

	node->next = list;
	node->value = value;
	list = node;
}

static long pop(void)
{
	struct node *node = list;
	long value = node->value;

	list = node->next;
	free(node);
	return value;
}

static long depth(long n)
{
	table[n % 16] += n;
	return n ? depth(n - 1) + 1 : 0;
}

static char from[300], to[600];
static volatile size_t bytes = 100; /* the compiler makes no moves of it */

static void transfers(void)
{
	memset(from, 'x', bytes);
	from[bytes] = 0;
	memcpy(to, from, bytes);
	memmove(to + 1, to, bytes);
	strcpy(to, from);
	strncat(to, from, bytes);
	sum += (long)strlen(to);
}

__attribute__((noinline)) void stage(void)
{
	char *grows = NULL;

	transfers();
	for (long i = 0; i < 50; i++)
		push(i);
	while (list)
		sum += pop();
	for (size_t n = 1; n < 2000; n *= 3) {
		grows = realloc(grows, n);
		grows[n - 1] = (char)n;
	}
	free(grows);
	sum += depth(20);
}

int main(void)
{
	char byte;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where Yama asks for that */
	while (read(0, &byte, 1) == 1) {
		stage();
		if (write(1, "\n", 1) != 1)
			return 1;
	}
	return 3;
}
