/* Everything happens before and after main, in functions that nothing but the arrays of the loader
 * leads to: see the Makefile. */
#define N 97

static volatile long squares[N];
static volatile long sum;

__attribute__((constructor)) static void squares_fill(void)
{
	for (long i = 0; i < N; i++)
		squares[i] = i * i;
}

__attribute__((destructor)) static void squares_sum(void)
{
	for (long i = 0; i < N; i++)
		sum += squares[i];
}

int main(void)
{
	return 0;
}
