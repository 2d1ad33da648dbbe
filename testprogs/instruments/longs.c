/* Numbers of the x87 unit, in memory: members, parameters, locals. Writes a sum. */
#include <math.h>
#include <stdio.h>

struct measure {
	char unit;
	long double length, limits[2];
};

static long double all = -0.0L;

__attribute__((noinline)) static long double scaled(struct measure *measure, long double by,
		volatile long double *where)
{
	volatile long double own = measure->length * by;

	if (by > 2)
		*where = own;
	all += own;
	return own;
}

int main(void)
{
	static const long double factors[] = { 1, -0.1L, 0x1.fffffffffffffffep+0L, 1e300L, 5e-324L, -3,
		1e4000L, INFINITY, -INFINITY, 0x1p-1060L, 18446744073709551615.0L };
	struct measure measure = { 'm', 1.5L, { -2.25L, 1e-10L } };
	volatile long double where = 3;
	int big = 0;

	for (int i = 0; i < 11; i++) {
		measure.limits[1] = factors[i];
		big += scaled(&measure, factors[i], &where) > 5;
	}
	printf("%d\n", big);
	return 0;
}
