/* OpenMP's constructs that order the threads of a team, and tasks: no data have a race. */
#include <omp.h>
#include <stdio.h>
enum { N = 600 };
static int cells[N], others[N], once, sum, ordered_at, chain[40], sections[3], grid[30][30];
static long reduced;
static void loops(int round)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic, 5)
		for (int i = 0; i < N; i++)
			cells[i] = i + round;
#pragma omp for schedule(guided)
		for (int i = 0; i < N; i++)
			others[i] = cells[N - 1 - i];
#pragma omp single
		once += others[3];
#pragma omp for schedule(static, 3) reduction(+ : reduced)
		for (int i = 0; i < N; i++)
			reduced += others[i] + once;
#pragma omp barrier
#pragma omp master
		once++;
#pragma omp barrier
		int mine = once;
#pragma omp critical
		sum += mine;
#pragma omp for ordered schedule(dynamic)
		for (int i = 0; i < 20; i++) {
#pragma omp ordered
			ordered_at = ordered_at * 3 + i;
		}
		int got;
#pragma omp single copyprivate(got)
		got = ordered_at;
#pragma omp atomic
		reduced += got;
#pragma omp sections
		{
#pragma omp section
			sections[0] = got;
#pragma omp section
			sections[1] = got + 1;
#pragma omp section
			sections[2] = got + 2;
		}
#pragma omp master
		sum += sections[0] + sections[1] + sections[2];
	}
}
static int fib(int n)
{
	int a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fib(n - 1);
#pragma omp task shared(b)
	b = fib(n - 2);
#pragma omp taskwait
	return a + b;
}
static void tasks(void)
{
#pragma omp parallel
#pragma omp single
	{
		sum += fib(9);
		for (int i = 1; i < 40; i++) {
#pragma omp task depend(in : chain[i - 1]) depend(out : chain[i])
			chain[i] = chain[i - 1] + i;
		}
#pragma omp taskgroup
		for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
			cells[i] = -i;
		}
		sum += cells[7];
#pragma omp taskloop grainsize(10)
		for (int i = 0; i < 200; i++)
			others[i] = i;
		sum += others[150];
	}
	sum += chain[39];
}
static void waves(void)
{
#pragma omp parallel for ordered(2)
	for (int i = 1; i < 30; i++)
		for (int j = 1; j < 30; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
			grid[i][j] = grid[i - 1][j] + grid[i][j - 1] + 1;
#pragma omp ordered depend(source)
		}
	sum += grid[29][29];
}
static void nested(void)
{
	omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
	{
		int from = omp_get_thread_num() * 300;
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < 300; i++)
			cells[from + i] = i;
		int all = 0;
		for (int i = 0; i < 300; i++)
			all += cells[from + i];
#pragma omp atomic
		sum += all;
	}
	sum += cells[0] + cells[599];
}
int main(void)
{
	omp_set_num_threads(4);
	for (int r = 0; r < 3; r++) {
		loops(r);
		tasks();
		waves();
		nested();
	}
	printf("%d %ld %d\n", sum, reduced, ordered_at);
}
