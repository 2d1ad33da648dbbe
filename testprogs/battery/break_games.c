/* flags: -O1 */
/* The break: pages that come, go and come back empty, beside malloc, which uses it as well. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static sigjmp_buf back;
static char room[4096]; /* the output waits outside of the heap */

static void fault(int number)
{
	siglongjmp(back, number);
}

static int readable(volatile char *at)
{
	int how = sigsetjmp(back, 1);

	if (how == 0)
		(void)*at;
	return how;
}

int main(void)
{
	char *start, *blocks[64];
	long odd, failed;

	setvbuf(stdout, room, _IOFBF, sizeof room);
	signal(SIGSEGV, fault);
	start = sbrk(0);
	printf("grown %d %d\n", sbrk(100000) == start, (char *)sbrk(0) - start == 100000);
	memset(start, 7, 100000);
	printf("shrunk %d %d\n", sbrk(-90000) == start + 100000, start[9999]);
	printf("gone %d\n", readable(start + 50000));
	sbrk(90000);
	printf("back %d %d\n", start[50000], start[9999]);
	printf("raw %d\n", (char *)syscall(SYS_brk, start + 4) == start + 4);
	printf("below %d\n", (char *)syscall(SYS_brk, 1ul) == start + 4);
	failed = brk((void *)((uintptr_t)1 << 60));
	printf("huge %ld %d\n", failed, errno == ENOMEM);
	brk(start);
	mallopt(M_TRIM_THRESHOLD, 4096), mallopt(M_TOP_PAD, 0), mallopt(M_MMAP_THRESHOLD, 1 << 24);
	for (int round = 0; round < 8; round++) {
		for (int i = 0; i < 64; i++)
			memset(blocks[i] = malloc(10007 + (size_t)i * round), i, 10007);
		odd = sbrk(4096) == (void *)-1;
		for (int i = 63; i >= 0; i--) {
			odd += blocks[i][5003] != i;
			free(blocks[i]);
		}
		odd += malloc_trim(0) < 0;
	}
	printf("malloc beside it %ld\n", odd);
	setrlimit(RLIMIT_DATA, &(struct rlimit){ 1 << 20, RLIM_INFINITY });
	printf("limited %d %d\n", sbrk(1 << 24) == (void *)-1, errno == ENOMEM);
	free(malloc(100));
	return 0;
}
