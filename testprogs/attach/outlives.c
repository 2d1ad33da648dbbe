/* Its first thread ends; the second one goes on adding up for two seconds. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static volatile long sum;

static void *work(void *unused)
{
	(void)unused;
	for (int i = 0; i < 200; i++) {
		sum += i;
		usleep(10000);
	}
	printf("%ld\n", sum);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_exit(NULL);
}
