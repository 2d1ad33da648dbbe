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
static struct wide many[32];

/* As Phoenix's linear_regression has it: what each thread sums up, in an array that begins anywhere. */
struct sums {
	pthread_t id;
	const char *points;
	int number;
	long long x, y, xx, yy, xy;
};
struct sums_apart {
	_Alignas(LINE) struct sums sums;
};

/* A lock, and beside it what the thread without the lock writes. */
static struct locked {
	_Alignas(LINE) pthread_mutex_t lock;
	long under;
	volatile long hits;
} locked;
static struct locked_apart {
	_Alignas(LINE) pthread_mutex_t lock;
	long under;
	_Alignas(LINE) volatile long hits;
} locked_apart;

/* Elements of an array, by turns or by halves. */
struct body {
	float place[3];
	float mass;
};
enum { BODIES = 16 };

/* Apart from what is stored to: nothing but the cases is to share a line. */
static struct {
	_Alignas(LINE) struct sums *sums;
	struct sums_apart *sums_apart;
	struct body *bodies, *halves;
} heap;

static struct {
	_Alignas(LINE) pthread_mutex_t lock;
} turn = { PTHREAD_MUTEX_INITIALIZER };
static const char *what = "narrow";
static const int times = 300;

static void sum_up(volatile struct sums *into, int i)
{
	into->x += i;
	into->y += 2 * i;
	into->xx += i * i;
	into->yy += 4 * i * i;
	into->xy += 2 * i * i;
}

static void lock(pthread_mutex_t *mutex, long *under)
{
	pthread_mutex_lock(mutex);
	++*under;
	pthread_mutex_unlock(mutex);
}

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
	else if (strcmp(what, "sums") == 0)
		sum_up(&heap.sums[self], i);
	else if (strcmp(what, "sums_apart") == 0)
		sum_up(&heap.sums_apart[self].sums, i);
	else if (strcmp(what, "locked") == 0)
		self ? (void)locked.hits++ : lock(&locked.lock, &locked.under);
	else if (strcmp(what, "locked_apart") == 0)
		self ? (void)locked_apart.hits++ : lock(&locked_apart.lock, &locked_apart.under);
	else if (strcmp(what, "bodies") == 0)
		heap.bodies[i % (BODIES / 2) * 2 + self].mass += 1;
	else if (strcmp(what, "halves") == 0)
		heap.halves[i % (BODIES / 2) + self * (BODIES / 2)].mass += 1;
	else if (strcmp(what, "many") == 0)
		many[i % 32].count++;
	else
		one_for_all++;
}

static void *work(void *number)
{
	int self = (int)(long)number;

	for (int i = 0; i < times; i++) {
		pthread_mutex_lock(&turn.lock);
		store(self, i);
		pthread_mutex_unlock(&turn.lock);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t id[2];

	block = aligned_alloc(LINE, LINE);
	block_apart = aligned_alloc(LINE, 2 * LINE);
	heap.sums = (struct sums *)((char *)aligned_alloc(LINE, 4 * LINE)
			+ 16); /* as malloc may give it */
	heap.sums_apart = aligned_alloc(LINE, 2 * sizeof *heap.sums_apart);
	heap.bodies = aligned_alloc(LINE, BODIES * sizeof *heap.bodies);
	heap.halves = aligned_alloc(LINE, BODIES * sizeof *heap.halves);
	for (int at = 1; at < argc; at++) {
		what = argv[at];
		for (long i = 0; i < 2; i++)
			pthread_create(&id[i], NULL, work, (void *)i);
		for (int i = 0; i < 2; i++)
			pthread_join(id[i], NULL);
	}
	return 0;
}
