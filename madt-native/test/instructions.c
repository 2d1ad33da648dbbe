/*
 * Instruction classes whose addresses come from more than base, index and displacement. Each is
 * executed on `area`, after a line that says what it must access: "expect L|S OFFSET SIZE". The
 * check compares these lines with what was recorded for `area`, in order. The last line, "accesses
 * N", counts those of the instruction classes that this processor has.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static unsigned char area[3 * 4096] __attribute__((aligned(4096)));

static void expect(char kind, unsigned offset, unsigned size)
{
	printf("expect %c %u %u\n", kind, offset, size);
}

static void bits(void)
{
	long far = 1000, near = -9;

	expect('L', 2048 + 1000 / 64 * 8, 8);
	__asm__ volatile("btq %1, %0" : : "m"(area[2048]), "r"(far) : "cc", "memory");
	expect('L', 2048 - 4, 4);
	expect('S', 2048 - 4, 4);
	__asm__ volatile("btsl %k1, %0" : "+m"(area[2048]) : "r"(near) : "cc", "memory");
	expect('L', 100, 4);
	expect('S', 100, 4);
	__asm__ volatile("lock btcl $3, %0" : "+m"(area[100]) : : "cc", "memory");
}

static void implicit(void)
{
	unsigned char *base = area + 256, al = 77;
	unsigned long low = 0, high = 0, count = 3;
	unsigned char *from = area + 512, *to = area + 4096 - 8;

	expect('L', 256 + 77, 1);
	__asm__ volatile("xlat" : "+a"(al) : "b"(base) : "memory");
	expect('L', 1024, 16);
	expect('S', 1024, 16);
	__asm__ volatile("lock cmpxchg16b %0"
					 : "+m"(area[1024]), "+a"(low), "+d"(high)
					 : "b"(1L), "c"(2L)
					 : "cc", "memory");
	for (unsigned i = 0; i < 3; i++) {
		expect('L', 512 + i * 8, 8);
		expect('S', 4096 - 8 + i * 8, 8);
	}
	__asm__ volatile("rep movsq" : "+S"(from), "+D"(to), "+c"(count) : : "memory");
	count = 0;
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(0) : "memory");
	expect('L', 8, 8);
	__asm__ volatile("pushq %0\n\tpopq %%rax" : : "m"(area[8]) : "rax", "memory");
	expect('S', 16, 8);
	__asm__ volatile("pushq $5\n\tpopq %0" : "=m"(area[16]) : : "memory");
	expect('L', 4096 - 3, 8);
	__asm__ volatile("movq %0, %%rax" : : "m"(area[4096 - 3]) : "rax", "memory");
	expect('S', 64, 512);
	expect('L', 64, 512);
	__asm__ volatile("fxsave %1\n\tfxrstor %0" : : "m"(area[64]), "m"(area[64]) : "memory");
}

static void x87(void)
{
	expect('L', 32, 10);
	expect('S', 48, 10);
	__asm__ volatile("fldt %1\n\tfstpt %0" : "=m"(area[48]) : "m"(area[32]) : "memory");
	expect('L', 64, 8);
	expect('S', 80, 4);
	__asm__ volatile("fildll %1\n\tfistpl %0" : "=m"(area[80]) : "m"(area[64]) : "memory");
}

static void avx2(void)
{
	int index[8] = { 0, 10, 2000, 5, 1500, 7, 8, 9 }, mask[8] = { -1, 0, -1, 0, -1, 0, 0, -1 };
	int stored[8] = { 0, -1, -1, 0, 0, 0, 0, -1 };
	long wide[4] = { 0, -1, 0, -1 };

	for (int i = 0; i < 8; i++)
		if (mask[i])
			expect('L', (unsigned)(40 + index[i] * 4), 4);
	__asm__ volatile("vmovdqu %1, %%ymm1\n\tvmovdqu %2, %%ymm2\n\tvpgatherdd %%ymm2, "
					 "(%0,%%ymm1,4), %%ymm0\n\tvzeroupper"
					 :
					 : "r"(area + 40), "m"(index), "m"(mask)
					 : "xmm0", "xmm1", "xmm2", "memory");
	for (int i = 0; i < 8; i++)
		if (stored[i])
			expect('S', (unsigned)(4096 - 8 + i * 4), 4);
	__asm__ volatile("vmovdqu %1, %%ymm1\n\tvmaskmovps %%ymm0, %%ymm1, (%0)\n\tvzeroupper"
					 :
					 : "r"(area + 4096 - 8), "m"(stored)
					 : "xmm0", "xmm1", "memory");
	expect('L', 8192 - 16 + 8, 8);
	expect('L', 8192 - 16 + 24, 8);
	__asm__ volatile("vmovdqu %1, %%ymm1\n\tvmaskmovpd (%0), %%ymm1, %%ymm0\n\tvzeroupper"
					 :
					 : "r"(area + 8192 - 16), "m"(wide)
					 : "xmm0", "xmm1", "memory");
}

static void avx512(void)
{
	long index[8] = { 3, 900, 5, 6, 400, 8, 9, 600 };

	for (int i = 0; i < 8; i++)
		if (0x92 >> i & 1)
			expect('S', (unsigned)(16 + index[i] * 8), 8);
	__asm__ volatile("kmovw %1, %%k1\n\tvmovdqu64 %2, %%zmm17\n\tvpscatterqq %%zmm16, "
					 "(%0,%%zmm17,8)%{%%k1%}\n\tvzeroupper"
					 :
					 : "r"(area + 16), "r"(0x92), "m"(index)
					 : "memory");
	for (int i = 0; i < 64; i++)
		if (0xf0000000000000f5 >> i & 1)
			expect('L', (unsigned)(4096 - 5 + i), 1);
	__asm__ volatile("kmovq %1, %%k2\n\tvmovdqu8 (%0), %%zmm3%{%%k2%}%{z%}\n\tvzeroupper"
					 :
					 : "r"(area + 4096 - 5), "r"(0xf0000000000000f5)
					 : "xmm3", "memory");
	for (int i = 0; i < 5; i++)
		expect('S', (unsigned)(200 + i * 4), 4);
	__asm__ volatile("kmovw %1, %%k3\n\tvpcompressd %%zmm4, (%0)%{%%k3%}\n\tvzeroupper"
					 :
					 : "r"(area + 200), "r"(0x9007)
					 : "memory");
	expect('L', 320, 4);
	__asm__ volatile("vpaddd (%0)%{1to16%}, %%zmm4, %%zmm5\n\tvzeroupper"
					 :
					 : "r"(area + 320)
					 : "xmm5", "memory");
	expect('L', 8192 - 32, 64);
	__asm__ volatile("vpaddd (%0), %%zmm4, %%zmm5\n\tvzeroupper"
					 :
					 : "r"(area + 8192 - 32)
					 : "xmm5", "memory");
}

int main(void)
{
	bool avx2_there = __builtin_cpu_supports("avx2"),
		 avx512_there = __builtin_cpu_supports("avx512bw");

	printf("area %#lx\n", (unsigned long)(uintptr_t)area);
	bits();
	implicit();
	x87();
	if (avx2_there)
		avx2();
	if (avx512_there)
		avx512();
	printf("accesses %d\n", 23 + (avx2_there ? 9 : 0) + (avx512_there ? 20 : 0));
	return 0;
}
