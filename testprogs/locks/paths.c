/* Two threads that race in functions which they come to by calls of their own. */
#include <pthread.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

static volatile long raced, deep, filled, after;

static APART void add(void)
{
	raced++;
}

static APART void down(int more)
{
	if (more > 0)
		down(more - 1);
	else
		deep++;
	__asm__ volatile("");
}

static APART void fill(void)
{
	filled = 1;
}

static APART void empty(void)
{
	filled = 0;
}

static APART void left(void)
{
	add();
	down(2);
	fill();
	__asm__ volatile("");
}

static APART void right(void)
{
	add();
	down(0);
	empty();
	__asm__ volatile("");
}

static APART void late(void)
{
	after++;
}

static APART void *first(void *unused)
{
	left();
	after++;
	return unused;
}

static APART void *second(void *unused)
{
	usleep(50000); /* orders nothing */
	right();
	late();
	return unused;
}

int main(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, first, NULL);
	pthread_create(&threads[1], NULL, second, NULL);
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
