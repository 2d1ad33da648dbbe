/*
 * Threads that store to what lies side by side, or a line apart: the arguments say what, one after the
 * other. They take turns by a lock, so that the lines move in a known order.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, MOST = 4 };

struct narrow {
	long count;
	long other;
};
struct wide {
	_Alignas(LINE) long count;
	long other;
};
struct pair {
	long left;
	long right;
};
struct pair_apart {
	_Alignas(LINE) long left;
	_Alignas(LINE) long right;
};

static _Alignas(LINE) struct narrow narrow[MOST];
static struct wide wide[MOST];
/* Side by side, whatever the linker thinks. */
__asm__(".local flags\n.comm flags,64,64\n.set first_flag,flags\n.set second_flag,flags+4");
extern volatile int first_flag, second_flag;
static _Alignas(LINE) volatile int first_apart;
static _Alignas(LINE) volatile int second_apart;
static _Alignas(LINE) struct pair pair;
static struct pair_apart pair_apart;
static volatile long *block, *block_apart;
static _Alignas(LINE) volatile struct {
	long limit;
	long count;
} beside;
static _Alignas(LINE) volatile long one_for_all;

static pthread_mutex_t turn_lock = PTHREAD_MUTEX_INITIALIZER;
static const char *what = "narrow";
static const int times = 300;

static void store(int self, int i)
{
	if (strcmp(what, "narrow") == 0)
		narrow[self].count++;
	else if (strcmp(what, "wide") == 0)
		wide[self].count++;
	else if (strcmp(what, "flags") == 0)
		*(self ? &second_flag : &first_flag) = i;
	else if (strcmp(what, "flags_apart") == 0)
		*(self ? &second_apart : &first_apart) = i;
	else if (strcmp(what, "pair") == 0)
		*(volatile long *)(self ? &pair.right : &pair.left) = i;
	else if (strcmp(what, "pair_apart") == 0)
		*(volatile long *)(self ? &pair_apart.right : &pair_apart.left) = i;
	else if (strcmp(what, "block") == 0)
		block[self] = i;
	else if (strcmp(what, "block_apart") == 0)
		block_apart[self * LINE / (int)sizeof(long)] = i;
	else if (strcmp(what, "reader") == 0)
		self ? (void)beside.limit : (void)(beside.count = i);
	else
		one_for_all++;
}

static void *work(void *number)
{
	int self = (int)(long)number;

	for (int i = 0; i < times; i++) {
		pthread_mutex_lock(&turn_lock);
		store(self, i);
		pthread_mutex_unlock(&turn_lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t id[2];

	block = aligned_alloc(LINE, LINE);
	block_apart = aligned_alloc(LINE, 2 * LINE);
	for (int at = 1; at < argc; at++) {
		what = argv[at];
		for (long i = 0; i < 2; i++)
			pthread_create(&id[i], NULL, work, (void *)i);
		for (int i = 0; i < 2; i++)
			pthread_join(id[i], NULL);
	}
	return 0;
}
