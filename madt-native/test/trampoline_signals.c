/*
 * Sends SIGUSR1 to a process at each machine instruction of its trampolines, and at each
 * springboard that leads to one: steps through one round of trampolines.c, notes what it executes
 * outside the program and its libraries, and in the rounds that follow stops at each of these
 * places in turn, by a breakpoint, three times, to go on with the signal.
 *
 * trampoline_signals FIFO PROGRAM [libmadt.so]      the first line of trampolines.c is on stdin;
 * with a third word, places in that library count as well. Prints how many places and how many
 * signals; 1: it failed.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLACES_MAX 20000
#define INT3 0xccL

static pid_t target;
static struct {
	unsigned long start, end;
	bool library;
} areas[256];
static unsigned area_count;
static unsigned long places[PLACES_MAX], rounds_at, never_at;
static unsigned place_count, springboard_count;
static struct {
	unsigned long address;
	long byte;
} armed;               /* the place with a breakpoint, and what it has there; address 0: none */
static bool libraries; /* the work is of calls, and none of its sites is near */

static bool is_module(const char *name, const char *program)
{
	return strstr(name, ".so") || strstr(name, program);
}

/*
 * Executable mappings of plans: no library, not the program, and none that stands in the place of
 * their text, right behind what else is mapped of them.
 */
static bool is_area(const char *name, const char *before, const char *program, const char *library)
{
	return *name == '/'
			&& ((library && strstr(name, library))
					|| (!is_module(name, program) && !is_module(before, program)));
}

static void areas_find(const char *program, const char *library)
{
	char path[64], line[4096], name[4096], before[4096] = "", rights[8];
	unsigned long last = 0;
	FILE *maps;

	snprintf(path, sizeof path, "/proc/%d/maps", target);
	maps = fopen(path, "r");
	while (maps && fgets(line, sizeof line, maps)) {
		unsigned long start, end;

		*name = 0;
		if (sscanf(line, "%lx-%lx %7s %*s %*s %*s %4095s", &start, &end, rights, name) >= 3
				&& rights[2] == 'x' && is_area(name, start == last ? before : "", program, library)
				&& area_count < 256) {
			areas[area_count].library = library && strstr(name, library);
			areas[area_count].start = start;
			areas[area_count++].end = end;
		}
		strcpy(before, name);
		last = end;
	}
	fclose(maps);
}

static bool in_area(unsigned long at)
{
	for (unsigned i = 0; i < area_count; i++)
		if (at >= areas[i].start && at < areas[i].end)
			return true;
	return false;
}

static bool in_library(unsigned long at)
{
	for (unsigned i = 0; i < area_count; i++)
		if (areas[i].library && at >= areas[i].start && at < areas[i].end)
			return true;
	return false;
}

static void place_note(unsigned long at)
{
	for (unsigned i = 0; i < place_count; i++)
		if (places[i] == at)
			return;
	if (place_count < PLACES_MAX)
		places[place_count++] = at;
}

static unsigned long instruction(void)
{
	struct user_regs_struct registers;

	ptrace(PTRACE_GETREGS, target, NULL, &registers);
	return registers.rip;
}

static unsigned long rcx(void)
{
	struct user_regs_struct registers;

	ptrace(PTRACE_GETREGS, target, NULL, &registers);
	return registers.rcx;
}

static void instruction_set(unsigned long at)
{
	struct user_regs_struct registers;

	ptrace(PTRACE_GETREGS, target, NULL, &registers);
	registers.rip = at;
	ptrace(PTRACE_SETREGS, target, NULL, &registers);
}

static long byte_swap(unsigned long at, long byte)
{
	long word = ptrace(PTRACE_PEEKTEXT, target, at, NULL);

	ptrace(PTRACE_POKETEXT, target, at, (word & ~0xffL) | byte);
	return word & 0xff;
}

/* Goes on until the next stop; the signal that stopped the target, or -1 at its end. */
static int go(int how, int number)
{
	int status;

	ptrace(how, target, NULL, number);
	if (waitpid(target, &status, __WALL) < 0 || !WIFSTOPPED(status))
		return -1;
	return WSTOPSIG(status);
}

/* A stop at int3, and not at the end of a step. */
static bool broke(void)
{
	siginfo_t info;

	return ptrace(PTRACE_GETSIGINFO, target, NULL, &info) == 0 && info.si_code == SI_KERNEL;
}

/*
 * At the guard page behind a chunk. MadT's handler may come to the place at hand, where a
 * breakpoint would not be the target's: it goes without, up to the same store into a new chunk.
 */
static void room_pass(void)
{
	unsigned long touch = instruction();
	long byte;
	int stop;

	if (armed.address)
		byte_swap(armed.address, armed.byte);
	byte = byte_swap(touch, INT3);
	stop = go(PTRACE_CONT, SIGSEGV);
	while (stop == SIGTRAP && !broke()) /* a step of MadT's, with a signal in hand */
		stop = go(PTRACE_CONT, SIGTRAP);
	if (stop != SIGTRAP || instruction() != touch + 1)
		errx(1, "signal %d at %#lx, behind a fault at %#lx", stop, instruction(), touch);
	byte_swap(touch, byte);
	instruction_set(touch);
	if (armed.address)
		byte_swap(armed.address, INT3);
}

/* Until the target stands behind the breakpoint at one of two addresses; which one. */
static unsigned long until(unsigned long one, unsigned long other, int number)
{
	int stop;

	while ((stop = go(PTRACE_CONT, number)) > 0) {
		unsigned long at = instruction() - 1;

		if (stop == SIGTRAP && broke() && (at == one || at == other))
			return at;
		number = stop;
		if (stop == SIGSEGV && in_area(at + 1)) {
			room_pass();
			number = 0;
		}
	}
	errx(1, "the target ended, at %#lx", one);
}

/* A call that the gate makes: on to the instruction behind it, at which no patch traps. */
static void call_pass(unsigned long behind)
{
	long byte = byte_swap(behind, INT3);

	if (byte == INT3)
		errx(1, "a patch behind the call at %#lx", behind - 2);
	until(behind, behind, SIGSYS);
	byte_swap(behind, byte);
	instruction_set(behind);
}

/*
 * Returns whether a short jump led here, to another jump: a springboard, which stands in the
 * program's text.
 */
static bool is_springboard(unsigned long from, unsigned long at)
{
	return !in_area(from) && (ptrace(PTRACE_PEEKTEXT, target, from, NULL) & 0xff) == 0xeb
			&& (ptrace(PTRACE_PEEKTEXT, target, at, NULL) & 0xff) == 0xe9;
}

/*
 * A step in MadT's handlers would be a trap while SIGTRAP is blocked, and the kernel takes the
 * handler away then: the work must need none but that of SIGSYS.
 */
static void places_find(unsigned long end)
{
	unsigned long from = instruction();
	unsigned long behind = 0; /* the call, by rcx on the way from its trampoline to libmadt.so */
	bool inside = true;
	int stop;

	while (((stop = go(PTRACE_SINGLESTEP, 0)) == SIGTRAP && !broke())
			|| (stop == SIGSYS && (behind || !in_area(from)))
			|| (stop == SIGSEGV && in_area(instruction()))) {
		unsigned long at = instruction();
		bool springboard = !libraries && is_springboard(from, at);

		if (stop == SIGSEGV) {
			room_pass();
			from = instruction();
			continue;
		}
		if (stop == SIGSYS) {
			call_pass(in_area(from) ? behind : at);
			from = instruction();
			continue;
		}
		springboard_count += springboard;
		from = at;
		if (springboard || in_area(at))
			place_note(at);
		if (in_library(at) && !inside)
			behind = rcx();
		inside = in_library(at);
		if (at == end)
			return;
	}
	errx(1, "signal %d in the first round at %#lx", stop, instruction());
}

static unsigned signals_send(unsigned long begin)
{
	unsigned sent = 0;

	for (unsigned i = 0; i < 3 * place_count; i++) {
		unsigned long place = places[i / 3];
		long byte = byte_swap(place, INT3);

		armed.address = place;
		armed.byte = byte;
		unsigned long at = until(place, begin, 0);
		armed.address = 0;
		byte_swap(place, byte);
		if (at == begin)
			continue; /* the round went another way */
		instruction_set(place);
		ptrace(PTRACE_POKEDATA, target, never_at, place);
		sent++;
		until(begin, begin, SIGUSR1);
	}
	return sent;
}

int main(int argc, char **argv)
{
	unsigned long begin, end;
	int fifo = argc > 2 ? open(argv[1], O_WRONLY) : -1; /* the target waits there */

	if (fifo < 0
			|| scanf("%*p %*p %*p %lx %lx %lx %lx %d", &begin, &end, &rounds_at, &never_at, &target)
					!= 5)
		errx(1, "usage: trampoline_signals FIFO PROGRAM [LIBRARY] < first line of trampolines");
	if (ptrace(PTRACE_SEIZE, target, NULL, NULL) || ptrace(PTRACE_INTERRUPT, target, NULL, NULL))
		err(1, "process %d", target);
	waitpid(target, NULL, __WALL);
	libraries = argc > 3;
	areas_find(argv[2], libraries ? argv[3] : NULL);
	byte_swap(begin, INT3);
	if (write(fifo, "", 1) != 1)
		err(1, "%s", argv[1]);
	until(begin, begin, 0);
	places_find(end);
	ptrace(PTRACE_POKEDATA, target, rounds_at, (long)(2 + 3 * place_count));
	unsigned sent = signals_send(begin);
	byte_swap(begin, 0x90);
	printf("%u places, %u times at a springboard, %u signals\n", place_count, springboard_count,
			sent);
	ptrace(PTRACE_DETACH, target, NULL, NULL);
	return place_count == 0;
}
