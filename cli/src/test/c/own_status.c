/* Prints what a target can see of how it was started: signals, the limit of descriptors, environment, arguments. */
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

extern char **environ;

int main(int argc, char **argv)
{
	char line[256];
	struct rlimit limit;
	FILE *status = fopen("/proc/self/status", "r");

	while (fgets(line, sizeof line, status))
		if (!strncmp(line, "SigBlk", 6) || !strncmp(line, "SigIgn", 6))
			fputs(line, stdout);
	getrlimit(RLIMIT_NOFILE, &limit);
	printf("%llu\n", (unsigned long long)limit.rlim_cur);
	for (char **variable = environ; *variable; variable++)
		if (strncmp(*variable, "MADT_SESSION=", 13) && strncmp(*variable, "LD_PRELOAD=", 11))
			puts(*variable);
	for (int i = 0; i < argc; i++)
		puts(argv[i]);
	return 0;
}
