/*
 * Calls whose result depends on the protection of pages, or on what the kernel does there by
 * itself: each prints what it gave. Everything that they touch is written before and read after
 * them, so that its pages are closed under engine trap.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096L
#define PAGES 8
#define SIZE (PAGES * PAGE)
#define STRIDE 512

#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#define SYS_futex_wake_2 454 /* the calls of Linux 6.7 */
#define SYS_futex_wait_2 455
#define SYS_futex_requeue_2 456
#define FUTEX_SIZE_U32 2

struct waiter {
	uint64_t value, address;
	uint32_t flags, reserved;
};

static void show(const char *what, long result)
{
	printf("%s: %s\n", what, result < 0 ? strerror(errno) : "done");
	fflush(stdout);
}

static void tell(const char *what, long number)
{
	printf("%s: %ld\n", what, number);
	fflush(stdout);
}

/* Memory of its own for each case, all of it written. */
static char *fresh(int flags)
{
	char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		exit(2);
	for (long i = 0; i < SIZE; i += STRIDE)
		memory[i] = (char)(i / 64);
	return memory;
}

static long sum(const char *memory)
{
	long sum = 0;

	for (long i = 0; i < SIZE; i += STRIDE)
		sum += memory[i];
	return sum;
}

/* ---------------------------------------------------------------- locks and advice */

static void locks(void)
{
	char *memory = fresh(MAP_PRIVATE), *more;

	show("mlock", mlock(memory + 100, SIZE - 200));
	tell("sum", sum(memory));
	show("munlock", munlock(memory, SIZE));
	show("mlock2", mlock2(memory, SIZE, MLOCK_ONFAULT));
	show("mlock2", mlock2(memory, PAGE, 0));
	if (geteuid() == 0) { /* others may lock little */
		show("mlockall", mlockall(MCL_CURRENT | MCL_ONFAULT));
		show("munlockall", munlockall());
	}
	more = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED | MAP_POPULATE, -1, 0);
	show("locked", more == MAP_FAILED ? -1 : 0);
	memcpy(more, memory, SIZE);
	tell("sum", sum(more));
	munmap(memory, SIZE);
	munmap(more, SIZE);
}

static void advice(void)
{
	static const int advices[] = { MADV_NORMAL, MADV_WILLNEED, MADV_SEQUENTIAL, MADV_COLD,
		MADV_DONTFORK, MADV_DOFORK, MADV_HUGEPAGE, MADV_NOHUGEPAGE, 22 /* MADV_POPULATE_READ */,
		23 /* MADV_POPULATE_WRITE */, MADV_DONTNEED, MADV_FREE, MADV_REMOVE, 1000 };

	for (unsigned i = 0; i < 2 * sizeof advices / sizeof *advices; i++) {
		char *memory = fresh(i % 2 ? MAP_SHARED : MAP_PRIVATE), text[40];

		snprintf(text, sizeof text, "advice %d, %s", advices[i / 2], i % 2 ? "shared" : "private");
		show(text, madvise(memory, SIZE, advices[i / 2]));
		if (advices[i / 2] != MADV_FREE) /* which may or may not have come about */
			tell("sum", sum(memory));
		munmap(memory, SIZE);
	}
}

static void residence(void)
{
	char *memory = fresh(MAP_PRIVATE);
	unsigned char *present = malloc(PAGES);
	void *pages[PAGES];
	int status[PAGES];
	long here = 0;

	memset(present, 0, PAGES);
	show("mincore", mincore(memory, SIZE, present));
	for (int i = 0; i < PAGES; i++) {
		here += present[i] & 1;
		pages[i] = memory + i * PAGE;
		status[i] = 100;
	}
	tell("present", here);
	show("move_pages", syscall(SYS_move_pages, 0, (unsigned long)PAGES, pages, NULL, status, 0));
	for (int i = here = 0; i < PAGES; i++)
		here += status[i] >= 0 && status[i] < 100;
	tell("on a node", here);
	free(present);
	munmap(memory, SIZE);
}

/* ---------------------------------------------------------------- mappings */

/* Checks that what lies before a hole gets its new protection although the call fails. */
static void holes(void)
{
	char *memory = fresh(MAP_PRIVATE);
	int pipes[2];

	munmap(memory + 2 * PAGE, PAGE);
	show("mprotect over a hole", mprotect(memory, SIZE, PROT_READ));
	if (pipe(pipes) || write(pipes[1], "12345678", 8) != 8)
		exit(2);
	show("read before it", read(pipes[0], memory + PAGE, 4));
	show("read behind it", read(pipes[0], memory + 3 * PAGE, 4));
	show("mlock over a hole", mlock(memory, SIZE));
	show("msync over a hole", msync(memory, SIZE, MS_ASYNC));
	tell("byte", memory[64] + memory[4 * PAGE]);
	close(pipes[0]);
	close(pipes[1]);
	munmap(memory, SIZE);
}

static void files(void)
{
	FILE *file = tmpfile();
	char *memory;

	if (!file || ftruncate(fileno(file), SIZE))
		exit(2);
	memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
	for (long i = 0; i < PAGES; i++)
		memory[i * PAGE] = (char)('a' + i);
	show("msync", msync(memory, SIZE, MS_SYNC | MS_INVALIDATE));
	show("remap_file_pages", remap_file_pages(memory, PAGE, 0, 5, 0));
	printf("first %c, sixth %c\n", memory[0], memory[5 * PAGE]);
	memory[1] = 'x';
	printf("through the other place %c\n", memory[5 * PAGE + 1]);
	munmap(memory, SIZE);
	fclose(file);
}

static void keys(void)
{
	char *memory = fresh(MAP_PRIVATE);

	show("pkey_mprotect", pkey_mprotect(memory, PAGE, PROT_READ | PROT_WRITE, -1));
	show("pkey_mprotect", pkey_mprotect(memory, PAGE, PROT_READ | PROT_WRITE, 14) < 0 ? 0 : -1);
	tell("sum", sum(memory));
	munmap(memory, SIZE);
}

static void segments(void)
{
	int id = shmget(IPC_PRIVATE, SIZE, IPC_CREAT | 0600);
	char *one = shmat(id, NULL, 0), *two = shmat(id, NULL, SHM_RDONLY), *three;

	memset(one, 5, SIZE);
	tell("read only", two[SIZE - 1]);
	three = shmat(id, two, SHM_REMAP);
	tell("in its place", three == two);
	memset(three, 6, SIZE);
	show("lock", shmctl(id, SHM_LOCK, NULL));
	show("detach", shmdt(three));
	tell("byte", one[77]);
	show("detach", shmdt(one));
	show("remove", shmctl(id, IPC_RMID, NULL));
}

/* ---------------------------------------------------------------- through other springboards */

static void itself(void)
{
	char *memory = fresh(MAP_PRIVATE), *shared = fresh(MAP_SHARED), *copy = malloc(SIZE);
	struct iovec from = { memory, SIZE }, to = { copy, SIZE },
				 broken[2] = { { memory, PAGE }, { (void *)64, 8 } };
	int descriptor = open("/proc/self/mem", O_RDWR);

	tell("process_vm_readv", process_vm_readv(getpid(), &to, 1, &from, 1, 0));
	tell("sum", sum(copy));
	memset(copy, 3, SIZE);
	tell("process_vm_writev", process_vm_writev(getpid(), &to, 1, &from, 1, 0));
	tell("sum", sum(memory));
	tell("partly", process_vm_readv(getpid(), &to, 1, broken, 2, 0));
	tell("mem", pread(descriptor, copy, SIZE, (off_t)memory));
	tell("mem", pwrite(descriptor, copy, SIZE, (off_t)memory));
	tell("mem", pwrite(descriptor, copy, SIZE, (off_t)shared));
	tell("sum", sum(shared));
	close(descriptor);
	munmap(memory, SIZE);
	munmap(shared, SIZE);
	free(copy);
}

/* A program may read in /proc/self/maps what it asked for. */
static void maps(void)
{
	FILE *file = fopen("/proc/self/maps", "r");
	char *memory = fresh(MAP_SHARED), line[512], access[8];
	unsigned long start, end;

	mprotect(memory + PAGE, PAGE, PROT_READ);
	mprotect(memory + 3 * PAGE, PAGE, PROT_NONE);
	while (fgets(line, sizeof line, file))
		if (sscanf(line, "%lx-%lx %7s", &start, &end, access) == 3 && end > (uintptr_t)memory
				&& start < (uintptr_t)memory + SIZE)
			printf("%ld to %ld: %s\n", ((long)start - (long)memory) / PAGE,
					((long)end - (long)memory) / PAGE, access);
	fclose(file);
	tell("byte", memory[2 * PAGE]);
	munmap(memory, SIZE);
}

static void pipes(void)
{
	char *memory = fresh(MAP_PRIVATE), *back = fresh(MAP_PRIVATE);
	struct iovec vector = { memory, SIZE }, other = { back, SIZE };
	int one[2], two[2];

	if (pipe(one) || pipe(two))
		exit(2);
	memory[3 * PAGE] = 99;
	tell("vmsplice", vmsplice(one[1], &vector, 1, 0));
	tell("tee", tee(one[0], two[1], SIZE, 0));
	tell("vmsplice out", vmsplice(one[0], &other, 1, 0));
	tell("same", memcmp(memory, back, SIZE));
	memset(back, 0, SIZE);
	tell("read", read(two[0], back, SIZE));
	tell("same", memcmp(memory, back, SIZE));
	for (int i = 0; i < 2; i++) {
		close(one[i]);
		close(two[i]);
	}
	munmap(memory, SIZE);
	munmap(back, SIZE);
}

/* ---------------------------------------------------------------- futexes */

static int *words;
static int kind;

static long futex(int *word, int operation, int value, const struct timespec *time, int *other,
		int third)
{
	return syscall(SYS_futex, word, operation, value, time, other, third);
}

static void *waiting(void *unused)
{
	struct waiter many[3];
	long result = 0;

	(void)unused;
	switch (kind) {
	case 0:
		result = futex(words, FUTEX_WAIT, 0, NULL, NULL, 0);
		break;
	case 1:
		for (int i = 0; i < 3; i++)
			many[i] = (struct waiter){ 0, (uintptr_t)(words + i * 1024), FUTEX_SIZE_U32, 0 };
		result = syscall(SYS_futex_waitv, many, 3, 0, NULL, CLOCK_MONOTONIC);
		break;
	case 2:
		result = syscall(SYS_futex_wait_2, words, 0L, 0xffffffffL, FUTEX_SIZE_U32, NULL,
				CLOCK_MONOTONIC);
		break;
	case 3:
		result = futex(words, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
		if (result == 0)
			futex(words, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
		break;
	}
	if (result < 0 && errno == ENOSYS)
		return (void *)-2L;
	return (void *)(result < 0 && errno != EAGAIN ? -1L : 0L);
}

/* Wakes the thread that `kind` describes, however often that takes. */
static void wait_and_wake(const char *what, int wanted, long (*wake)(void))
{
	pthread_t thread;
	void *result = NULL;
	bool woken = false, ended = false;

	kind = wanted;
	memset(words, 0, SIZE);
	pthread_create(&thread, NULL, waiting, NULL);
	for (int i = 0; i < 20000 && !woken && !ended; i++) {
		woken = wake() > 0;
		ended = pthread_tryjoin_np(thread, &result) == 0;
		usleep(500);
	}
	if (woken && !ended)
		pthread_join(thread, &result);
	printf("%s: %s, result %ld\n", what,
			woken           ? "woken"
					: ended ? "not known"
							: "never",
			(long)result);
	fflush(stdout);
}

static long wake_one(void)
{
	return futex(words, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static long wake_third(void)
{
	return futex(words + 2048, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static long wake_newer(void)
{
	return syscall(SYS_futex_wake_2, words, 0xffffffffL, 1, FUTEX_SIZE_U32);
}

static long wake_requeued(void)
{
	struct waiter two[2] = { { 0, (uintptr_t)words, FUTEX_SIZE_U32, 0 },
		{ 0, (uintptr_t)(words + 1024), FUTEX_SIZE_U32, 0 } };
	long moved = syscall(SYS_futex_requeue_2, two, 0, 0, 1);

	return moved <= 0 ? moved : futex(words + 1024, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void *take_and_leave(void *unused)
{
	(void)unused;
	return (void *)(long)waiting(NULL);
}

static void futexes(void)
{
	pthread_t thread;
	void *result;

	for (int i = 0; i < 2; i++) {
		words = (int *)fresh(i ? MAP_SHARED : MAP_PRIVATE);
		wait_and_wake("futex", 0, wake_one);
		wait_and_wake("futex_waitv", 1, wake_third);
		wait_and_wake("futex_wait", 2, wake_newer);
		wait_and_wake("futex_requeue", 2, wake_requeued);
		memset(words, 0, SIZE);
		kind = 3;
		futex(words, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
		pthread_create(&thread, NULL, take_and_leave, NULL);
		while (!(__atomic_load_n(words, __ATOMIC_ACQUIRE) & FUTEX_WAITERS))
			usleep(500);
		futex(words, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
		pthread_join(thread, &result);
		tell("with priority inheritance", (long)result);
		tell("word", words[0]);
		munmap(words, SIZE);
	}
}

int main(void)
{
	locks();
	advice();
	residence();
	holes();
	files();
	keys();
	segments();
	itself();
	maps();
	pipes();
	futexes();
	return 0;
}
