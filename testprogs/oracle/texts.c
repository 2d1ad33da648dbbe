/* String functions on texts of all lengths and alignments: searching, comparing, splitting,
 * copying. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

static _Alignas(64) char haystack[4096 + 300];

static unsigned long searches(const char *text)
{
	unsigned long sum = strlen(text) + strnlen(text, 50) + strcspn(text, "xyz")
			+ strspn(text, "abcdefgh");

	sum += (unsigned long)(strchrnul(text, 'q') - text) + (strrchr(text, 'a') ? 1 : 0)
			+ (memrchr(text, 'b', 20) ? 1 : 0);
	sum += strstr(text, "needle") ? (unsigned long)(strstr(text, "needle") - text) : 3;
	sum += memmem(text, 60, "dle", 3) ? 5 : 7;
	sum += (unsigned long)((char *)rawmemchr(text, 0) - text)
			+ (strcasestr(text, "NEEDLE") ? 11 : 13);
	return sum;
}

static long comparisons(const char *a, const char *b)
{
	return (strcmp(a, b) > 0) + 2 * (strncmp(a, b, 17) > 0) + 4 * (memcmp(a, b, 33) > 0)
			+ 8 * (strcasecmp(a, b) > 0) + 16 * (strncasecmp(a, b, 9) > 0)
			+ 32 * (strverscmp("a10", "a9") > 0);
}

int main(void)
{
	char list[] = "one, two,,three ; four", *save = NULL, *copy, *rest;
	unsigned long sum = 0;
	wchar_t wide[40];

	for (int i = 0; i < 4096; i++)
		haystack[i] = (char)('a' + i * 7 % 23);
	for (int length = 8; length < 280; length += 31) {
		char *start = haystack + 4096 - length % 64;

		memset(start, 'a' + length % 5, (size_t)length / 2);
		strcpy(start + length / 2, "needle");
		sum = sum * 31 + searches(start) + (unsigned long)comparisons(start, haystack + length);
	}
	for (char *word = strtok_r(list, ", ;", &save); word; word = strtok_r(NULL, ", ;", &save))
		sum += strlen(word);
	copy = strdup("a:b:c");
	rest = copy;
	while ((save = strsep(&rest, ":")))
		sum += (unsigned char)*save;
	free(copy);
	wcscpy(wide, L"wide characters");
	wcscat(wide, L" too");
	sum += wcslen(wide) + (wcschr(wide, L'h') ? 1 : 0) + (wcsstr(wide, L"too") ? 1 : 0);
	printf("%lu %s\n", sum, strerror(2));
	return 0;
}
