/* A function that is copied and called elsewhere, and the program's own code as it is read and written. */
/* flags: -O1 -fno-toplevel-reorder -fno-inline -fno-builtin */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

typedef long function(const long *values, long count, long *to);

static long values[] = { 1, 20, 300, 4000 }, copied[4];
static char own[PAGE] __attribute__((aligned(PAGE)));

long sum(const long *from, long count, long *to)
{
	long all = 0;

	for (long i = 0; i < count; i++)
		all += to[i] = from[i];
	return all;
}

long sum_end(void)
{
	return values[0];
}

static void call(const char *what, void *at)
{
	function *volatile there = (function *)at;

	memset(copied, 0, sizeof copied);
	long all = there(values, 4, copied);
	printf("%s: %ld, %ld\n", what, all, copied[3]);
}

/* Checks that it is what the file has there too. */
static void compare(const char *what, const char *bytes, size_t size)
{
	char *file = malloc(1 << 20);
	int descriptor = open("/proc/self/exe", O_RDONLY);
	ssize_t length = read(descriptor, file, 1 << 20);

	printf("%s: %s\n", what,
			length > 0 && memmem(file, (size_t)length, bytes, size) ? "as in the file" : "changed");
}

int main(void)
{
	const size_t size = (size_t)((char *)sum_end - (char *)sum);
	char *room = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *bytes = malloc(PAGE);
	int pair[2];

	call("in place", (void *)sum);
	memcpy(room, (void *)sum, size);
	call("copied", room);
	memmove(room + PAGE, room, size);
	call("copied again", room + PAGE);
	memcpy(own, (void *)sum, size);
	mprotect(own, PAGE, PROT_READ | PROT_EXEC);
	call("in the module's data", own);
	compare("memcpy", room, size);
	if (pipe(pair) || write(pair[1], (void *)sum, size) != (ssize_t)size)
		return 1;
	compare("write", bytes, (size_t)read(pair[0], bytes, size));
	FILE *file = tmpfile();
	fwrite((void *)sum, 1, size, file);
	rewind(file);
	compare("fwrite", bytes, fread(bytes, 1, size, file));
	return 0;
}
