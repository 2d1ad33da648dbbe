/* Vector loads and stores of 4 to 32 bytes: SSE2 always, AVX2 where the processor has it. */
#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT 96

static float a[COUNT] __attribute__((aligned(32)));
static float b[COUNT + 1];
static int ints[COUNT] __attribute__((aligned(32)));
static double doubles[COUNT];

__attribute__((noinline)) static void sse_add(float *to, const float *left, const float *right)
{
	for (int i = 0; i < COUNT; i += 4)
		_mm_storeu_ps(to + i, _mm_add_ps(_mm_load_ps(left + i), _mm_loadu_ps(right + i)));
}

__attribute__((noinline)) static void sse_halves(void)
{
	for (int i = 0; i + 1 < COUNT; i += 2) {
		__m128 v = _mm_loadl_pi(_mm_setzero_ps(), (__m64 *)&a[i]);
		v = _mm_loadh_pi(v, (__m64 *)&b[i]);
		_mm_storel_pi((__m64 *)&doubles[i + 1], v);
		_mm_storeh_pi((__m64 *)&ints[i], v);
		_mm_store_sd(&doubles[i], _mm_cvtss_sd(_mm_setzero_pd(), _mm_load_ss(&a[i])));
	}
}

__attribute__((noinline, target("avx2"))) static void avx_scale(int *to, int factor)
{
	__m256i scale = _mm256_set1_epi32(factor);
	for (int i = 0; i < COUNT; i += 8)
		_mm256_storeu_si256((__m256i *)(to + i),
				_mm256_mullo_epi32(_mm256_load_si256((__m256i *)(ints + i)), scale));
	_mm256_zeroupper();
}

__attribute__((noinline, target("avx2"))) static double avx_sum(void)
{
	__m256d sum = _mm256_setzero_pd();
	for (int i = 0; i < COUNT; i += 4)
		sum = _mm256_add_pd(sum, _mm256_loadu_pd(doubles + i));
	double parts[4];
	_mm256_storeu_pd(parts, sum);
	_mm256_zeroupper();
	return parts[0] + parts[1] + parts[2] + parts[3];
}

int main(void)
{
	int avx = __builtin_cpu_supports("avx2");
	int *block = calloc(COUNT, sizeof(int));
	double sum = 0;

	for (int round = 0; round < 7; round++) {
		for (int i = 0; i < COUNT; i++)
			a[i] = i + round;
		sse_add(b + 1, a, b);
		sse_halves();
		if (avx) {
			avx_scale(block, 3);
			sum += avx_sum();
		}
	}
	printf("vector %.1f %.1f %d\n", (double)b[9], sum, block[5] != 0);
	free(block);
	return 0;
}
