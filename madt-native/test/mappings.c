/* Mappings that come, move, change and go under the recording. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static sigjmp_buf back;
static const char constant[] = "constant";

static void on_fault(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static int faults(volatile char *p)
{
	if (sigsetjmp(back, 1))
		return 1;
	*p = 1;
	return 0;
}

static void moving(void)
{
	char *p = mmap(NULL, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	p[4096] = 'x';
	munmap(p, 4096);
	p = mremap(p + 4096, 2 * 4096, 600 * 4096, MREMAP_MAYMOVE);
	printf("moved %c", p[0]);
	p[599 * 4096] = 'y';
	mprotect(p + 4096, 4096, PROT_READ);
	printf(", read-only faults %d %d %d\n", faults(p), faults(p + 4096), faults(p + 2 * 4096));
	mmap(p, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	printf("fixed over it %d\n", p[0]);
	munmap(p, 600 * 4096);
	printf("gone faults %d, constant faults %d\n", faults(p), faults((char *)(uintptr_t)constant));
}

/* The old mapping stays, empty; the new one goes where it is wished, as the kernel sees fit. */
static void leaving(void)
{
	char *p = mmap(NULL, 2 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *wish = mmap(NULL, 2 * 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *to;

	p[4096] = 'z';
	munmap(wish, 2 * 4096);
	to = mremap(p, 2 * 4096, 2 * 4096, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, wish);
	printf("left as wished %d, moved %c, old %d\n", to == wish, to[4096], p[4096]);
	munmap(p, 2 * 4096);
	munmap(to, 2 * 4096);
}

static void breaking(void)
{
	char *before = sbrk(0), *p = sbrk(100000);

	p[99999] = 1;
	printf("break %d", p == before);
	printf(", down %d", sbrk(-50000) == p + 100000);
	printf(", up %d\n", brk(p + 200000));
	p[199999] = 2;
}

static void large(void)
{
	char *p = malloc(300000);

	memset(p, 1, 300000);
	p = realloc(p, 5000000);
	p[4999999] = 3;
	printf("large block %d %d\n", p[299999], p[4999999]);
	free(p);
}

static void kernel(void)
{
	char *p = malloc(20000), *q = calloc(1, 20000);
	struct iovec *parts = malloc(2 * sizeof *parts);
	const void *volatile nowhere = (void *)8;
	int fd = open("/dev/zero", O_RDONLY), pipes[2];

	memset(p, 7, 20000);
	printf("read %zd, then %d", read(fd, p + 4000, 9000), p[12999] + p[13000]);
	if (pipe(pipes))
		exit(1);
	parts[0] = (struct iovec){ "ab", 2 };
	parts[1] = (struct iovec){ p, 5 };
	printf(", writev %zd", writev(pipes[1], parts, 2));
	printf(", back %zd", read(pipes[0], q, 100));
	printf(", bad pointer %zd\n", write(pipes[1], nowhere, 10));
	free(p);
}

static void libraries(void)
{
	for (int i = 0; i < 3; i++) {
		void *library = dlopen("libm.so.6", RTLD_LAZY);
		double (*cosine)(double) = (double (*)(double))dlsym(library, "cos");

		printf("cos %.3f\n", cosine(1.0));
		dlclose(library);
	}
	printf("no library: %d\n", dlopen("libnonexistent.so", RTLD_NOW) == NULL);
}

int main(void)
{
	signal(SIGSEGV, on_fault);
	alarm(600); /* a fault outside of faults() would come again and again */
	moving();
	leaving();
	breaking();
	large();
	kernel();
	libraries();
	return 0;
}
