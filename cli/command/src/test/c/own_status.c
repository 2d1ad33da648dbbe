/* Prints what a target can see of how it was started: signals, the limit of descriptors,
 * environment, arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

extern char **environ;

int main(int argc, char **argv)
{
	char line[256];
	struct rlimit limit;
	FILE *status = fopen("/proc/self/status", "r");

	while (fgets(line, sizeof line, status))
		/* the last eight digits are signals 1 to 32; 32 and 33 are libc's own */
		if (!strncmp(line, "SigBlk", 6) || !strncmp(line, "SigIgn", 6))
			printf("%.6s %lx\n", line, strtoul(line + 7, NULL, 16) & 0x7fffffff);
	getrlimit(RLIMIT_NOFILE, &limit);
	printf("%llu\n", (unsigned long long)limit.rlim_cur);
	for (char **variable = environ; *variable; variable++)
		if (strncmp(*variable, "MADT_SESSION=", 13) && strncmp(*variable, "LD_PRELOAD=", 11))
			puts(*variable);
	for (int i = 0; i < argc; i++)
		puts(argv[i]);
	return 0;
}
