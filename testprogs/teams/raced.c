/* OpenMP with races: a sum without a reduction, a loop that does not wait for the one before. */
#include <omp.h>
#include <stdio.h>

enum { N = 600 };

static volatile int raced_sum, raced_cells[N + 1], shifted[N], sum;

int main(void)
{
	omp_set_num_threads(4);
	for (int round = 0; round < 5; round++) {
#pragma omp parallel for
		for (int i = 0; i < N; i++)
			raced_sum += i;
#pragma omp parallel
		{
#pragma omp for nowait schedule(static)
			for (int i = 0; i < N; i++)
				raced_cells[i] = i;
#pragma omp for schedule(static)
			for (int i = 0; i < N; i++)
				shifted[i] = raced_cells[i + 1];
		}
		for (int i = 0; i < N; i++)
			sum += shifted[i];
	}
	printf("%d\n", sum + raced_sum);
}
