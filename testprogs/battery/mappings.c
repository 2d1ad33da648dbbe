/* flags: -O1 */
/* Mappings that move, grow, shrink, lose their pages, change their protection and alias each other. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096ul

static sigjmp_buf back;

static void fault(int number, siginfo_t *info, void *context)
{
	(void)context;
	siglongjmp(back, number * 100 + info->si_code);
}

static int touch(volatile char *at, int store)
{
	int how = sigsetjmp(back, 1);

	if (how == 0)
		store ? (void)(*at = 7) : (void)*at;
	return how;
}

static char *map(size_t pages, int flags)
{
	return mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
}

static void moving(void)
{
	char *at = map(4, MAP_PRIVATE), *room = map(64, MAP_PRIVATE), *now;

	for (int i = 0; i < 4; i++)
		memset(at + i * PAGE, 'a' + i, PAGE);
	now = mremap(at, 4 * PAGE, 40 * PAGE, MREMAP_MAYMOVE);
	printf("grown: %c %c %d\n", now[0], now[4 * PAGE - 1], now[39 * PAGE]);
	now[39 * PAGE] = 'z';
	at = mremap(now, 40 * PAGE, 40 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, room);
	printf("fixed: %d %c %c\n", at == room, at[PAGE], at[39 * PAGE]);
	printf("left: %d\n", touch(now, 0));
	now = mremap(at, 40 * PAGE, 40 * PAGE, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, 0);
	printf("kept: %d %d %c\n", now != MAP_FAILED, at[PAGE], now[PAGE]);
	now = mremap(now, 40 * PAGE, PAGE, 0);
	printf("shrunk: %c %d\n", now[0], touch(now + PAGE, 1));
	at = mremap(now + 1, PAGE, PAGE, 0);
	printf("wrong: %d %d\n", at == MAP_FAILED, errno);
}

static void protecting(void)
{
	char *at = map(3, MAP_PRIVATE);

	memset(at, 1, 3 * PAGE);
	mprotect(at + PAGE, PAGE, PROT_NONE);
	printf("none: %d %d %d\n", touch(at, 1), touch(at + PAGE, 0), touch(at + 2 * PAGE, 1));
	mprotect(at + PAGE, PAGE, PROT_READ);
	printf("read: %d %d\n", touch(at + PAGE, 0), touch(at + PAGE, 1));
	mprotect(at, 3 * PAGE, PROT_READ | PROT_WRITE);
	printf("both: %d %d\n", touch(at + PAGE, 1), at[PAGE]);
	munmap(at + PAGE, PAGE);
	printf("hole: %d", touch(at + PAGE, 0));
	printf(" %d\n", mprotect(at, 3 * PAGE, PROT_READ) && errno == ENOMEM);
}

static void advising(void)
{
	char *own = map(4, MAP_PRIVATE), *all = map(4, MAP_SHARED);
	unsigned char there[4];
	pid_t child;

	memset(own, 2, 4 * PAGE), memset(all, 3, 4 * PAGE);
	madvise(own, 2 * PAGE, MADV_DONTNEED), madvise(all, 2 * PAGE, MADV_DONTNEED);
	printf("dropped: %d %d %d %d\n", own[0], own[2 * PAGE], all[0], all[2 * PAGE]);
	madvise(own + 2 * PAGE, PAGE, MADV_WIPEONFORK);
	madvise(own + 3 * PAGE, PAGE, MADV_DONTFORK);
	own[2 * PAGE] = 5, own[0] = 6;
	child = fork();
	if (child == 0) {
		printf("child: %d %d %d %d\n", own[0], own[2 * PAGE], touch(own + 3 * PAGE, 0), all[9]);
		all[9] = 99, own[0] = 98;
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	printf("parent: %d %d %d %d\n", own[0], own[2 * PAGE], own[3 * PAGE], all[9]);
	madvise(all, PAGE, MADV_REMOVE);
	printf("removed: %d, mincore %d\n", all[9], mincore(own, 4 * PAGE, there));
	printf("beyond: %d", madvise(own, PAGE, 12345));
	printf(" %d\n", errno == EINVAL);
}

static void aliasing(void)
{
	int file = memfd_create("aliases", MFD_ALLOW_SEALING);
	char *one, *two;

	ftruncate(file, 2 * PAGE);
	one = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	two = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	strcpy(one + PAGE - 3, "across");
	printf("alias: %s, beyond %d\n", two + PAGE - 3, touch(two + 2 * PAGE, 1));
	pwrite(file, "by write", 9, 0);
	printf("written: %s\n", two);
	ftruncate(file, PAGE);
	printf("cut: %d\n", touch(one + PAGE, 0));
	ftruncate(file, 2 * PAGE);
	printf("again: %d\n", one[PAGE]);
	munmap(one, 2 * PAGE), munmap(two, 3 * PAGE);
	printf("sealed: %d %d\n", fcntl(file, 1033, 0x8), ftruncate(file, PAGE)); /* F_SEAL_WRITE */
	printf("writable: %d\n", mmap(NULL, PAGE, PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED);
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = fault, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &action, NULL), sigaction(SIGBUS, &action, NULL);
	setvbuf(stdout, NULL, _IOLBF, 0);
	moving(), protecting(), advising(), aliasing();
	return 0;
}
