/* Allocates blocks of many sizes, some in threads, and then touches the ends of each again and again. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#define BLOCKS 10000
#define THREADS 4

static char *block[BLOCKS];
static size_t size[BLOCKS];

static void *make(void *number)
{
	unsigned seed = (unsigned)(long)number;

	for (long i = (long)number; i < BLOCKS; i += THREADS) {
		void *gone = malloc(1 + (size_t)rand_r(&seed) % 500);

		size[i] = 1 + (size_t)rand_r(&seed) % (i % 100 ? 3000 : 300000);
		block[i] = malloc(size[i]);
		free(gone);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread[THREADS];

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where Yama asks for that */
	for (long i = 0; i < THREADS; i++)
		pthread_create(&thread[i], NULL, make, (void *)i);
	for (long i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	if (write(1, "ready\n", 6) != 6)
		return 1;
	for (;;) {
		for (int i = 0; i < BLOCKS; i++)
			block[i][0] = block[i][size[i] - 1] = (char)i;
		usleep(1000);
	}
}
