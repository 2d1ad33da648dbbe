/*
 * Calls a function with pointers that lead to numbers, and with some that lead nowhere; prints what
 * a probe at its entry has to see: the pointer, what it leads to, and what that does. A probe's load
 * that finds nothing is no fault of this program's: no handler is called, blocked or not.
 *
 *   probes           pointers
 *   probes texts     texts, and how they end as the kernel reads them, byte by byte
 *   probes systems   system calls, whose results it prints
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "madt_payload.h"

#define ROUNDS 37
#define ONES UINT64_MAX
#define PIECES 9 /* recorder_probes.h */

struct cell {
	struct cell *next;
	uint64_t number;
};

static volatile sig_atomic_t faults;

static void on_fault(int number)
{
	(void)number;
	faults++;
}

/* Goes round its loop ROUNDS times each time. */
__attribute__((noinline, noclone)) long probed(struct cell *cell)
{
	long rounds = 0;
	for (int i = 0; i < ROUNDS; i++) {
		__asm__ volatile("" : "+r"(rounds), "+r"(cell));
		rounds++;
	}
	return rounds;
}

static void round_make(struct cell *cell, uint64_t next, uint64_t number)
{
	probed(cell);
	printf("%#lx %#lx %#lx\n", (uint64_t)cell, next, number);
}

static void faults_catch(void)
{
	struct sigaction action = { .sa_handler = on_fault };

	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

static void cells_probe(void)
{
	static struct cell second = { NULL, 1999993 }, first = { &second, 7 }, last = { NULL, 3 };
	struct cell *closed = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct cell *wild = (struct cell *)UINT64_C(0x8000000000000000);
	sigset_t all;

	for (int blocked = 0; blocked < 2; blocked++) {
		round_make(&first, (uint64_t)&second, 1999993);
		round_make(NULL, ONES, ONES);
		round_make(closed, ONES, ONES);
		round_make(wild, ONES, ONES);
		round_make(&last, 0, ONES);
		round_make(&first, (uint64_t)&second, 1999993);
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
	}
}

/* ---------------------------------------------------------------- texts */

__attribute__((noinline, noclone)) void told(const char *text)
{
	__asm__ volatile("" : : "r"(text) : "memory");
}

static bool byte_read(uint64_t address, char *byte)
{
	const struct iovec here = { byte, 1 }, there = { (void *)address, 1 };

	return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

static void text_tell(uint64_t address)
{
	char text[PIECES * MADT_TEXT_PIECE];
	uint32_t size = 0, most = (uint32_t)(sizeof text - address % MADT_TEXT_PIECE);
	enum madt_text_end end = MADT_TEXT_CUT;

	for (; size < most && end == MADT_TEXT_CUT; size++)
		if (!byte_read(address + size, &text[size]))
			end = MADT_TEXT_UNREAD;
		else if (!text[size])
			end = MADT_TEXT_WHOLE;
	if (end != MADT_TEXT_CUT)
		size--;
	told((const char *)address);
	printf("%u %.*s\n", end, (int)size, text);
}

/* Texts of all lengths around what fits, at all places of a piece, and in front of a page that
 * cannot be read; with and without a NUL there. */
static void texts_probe(void)
{
	char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *behind = pages + 4096;

	mprotect(behind, 4096, PROT_NONE);
	for (unsigned length = 0; length < 80; length += length < 9 || length > 60 ? 1 : 7)
		for (unsigned place = 0; place < 8; place++) {
			memset(pages, 0, 4096);
			memset(pages + place, 'a' + (int)place, length);
			memset(behind - length - place, 'A' + (int)length % 26, length);
			text_tell((uint64_t)pages + place);
			text_tell((uint64_t)behind - length - place);
		}
	text_tell(0);
	text_tell((uint64_t)behind);
	text_tell(UINT64_C(0x8000000000000000));
	text_tell(UINT64_MAX - 3);
}

/* ---------------------------------------------------------------- system calls */

__attribute__((noinline, noclone)) long called(long number, long one, long two)
{
	long result = number;

	__asm__ volatile("syscall"
					 : "+a"(result)
					 : "D"(one), "S"(two), "d"(1L)
					 : "rcx", "r11", "memory");
	return result;
}

static void *thread_probe(void *argument)
{
	for (int i = 0; i < 11; i++)
		called(SYS_getppid, 0, 0);
	return argument;
}

/* Some that need no gate, some that do, and some that fail; and in a second thread. */
static void systems_probe(void)
{
	static uint64_t mask;
	int ends[2];
	char byte = 7;
	pthread_t thread;

	if (pipe(ends))
		return;
	for (int i = 0; i < 37; i++)
		called(SYS_getppid, 0, 0);
	for (int i = 0; i < 5; i++)
		printf("%ld\n", called(SYS_write, ends[1], (long)&byte));
	for (int i = 0; i < 4; i++)
		printf("%ld\n", called(SYS_read, ends[0], (long)&byte));
	printf("%ld\n", called(SYS_close, 1000, 0));
	printf("%ld\n", called(SYS_kill, getpid(), 0));
	printf("%ld\n", called(SYS_rt_sigpending, (long)&mask, 8));
	printf("%ld\n", called(SYS_munmap, 1, 1));
	fflush(stdout);
	pthread_create(&thread, NULL, thread_probe, NULL);
	pthread_join(thread, NULL);
	called(SYS_exit_group, 0, 0);
}

int main(int argc, char **argv)
{
	faults_catch();
	if (argc > 1 && !strcmp(argv[1], "texts"))
		texts_probe();
	else if (argc > 1)
		systems_probe();
	else
		cells_probe();
	fprintf(stderr, "%d faults\n", faults);
	return faults != 0;
}
