/* Recursion: quick sort and merge sort of a global and of a heap array. */
#include <stdio.h>
#include <stdlib.h>

#define COUNT 173

static int numbers[COUNT];
static int scratch[COUNT];
static int depth, deepest;

__attribute__((noinline)) static void quick_sort(int *a, int n)
{
	if (n < 2)
		return;
	if (++depth > deepest)
		deepest = depth;
	int pivot = a[n / 2], i = 0, j = n - 1;
	while (i <= j) {
		while (a[i] < pivot)
			i++;
		while (a[j] > pivot)
			j--;
		if (i <= j) {
			int t = a[i];
			a[i++] = a[j];
			a[j--] = t;
		}
	}
	quick_sort(a, j + 1);
	quick_sort(a + i, n - i);
	depth--;
}

__attribute__((noinline)) static void merge_sort(int *a, int n)
{
	if (n < 2)
		return;
	int half = n / 2;
	merge_sort(a, half);
	merge_sort(a + half, n - half);
	int i = 0, j = half, k = 0;
	while (i < half && j < n)
		scratch[k++] = a[i] <= a[j] ? a[i++] : a[j++];
	while (i < half)
		scratch[k++] = a[i++];
	for (i = 0; i < k; i++)
		a[i] = scratch[i];
}

int main(void)
{
	int *block = malloc(COUNT * sizeof(int));
	for (int i = 0; i < COUNT; i++)
		block[i] = numbers[i] = (i * 7919) % 1009;
	quick_sort(numbers, COUNT);
	merge_sort(block, COUNT);
	int same = 0;
	for (int i = 0; i < COUNT; i++)
		same += block[i] == numbers[i];
	printf("sorting %d %d %d\n", same, numbers[0], deepest > 3);
	free(block);
	return 0;
}
