/* Functions that the program copies by loads of its own: among its data, to a file, for threads. */
/* flags: -O1 -pthread -fno-toplevel-reorder -fno-inline -fno-builtin -fcf-protection=none */
#define _GNU_SOURCE
#include "copied.h"

#include <pthread.h>
#include <unistd.h>

static char own[3 * PAGE] __attribute__((aligned(PAGE)));

static void *call_often(void *at)
{
	function *volatile there = (function *)at;
	struct item mine[2] = { { 3, 0, &mine[1] }, { 4, 0, NULL } };
	long sum = 0;

	for (int i = 0; i < 1000; i++)
		sum += there(mine, 2);
	return (void *)sum;
}

static void threads(void)
{
	char *room = room_of(RW | PROT_EXEC);
	pthread_t thread[4];
	void *sum;

	for (int round = 0; round < 8; round++) {
		copy(room + round * PAGE, (char *)visit, (char *)end_of_all);
		for (int i = 0; i < 4; i++)
			pthread_create(&thread[i], NULL, call_often, room + round * PAGE);
		for (int i = 0; i < 4; i++)
			printf(i < 3 ? "%ld " : "%ld\n", (pthread_join(thread[i], &sum), (long)sum));
	}
}

int main(void)
{
	int file = memfd_create("code", 0);
	char *seen;

	copy(own, (char *)visit, (char *)end_of_all);
	mprotect(own, PAGE, PROT_READ | PROT_EXEC);
	call("in the module's data", own);
	mprotect(own + PAGE, 2 * PAGE, RW | PROT_EXEC);
	copy_at_once(own + 2 * PAGE - 20, (char *)visit, (char *)end_of_all);
	call("in data that can be executed", own + 2 * PAGE - 20);
	if (file < 0 || ftruncate(file, PAGE))
		return 1;
	seen = mmap(NULL, PAGE, RW, MAP_SHARED, file, 0);
	copy(seen, (char *)visit, (char *)end_of_all);
	call("of a file", mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, file, 0));
	threads();
	return 0;
}
