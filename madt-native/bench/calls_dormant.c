/*
 * Whether code is as in its file while nothing is recorded: compares what is mapped of the program
 * and of libc with the files, then does some work.
 *
 *   calls_dormant REPETITIONS [CALLS]     prints executable bytes, those that differ, and the
 * processor time of the work in nanoseconds; the system call is made before
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PIECE 262144

__attribute__((noinline)) static uint64_t step(uint64_t x)
{
	return x * 6364136223846793005u + 1442695040888963407u;
}

static long differences(int memory, int file, unsigned long start, unsigned long bytes,
		unsigned long offset)
{
	static unsigned char mapped[PIECE], stored[PIECE];
	long found = 0;

	for (unsigned long at = 0; at < bytes; at += PIECE) {
		size_t size = bytes - at < PIECE ? bytes - at : PIECE;
		ssize_t got = pread(file, stored, size, (off_t)(offset + at));

		if (got < 0 || pread(memory, mapped, size, (off_t)(start + at)) != (ssize_t)size)
			abort();
		for (ssize_t i = 0; i < got; i++)
			found += mapped[i] != stored[i];
	}
	return found;
}

struct part {
	unsigned long start, end, offset;
	char path[4096];
};

static void part_compare(int memory, const struct part *part, long *bytes, long *different)
{
	int file = part->end ? open(part->path, O_RDONLY) : -1;

	if (file < 0)
		return;
	*bytes += (long)(part->end - part->start);
	*different += differences(memory, file, part->start, part->end - part->start, part->offset);
	close(file);
}

/*
 * Of libmadt.so nothing is compared: it is no code of the program's. Text that has been changed and
 * is the file's again may be many mappings, side by side: they are one part.
 */
static void compare(long *bytes, long *different)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	int memory = open("/proc/self/mem", O_RDONLY);
	static struct part last, part;
	char line[4096], mode[5];

	while (maps && memory >= 0 && fgets(line, sizeof line, maps)) {
		part.path[0] = 0;
		if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %4095s", &part.start, &part.end, mode,
					&part.offset, part.path)
						< 4
				|| mode[2] != 'x' || part.path[0] != '/' || strstr(part.path, "libmadt"))
			continue;
		if (part.start == last.end && !strcmp(part.path, last.path)
				&& part.offset - last.offset == part.start - last.start) {
			last.end = part.end;
			continue;
		}
		part_compare(memory, &last, bytes, different);
		last = part;
	}
	part_compare(memory, &last, bytes, different);
}

int main(int argc, char **argv)
{
	long repetitions = argc > 1 ? atol(argv[1]) : 1, bytes = 0, different = 0;
	struct timespec begin, end;
	uint64_t sum = 0;

	for (long calls = argc > 2 ? atol(argv[2]) : 0; calls > 0; calls--)
		getppid();
	compare(&bytes, &different);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	for (long i = 0; i < repetitions; i++)
		sum = step(sum);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	printf("%ld %ld %lld %llu\n", bytes, different,
			(long long)(end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec - begin.tv_nsec,
			(unsigned long long)sum);
	return 0;
}
