/* Locked instructions: xadd, xchg, inc, or, compare-exchange that succeeds and fails, in 8 and in
 * 16 bytes. */
#include <stdio.h>
#include <stdlib.h>

static long counter;
static int flags[17];
static unsigned char turn;
static union {
	unsigned __int128 whole;
	unsigned long half[2];
} wide;

__attribute__((noinline)) static long counting(int i)
{
	long old = __atomic_fetch_add(&counter, 3, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&flags[i % 17], 1, __ATOMIC_SEQ_CST);
	__asm__ volatile("lock incq %0" : "+m"(counter));
	old += __atomic_exchange_n(&turn, (unsigned char)i, __ATOMIC_SEQ_CST);
	__asm__ volatile("lock orl $4, %0" : "+m"(flags[3]));
	return old;
}

__attribute__((noinline)) static int exchange(long *where, long expected, long wanted)
{
	return __atomic_compare_exchange_n(where, &expected, wanted, 0, __ATOMIC_SEQ_CST,
			__ATOMIC_SEQ_CST);
}

__attribute__((noinline)) static int exchange16(unsigned long low, unsigned long high,
		unsigned long new_low)
{
	unsigned char done;
	__asm__ volatile("lock cmpxchg16b %0; sete %1"
					 : "+m"(wide.whole), "=q"(done), "+a"(low), "+d"(high)
					 : "b"(new_low), "c"(high)
					 : "cc");
	return done;
}

int main(void)
{
	long *block = calloc(5, sizeof(long));
	long sum = 0;

	for (int i = 0; i < 83; i++) {
		sum += counting(i);
		sum += exchange(block + i % 5, i / 5, i / 5 + 1); /* succeeds once per cell and round */
		sum += exchange(&counter, -1, 7);                 /* fails */
		sum += exchange16((unsigned long)i, 0, (unsigned long)i + 1) * 2;
		sum += exchange16(1000, 0, 1); /* fails */
	}
	printf("atomics %ld %ld %lx\n", sum, block[0], wide.half[0] ^ wide.half[1]);
	free(block);
	return 0;
}
