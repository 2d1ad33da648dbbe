/* Locales: set, duplicated, used by a thread; classes of characters, multibyte texts, collation,
 * names of days, money. */
#define _GNU_SOURCE
#include <ctype.h>
#include <iconv.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static void characters(const char *text)
{
	unsigned classes[4] = { 0 };

	for (; *text; text++) {
		classes[0] += isalpha((unsigned char)*text) != 0;
		classes[1] += isdigit((unsigned char)*text) != 0;
		classes[2] += isspace((unsigned char)*text) != 0;
		classes[3] += toupper((unsigned char)*text) != *text;
	}
	printf("%u %u %u %u\n", classes[0], classes[1], classes[2], classes[3]);
}

static void wide(const char *text)
{
	wchar_t buffer[64];
	char back[128];
	mbstate_t state;
	size_t length = mbstowcs(buffer, text, 64);

	if (length == (size_t)-1) {
		puts("no multibyte text");
		return;
	}
	for (size_t i = 0; i < length; i++)
		buffer[i] = iswalpha((wint_t)buffer[i]) ? (wchar_t)towupper((wint_t)buffer[i]) : L'-';
	memset(&state, 0, sizeof state);
	for (size_t i = 0, at = 0; i < length; i++)
		at += wcrtomb(back + at, buffer[i], &state);
	printf("%zu wide, %d columns, %zu back\n", length, wcswidth(buffer, length),
			wcstombs(back, buffer, sizeof back));
}

int main(void)
{
	const char *text = "Gr\303\274\303\237e 12 \342\202\254";
	locale_t mine = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);

	printf("%s\n", setlocale(LC_ALL, ""));
	characters("Plain text 123");
	wide(text);
	printf("%s\n", setlocale(LC_ALL, "C.UTF-8"));
	wide(text);
	printf("%s %s %d %s\n", nl_langinfo(CODESET), nl_langinfo(DAY_3), strcoll("abc", "abd"),
			localeconv()->decimal_point);
	if (mine) {
		locale_t before = uselocale(mine);

		printf("%d %d\n", MB_CUR_MAX > 1, strcoll_l("b", "a", mine));
		uselocale(before);
		freelocale(mine);
	}
	printf("%d\n", setlocale(LC_ALL, "xx_XX.nowhere") == NULL);
	return 0;
}
