/*
 * Threads that end, with blocks that they have freed. Words say for how many rounds, and whether
 * each thread leaves a block that is freed twice: by itself, and as the value of a key.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZES 6

static pthread_key_t key;
static int twice;

static void *work(void *nothing)
{
	char *block[SIZES], *text;

	for (int i = 0; i < SIZES; i++) {
		block[i] = malloc(24 + 50 * i);
		memset(block[i], 1, 24);
	}
	for (int i = 0; i < SIZES; i++)
		free(block[i]);
	text = realloc(strdup("text"), 1000);
	text[999] = 1;
	free(text);
	block[0] = malloc(2000);
	pthread_setspecific(key, block[0]);
	if (twice)
		free(block[0]);
	return nothing;
}

int main(int count, char **words)
{
	const int rounds = count > 1 ? atoi(words[1]) : 10;

	twice = count > 2;
	pthread_key_create(&key, free);
	puts("ready");
	fflush(stdout);
	for (int i = 0; i < rounds; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, work, NULL))
			return 1;
		pthread_join(thread, NULL);
		if (rounds > 100)
			usleep(2000);
	}
	return 0;
}
