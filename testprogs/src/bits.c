/* Bit instructions whose register operand reaches beyond the operand: bts, btr, btc, bt, locked and
 * not, and bit fields. */
#include <stdio.h>
#include <stdlib.h>

#define BITS 1999

static unsigned long map[(BITS + 63) / 64 + 1];
static struct {
	unsigned low : 5;
	unsigned middle : 11;
	unsigned high : 16;
} fields[7];

__attribute__((noinline)) static int set_bit(unsigned long *where, long bit)
{
	unsigned char old;
	__asm__ volatile("btsq %2, %0; setc %1" : "+m"(*where), "=q"(old) : "r"(bit) : "memory", "cc");
	return old;
}

__attribute__((noinline)) static int clear_bit(unsigned long *where, int bit)
{
	unsigned char old;
	__asm__ volatile("lock btrl %2, %0; setc %1"
					 : "+m"(*where), "=q"(old)
					 : "r"(bit)
					 : "memory", "cc");
	return old;
}

__attribute__((noinline)) static int flip_bit(unsigned long *where, long bit)
{
	unsigned char old;
	__asm__ volatile("btcq %2, %0; setc %1" : "+m"(*where), "=q"(old) : "r"(bit) : "memory", "cc");
	return old;
}

__attribute__((noinline)) static int test_bit(const unsigned long *where, int bit)
{
	unsigned char old;
	__asm__ volatile("btl %2, %1; setc %0" : "=q"(old) : "m"(*where), "r"(bit) : "memory", "cc");
	return old;
}

int main(void)
{
	unsigned long *block = calloc(9, sizeof(long));
	int sum = 0;

	for (int i = 0; i < 97; i++) {
		int bit = (i * 431) % BITS;
		sum += set_bit(map, bit) + set_bit(block, bit % 576);
		sum += flip_bit(map + 5, bit % 700 - 300); /* below the operand, too */
		sum += clear_bit(map, bit) + test_bit(block, bit % 576) + test_bit(map, bit);
		__asm__ volatile("btsq $41, %0" : "+m"(map[1]) : : "cc");
		fields[i % 7].middle += i;
		sum += fields[i % 7].high;
	}
	printf("bits %d %lx %u\n", sum, map[1], fields[3].middle);
	free(block);
	return 0;
}
