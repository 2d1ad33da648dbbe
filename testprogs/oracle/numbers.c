/* Texts to numbers and back: integers of all bases, floating-point numbers that need many digits,
 * random numbers. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static const char *const REALS[] = { "0", "-1.5", "3.141592653589793238462643383279", "1e308",
	"1e-320", "2.2250738585072011e-308", "0x1.8p-3", "inf", "nan(7)",
	"123456789012345678901234567890e-15", "9007199254740993", "1e400", "   7.25rest" };
static const char *const INTEGERS[] = { "0", "-17", "0x7fffffffffffffff", "0777",
	"99999999999999999999", "zz", "+12x", "   8" };

int main(void)
{
	struct drand48_data state;
	double sum = 0;
	long drawn;
	char *end;

	for (unsigned i = 0; i < sizeof REALS / sizeof *REALS; i++) {
		double value = strtod(REALS[i], &end);

		printf("%s: %.17g %.9g, %s left\n", REALS[i], value, (double)strtof(REALS[i], NULL), end);
	}
	for (unsigned i = 0; i < sizeof INTEGERS / sizeof *INTEGERS; i++) {
		errno = 0;
		printf("%ld %lu %jd %d\n", strtol(INTEGERS[i], &end, 0), strtoul(INTEGERS[i], NULL, 36),
				strtoimax(INTEGERS[i], NULL, 16), errno);
	}
	srandom(5);
	srand48_r(9, &state);
	for (int i = 0; i < 40; i++) {
		double value;

		drand48_r(&state, &value);
		sum += value;
		drawn = random() ^ rand();
	}
	printf("%.12f %ld %ls %d\n", sum, drawn, L"wide", (int)wcstol(L"-123", NULL, 10));
	printf("%d %d %s\n", div(17, 5).rem, abs(-4), ecvt(1234.5678, 6, &(int){ 0 }, &(int){ 0 }));
	return 0;
}
