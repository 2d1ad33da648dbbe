/* What a user may preload: an interposed function that asks for the next one, and an allocation of
 * its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

char *getenv(const char *name)
{
	static char *(*next)(const char *);
	static char answer[64];

	if (!next)
		next = (char *(*)(const char *))dlsym(RTLD_NEXT, "getenv");
	if (strcmp(name, "MADT_TEST_ANSWER"))
		return next(name);
	char *made = malloc(64);
	strcpy(made, "from the preloaded library");
	strcpy(answer, made);
	free(made);
	return answer;
}
