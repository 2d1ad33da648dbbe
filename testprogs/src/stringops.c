/* The string instructions, with and without a repeat prefix. Each iteration is one access (two for
 * movs and cmps). */
#include <stdio.h>
#include <stdlib.h>

#define SIZE 61

static unsigned char from[SIZE + 3];
static unsigned char to[SIZE + 3];
static unsigned long quads[23];

__attribute__((noinline)) static void copy_bytes(void *d, const void *s, size_t n)
{
	__asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
}

__attribute__((noinline)) static void copy_down(unsigned char *d, const unsigned char *s, size_t n)
{
	d += n - 1;
	s += n - 1;
	__asm__ volatile("std; rep movsb; cld" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
}

__attribute__((noinline)) static void store_quads(void *d, unsigned long value, size_t n)
{
	__asm__ volatile("rep stosq" : "+D"(d), "+c"(n) : "a"(value) : "memory");
}

__attribute__((noinline)) static size_t equal_bytes(const void *a, const void *b, size_t n)
{
	size_t left = n;
	__asm__ volatile("repe cmpsb" : "+D"(a), "+S"(b), "+c"(left) : : "memory", "cc");
	return n - left;
}

__attribute__((noinline)) static size_t find_byte(const void *a, unsigned char value, size_t n)
{
	size_t left = n;
	__asm__ volatile("repne scasb" : "+D"(a), "+c"(left) : "a"(value) : "memory", "cc");
	return n - left;
}

__attribute__((noinline)) static unsigned sum_bytes(const unsigned char *s, size_t n)
{
	unsigned sum = 0;
	unsigned char value;
	while (n--) {
		__asm__ volatile("lodsb" : "+S"(s), "=a"(value) : : "memory");
		sum += value;
	}
	return sum;
}

__attribute__((noinline)) static void single_steps(void *d, const void *s)
{
	__asm__ volatile("movsq; movsl; stosw" : "+D"(d), "+S"(s) : "a"(7) : "memory");
}

int main(void)
{
	unsigned long result = 0;
	unsigned char *block = malloc(SIZE);

	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < SIZE; i++)
			from[i] = i * 11 + round;
		copy_bytes(to, from, SIZE);
		copy_bytes(block, from, SIZE);
		copy_bytes(to, from, 0);
		copy_down(from + 1, from, SIZE - 7);
		store_quads(quads, 0x0123456789abcdef, 23);
		result += equal_bytes(to, block, SIZE) + find_byte(block, 33, SIZE)
				+ find_byte(to, from[60], SIZE);
		single_steps(to, from);
		result += sum_bytes(to, SIZE) + quads[22];
	}
	free(block);
	printf("stringops %lx\n", result);
	return 0;
}
