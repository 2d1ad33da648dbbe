/*
 * Whether code is as in its file while nothing is recorded: compares what is mapped of the program
 * and of libc with the files, then does some work.
 *
 *   calls_dormant REPETITIONS [CALLS]     prints executable bytes, those that differ, and the
 *                                         processor time of the work in nanoseconds; the system
 *                                         call is made before
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
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

/* What is compared of all modules. */
struct sums {
	int memory;
	long bytes, different;
};

/*
 * The modules' files by the loader's list: the mappings may be of other files. Of libmadt.so
 * nothing is compared: it is no code of the program's.
 */
static int module_compare(struct dl_phdr_info *module, size_t size, void *argument)
{
	struct sums *sums = argument;
	const char *path = *module->dlpi_name ? module->dlpi_name : "/proc/self/exe";
	int file = strstr(path, "libmadt") ? -1 : open(path, O_RDONLY);

	(void)size;
	for (int i = 0; file >= 0 && i < module->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &module->dlpi_phdr[i];

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
			continue;
		sums->bytes += (long)segment->p_filesz;
		sums->different += differences(sums->memory, file, module->dlpi_addr + segment->p_vaddr,
				segment->p_filesz, segment->p_offset);
	}
	if (file >= 0)
		close(file);
	return 0;
}

int main(int argc, char **argv)
{
	long repetitions = argc > 1 ? atol(argv[1]) : 1;
	FILE *memory = fopen("/proc/self/mem", "r");
	struct sums sums = { memory ? fileno(memory) : -1, 0, 0 };
	struct timespec begin, end;
	uint64_t sum = 0;

	for (long calls = argc > 2 ? atol(argv[2]) : 0; calls > 0; calls--)
		getppid();
	dl_iterate_phdr(module_compare, &sums);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	for (long i = 0; i < repetitions; i++)
		sum = step(sum);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	printf("%ld %ld %lld %llu\n", sums.bytes, sums.different,
			(long long)(end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec - begin.tv_nsec,
			(unsigned long long)sum);
	return 0;
}
