/*
 * Branchy: heapsort of 65,536 numbers in random order; nobody can foresee its branches. A
 * repetition: one sort.
 */
#include <string.h>

#include "measured.h"

#define NUMBERS 65536

static uint32_t drawn[NUMBERS], sorted[NUMBERS];

void prepare(void)
{
	uint64_t state = 88172645463325252;

	for (int i = 0; i < NUMBERS; i++)
		drawn[i] = (uint32_t)random_next(&state);
}

static void sift_down(uint32_t *heap, size_t at, size_t size)
{
	uint32_t value = heap[at];

	for (size_t child; (child = 2 * at + 1) < size; at = child) {
		if (child + 1 < size && heap[child + 1] > heap[child])
			child++;
		if (heap[child] <= value)
			break;
		heap[at] = heap[child];
	}
	heap[at] = value;
}

static void heap_sort(uint32_t *numbers, size_t size)
{
	for (size_t i = size / 2; i-- > 0;)
		sift_down(numbers, i, size);
	for (size_t i = size; i-- > 1;) {
		uint32_t largest = numbers[0];

		numbers[0] = numbers[i];
		numbers[i] = largest;
		sift_down(numbers, 0, i);
	}
}

uint64_t work(long repetitions)
{
	uint64_t sum = 0;

	for (long n = 0; n < repetitions; n++) {
		memcpy(sorted, drawn, sizeof sorted);
		heap_sort(sorted, NUMBERS);
		sum += sorted[n % NUMBERS];
	}
	return sum;
}
