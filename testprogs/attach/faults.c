/*
 * Gets signals all the time that faults have, each kind in a thread of its own: by faults, as a write
 * barrier does, by traps, and by being sent. Each must come once, with what belongs to it; what is wrong
 * is counted. Ends when its standard input does.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE 4096
#define PAGE_FAULT 14 /* its number, as the processor has it */
#define WRITE 2       /* of its error code */
#define LONGEST 5     /* seconds until a signal counts as lost */

enum kind { BARRIER, TRAP, NO_INSTRUCTION, RAISED, SENT, QUEUED, KINDS };

static char *page;
static const char *const names[KINDS] = { "barrier", "trap", "no instruction", "raised", "sent",
	"queued" };
static volatile long came[KINDS];
/* what differs from what was sent, came too late or too often */
static volatile long wrong[KINDS], late[KINDS], more[KINDS];
static volatile int ends;

static enum kind kind_of(const siginfo_t *info)
{
	if (info->si_signo == SIGSEGV)
		return BARRIER;
	if (info->si_signo == SIGTRAP)
		return info->si_code > 0 ? TRAP : RAISED;
	if (info->si_signo == SIGILL)
		return info->si_code > 0 ? NO_INSTRUCTION : SENT;
	return QUEUED;
}

static int is_right(enum kind kind, const siginfo_t *info, const greg_t *registers)
{
	switch (kind) {
	case BARRIER:
		return info->si_code == SEGV_ACCERR && (uintptr_t)info->si_addr - (uintptr_t)page < PAGE
				&& registers[REG_TRAPNO] == PAGE_FAULT && registers[REG_ERR] & WRITE;
	case TRAP:
		return info->si_code == SI_KERNEL && ((const uint8_t *)registers[REG_RIP])[-1] == 0xcc;
	case NO_INSTRUCTION:
		return info->si_code == ILL_ILLOPN && info->si_addr == (void *)registers[REG_RIP];
	case RAISED:
		return info->si_code == SI_TKILL && info->si_pid == getpid();
	case SENT:
		return info->si_code == SI_USER && info->si_pid == getpid();
	default:
		return info->si_code == SI_QUEUE && info->si_value.sival_int == came[QUEUED];
	}
}

static void handle(int number, siginfo_t *info, void *place)
{
	greg_t *registers = ((ucontext_t *)place)->uc_mcontext.gregs;
	const enum kind kind = kind_of(info);

	(void)number;
	if (!is_right(kind, info, registers))
		__atomic_add_fetch(&wrong[kind], 1, __ATOMIC_SEQ_CST);
	if (kind == BARRIER)
		mprotect(page, PAGE, PROT_READ | PROT_WRITE);
	if (kind == NO_INSTRUCTION)
		registers[REG_RIP] += 2;
	__atomic_add_fetch(&came[kind], 1, __ATOMIC_SEQ_CST);
}

static void make(enum kind kind)
{
	switch (kind) {
	case BARRIER:
		mprotect(page, PAGE, PROT_NONE);
		*(volatile char *)page = 1;
		break;
	case TRAP:
		__asm__ volatile("int3");
		break;
	case NO_INSTRUCTION:
		__asm__ volatile("ud2");
		break;
	case RAISED:
		syscall(SYS_tgkill, getpid(), gettid(), SIGTRAP);
		break;
	case SENT:
		kill(getpid(), SIGILL);
		break;
	default:
		sigqueue(getpid(), SIGFPE, (union sigval){ .sival_int = (int)came[QUEUED] });
	}
}

static void *make_all(void *number)
{
	const enum kind kind = (enum kind)(uintptr_t)number;

	for (long made = 1; !ends; made++) {
		const time_t until = time(NULL) + LONGEST;

		make(kind);
		while (came[kind] < made && time(NULL) < until)
			;
		late[kind] += came[kind] < made;
		more[kind] += came[kind] > made;
		made = came[kind];
	}
	return NULL;
}

int main(void)
{
	static const int numbers[] = { SIGSEGV, SIGTRAP, SIGILL, SIGFPE };
	struct sigaction action = { .sa_sigaction = handle, .sa_flags = SA_SIGINFO };
	pthread_t thread[KINDS];
	char byte;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* where Yama asks for that */
	page = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaction(numbers[i], &action, NULL);
	for (uintptr_t i = 0; i < KINDS; i++)
		pthread_create(&thread[i], NULL, make_all, (void *)i);
	printf("begun\n");
	fflush(stdout);
	while (read(0, &byte, 1) < 0 && errno == EINTR)
		;
	ends = 1;
	for (int i = 0; i < KINDS; i++) {
		pthread_join(thread[i], NULL);
		printf("%s: %ld wrong, %ld late, %ld more\n", names[i], wrong[i], late[i], more[i]);
	}
	return 0;
}
