/* What LD_PRELOAD and MadT's variables look like to the target: prints its environment's names and
 * its own mappings' count. */
#include <stdio.h>
#include <string.h>

extern char **environ;

int main(void)
{
	int count = 0;
	for (char **e = environ; *e; e++) {
		count++;
		if (!strncmp(*e, "MADT", 4) || !strncmp(*e, "LD_", 3))
			printf("%s\n", *e);
	}
	printf("environment %d\n", count);
	return 0;
}
