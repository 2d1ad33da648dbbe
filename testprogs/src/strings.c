/* String handling twice: by loops of the program's own, and by libc's functions, which are one
 * bulk transfer each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "It is a truth universally acknowledged, that a single man in "
						   "possession of a good fortune, "
						   "must be in want of a wife.";
static char upper[128];
static char joined[300];
static int counts[256];

/* volatile: gcc would make libc calls of these loops */
__attribute__((noinline)) static size_t length_of(const volatile char *s)
{
	size_t n = 0;
	while (s[n])
		n++;
	return n;
}

__attribute__((noinline)) static void to_upper(volatile char *to, const volatile char *from)
{
	char c;
	do {
		c = *from++;
		*to++ = c >= 'a' && c <= 'z' ? c - 32 : c;
	} while (c);
}

__attribute__((noinline)) static void count_letters(const volatile unsigned char *s)
{
	for (; *s; s++)
		counts[*s]++;
}

int main(void)
{
	size_t sum = 0;
	for (int round = 0; round < 5; round++) {
		sum += length_of(text);
		to_upper(upper, text);
		count_letters((const unsigned char *)upper);
	}
	char *copy = strdup(text);
	strcpy(joined, upper);
	strcat(joined, copy);
	sum += strlen(joined) + (strchr(joined, 'w') - joined) + (size_t)strncmp(joined, upper, 40);
	memmove(joined + 5, joined, 77);
	free(copy);
	printf("strings %zu %d %.9s\n", sum, counts['A'], joined);
	return 0;
}
