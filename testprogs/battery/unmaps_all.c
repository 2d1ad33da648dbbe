/* A child unmaps all that it finds in its list of mappings, but for what it runs on, as stress-ng's munmap does. */
/* flags: -O1 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static char text[1 << 20];
static volatile int kept[1000];

static int is_kept(const char *line, const char *self)
{
	return strstr(line, self) || strstr(line, "/libc.so") || strstr(line, "/libc-")
			|| strstr(line, "ld-linux") || strstr(line, "[stack]") || strstr(line, "[v");
}

static int sweep(const char *self, unsigned long step)
{
	int from = open("/proc/self/maps", O_RDONLY), failed = 0;
	long size = 0, n;

	while ((n = read(from, text + size, sizeof text - 1 - size)) > 0)
		size += n;
	close(from);
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		char *dash;
		unsigned long start = strtoul(line, &dash, 16), last = strtoul(dash + 1, NULL, 16);

		*end = 0;
		if (is_kept(line, self) || !strchr(line, '/')) /* anonymous memory holds what libc uses */
			continue;
		for (; start < last; start += step ? step : last - start)
			failed += munmap((void *)start, step ? step : last - start) != 0;
	}
	return failed;
}

int main(int argc, char **argv)
{
	const char *self = strrchr(argv[0], '/');

	(void)argc;
	for (unsigned long step = 0; step <= 4096; step += 4096) {
		int status;

		fflush(stdout);
		if (fork() == 0) {
			int failed = sweep(self, step);

			for (int i = 0; i < 1000; i++)
				kept[i] = i;
			printf("%d failed, %d\n", failed, kept[999]);
			fflush(stdout);
			_exit(3);
		}
		wait(&status);
		printf("ended %#x\n", status);
	}
	return 0;
}
