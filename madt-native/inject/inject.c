/*
 * madt-inject attach PID LIBRARY FOLDER   brings the library in; FOLDER is the session's
 * madt-inject leave PID LIBRARY BASE      has threads leave that wait with a limit
 * madt-inject out PID LIBRARY BASE RANGES takes out what a process has left: BASE is where LIBRARY
 *                                         lies, RANGES a file of lines START END, hexadecimal
 * madt-inject exec LIBRARY FOLDER PATH ARGUMENT0 ARGUMENTS…
 *                                         becomes the program, which begins with the library in it
 * madt-inject run …                       the same, without the library where that cannot be done
 *
 * The first three write a line: `done NANOSECONDS BASE SUMMED ASKED`, how long the process stood
 * still, where the library is, of how many modules it summed the text then, and for how many it
 * asked the launcher; or `refused WHY`. Exit
 * status 0, or 1 if it has not been done. In front of that, `module NAME` is a module that has been
 * loaded and is not prepared, and `prepare` waits for a byte on standard input, while the process
 * runs.
 *
 * FOLDER/modules holds the names of those that are prepared. For the launcher, `attach` writes into
 * FOLDER what the process was before the library came:
 *
 *   threads  TID STACK FS of each thread, the stack pointer and the base of FS hexadecimal
 *   maps     as proc(5) has it
 *   blocks   of the C library's allocator: blocks.c
 */
#include "inject.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND 2 /* the field of /proc/PID/stat that is the name (proc(5)) */

bool refuse(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	fputs("refused ", stdout);
	vprintf(format, list);
	putchar('\n');
	va_end(list);
	return false;
}

FILE *process_file(pid_t pid, const char *name)
{
	char path[96];

	snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
	return fopen(path, "r");
}

bool thread_field(pid_t pid, pid_t tid, int number, char *field, size_t size)
{
	char name[64], line[1024], *at;
	FILE *file;

	snprintf(name, sizeof name, "task/%d/stat", (int)tid);
	file = process_file(pid, name);
	at = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
	if (file)
		fclose(file);
	for (int k = COMMAND; at && k < number; k++)
		at = strchr(at + 1, ' ');
	if (at)
		snprintf(field, size, "%s", at + 1);
	return at;
}

int main(int count, char **arguments)
{
	bool done;

	if (count >= 5 && (strcmp(arguments[1], "exec") == 0 || strcmp(arguments[1], "run") == 0))
		return execute(arguments[2], arguments[3], arguments[4], arguments + 5,
				arguments[1][0] == 'e');
	signal(SIGINT, SIG_IGN); /* the target is not left half done */
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	threads_watch();
	if (count == 5 && strcmp(arguments[1], "attach") == 0) {
		done = attach(atoi(arguments[2]), arguments[3], arguments[4]);
	} else if (count == 5 && strcmp(arguments[1], "leave") == 0) {
		done = leave(atoi(arguments[2]), arguments[3], strtoul(arguments[4], NULL, 16));
	} else if (count == 6 && strcmp(arguments[1], "out") == 0) {
		done = take_out(atoi(arguments[2]), arguments[3], strtoul(arguments[4], NULL, 16),
				arguments[5]);
	} else {
		fputs("madt-inject is started by madt run -p PID.\n", stderr);
		return 2;
	}
	return done ? 0 : 1;
}
