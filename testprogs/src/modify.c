/* Instructions that read and write one operand: inc, add, neg, not, shifts, adc, in one to eight
 * bytes. */
#include <stdio.h>
#include <stdlib.h>

static volatile unsigned char byte;
static volatile unsigned short word;
static volatile unsigned int dword;
static volatile unsigned long qword;
static unsigned long cells[29];

__attribute__((noinline)) static void by_compiler(unsigned i)
{
	byte++;
	word += 300;
	dword ^= i;
	qword <<= 1;
	cells[i % 29] += i;
}

__attribute__((noinline)) static void by_hand(unsigned long *cell)
{
	__asm__ volatile("incb %0" : "+m"(byte));
	__asm__ volatile("negw %0" : "+m"(word));
	__asm__ volatile("notl %0" : "+m"(dword));
	__asm__ volatile("rorq $3, %0" : "+m"(qword));
	__asm__ volatile("stc; adcq $7, %0" : "+m"(*cell) : : "cc");
	__asm__ volatile("xaddq %1, %0" : "+m"(*cell) : "r"(5L) : "cc");
	__asm__ volatile("shldq $3, %1, %0" : "+m"(*cell) : "r"(99L) : "cc");
}

int main(void)
{
	unsigned long *block = calloc(3, sizeof(long));
	for (unsigned i = 0; i < 67; i++) {
		by_compiler(i);
		by_hand(block + i % 3);
	}
	printf("modify %u %u %u %lx %lx %lx\n", byte, word, dword, qword, cells[28], block[1]);
	free(block);
	return 0;
}
