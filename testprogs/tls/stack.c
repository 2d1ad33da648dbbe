/* A thread with its stack, and so its thread-local storage, in a block. */
#include <pthread.h>
#include <stdlib.h>

enum { SIZE = 1 << 16 };

static __thread volatile char count = 7;
static volatile char *copy;

__attribute__((noinline)) void touch(volatile char *place)
{
	(void)*place;
}

static void *work(void *argument)
{
	copy = &count;
	touch(copy);
	return argument;
}

int main(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	char *stack = malloc(2 * SIZE);

	touch(stack + SIZE);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, stack, 2 * SIZE);
	pthread_create(&thread, &attributes, work, NULL);
	pthread_join(thread, NULL);
	touch(copy);
	free(stack);
	return 0;
}
