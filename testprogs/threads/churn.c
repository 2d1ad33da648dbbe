/* churn WAVES ROUNDS: threads that come and go, 2 to 16 at a time; they return, leave by
 * pthread_exit, or are nobody's to wait for. */
#include "known.h"

static long rounds;
static int unattended; /* threads that nobody joins and that are not done yet */

static void *work(void *number)
{
	long own = (long)number * 5;

	for (long i = 0; i < rounds; i++) {
		known_add(own + i % 5, i);
		known_add_locked(WORDS - 1, 1);
	}
	known_end();
	if ((long)number % 3 == 1)
		pthread_exit(NULL);
	return NULL;
}

static void *work_unattended(void *number)
{
	work(number);
	__atomic_fetch_sub(&unattended, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static void detached_start(long number)
{
	pthread_attr_t attributes;
	pthread_t thread;

	__atomic_fetch_add(&unattended, 1, __ATOMIC_SEQ_CST);
	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&thread, &attributes, work_unattended, (void *)number))
		abort();
	pthread_attr_destroy(&attributes);
}

int main(int count, char **arguments)
{
	if (count < 3)
		return 2;
	rounds = atol(arguments[2]);
	known_begin();
	for (long wave = 0; wave < atol(arguments[1]); wave++) {
		detached_start(20);
		detached_start(21);
		threads_run(2 + wave * 7 % 15, work);
	}
	while (__atomic_load_n(&unattended, __ATOMIC_SEQ_CST))
		usleep(1000);
	return 0;
}
