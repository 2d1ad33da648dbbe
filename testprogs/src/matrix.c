/* Matrix product, global times heap, and a stencil over a global grid. */
#include <stdio.h>
#include <stdlib.h>

#define N 11

static double left[N][N];
static double result[N][N];
static float grid[N + 2][N + 2];

__attribute__((noinline)) static void multiply(const double *right)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double sum = 0;
			for (int k = 0; k < N; k++)
				sum += left[i][k] * right[k * N + j];
			result[i][j] = sum;
		}
}

__attribute__((noinline)) static void relax(void)
{
	for (int i = 1; i <= N; i++)
		for (int j = 1; j <= N; j++)
			grid[i][j] = 0.25f
					* (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
}

int main(void)
{
	double *right = malloc(N * N * sizeof(double));
	for (int i = 0; i < N * N; i++) {
		left[i / N][i % N] = i;
		right[i] = i % 7;
		grid[i / N + 1][i % N] = i % 13;
	}
	multiply(right);
	for (int round = 0; round < 3; round++)
		relax();
	printf("matrix %.1f %.4f\n", result[3][5], (double)grid[4][4]);
	free(right);
	return 0;
}
