/* A free mutex is locked and unlocked, once for each repetition. See measured.h. */
#include "measured.h"

#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void prepare(void)
{
}

uint64_t work(long repetitions)
{
	uint64_t sum = 0;

	for (long i = 0; i < repetitions; i++) {
		pthread_mutex_lock(&mutex);
		sum += (uint64_t)i;
		pthread_mutex_unlock(&mutex);
	}
	return sum;
}
