/* Regular expressions, shell patterns and word expansion by hand. */
#include <fnmatch.h>
#include <regex.h>
#include <stdio.h>

static void search(const char *pattern, const char *text, int flags)
{
	regmatch_t match[4];
	char error[60];
	regex_t regex;
	int status = regcomp(&regex, pattern, flags);

	if (status) {
		regerror(status, &regex, error, sizeof error);
		printf("%s: %s\n", pattern, error);
		return;
	}
	status = regexec(&regex, text, 4, match, 0);
	printf("%s: %d", pattern, status);
	for (int i = 0; !status && i < 4 && match[i].rm_so >= 0; i++)
		printf(" %d-%d", match[i].rm_so, match[i].rm_eo);
	putchar('\n');
	regfree(&regex);
}

int main(void)
{
	search("b+", "aabbbcc", REG_EXTENDED);
	search("^([a-z]+)=([0-9]*)$", "width=640", REG_EXTENDED);
	search("(fo|foo)(bar)?", "xxfoobar", REG_EXTENDED | REG_ICASE);
	search("\\(a*\\)b\\1", "aaabaaa", 0);
	search("a[[:digit:]]\\{2,3\\}$", "xa123", 0);
	search("(unclosed", "", REG_EXTENDED);
	printf("%d %d %d\n", fnmatch("*.[ch]", "name.c", 0), fnmatch("a?c*", "abd", 0),
			fnmatch("[!a-c]*", "delta", FNM_PERIOD));
	return 0;
}
