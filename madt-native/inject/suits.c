/* What can be seen of a process before it is stopped: whether MadT can come into it. */
#include "inject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STRICT 1 /* SECCOMP_MODE_STRICT */

/* proc(5), status: the mode of seccomp(2), which is 0 without it, and how many filters there are. */
static int seccomp_mode(pid_t pid, int *filters)
{
	char line[256];
	int mode = 0;
	FILE *file = process_file(pid, "status");

	*filters = 0;
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "Seccomp_filters: %d", filters) != 1)
			sscanf(line, "Seccomp: %d", &mode);
	if (file)
		fclose(file);
	return mode;
}

/*
 * Counts filters: those of a container stand over this process too, and let MadT pass; more of them
 * are the process's own.
 */
static bool is_shut_in(pid_t pid)
{
	int filters, own_filters, mode = seccomp_mode(pid, &filters),
							  own_mode = seccomp_mode(getpid(), &own_filters);

	return mode == STRICT || filters > own_filters || (mode && !own_mode);
}

bool process_suits(pid_t pid)
{
	if (is_shut_in(pid))
		return refuse("process %d is under a seccomp filter of its own, which may end it for a"
					  " system call of madt's",
				(int)pid);
	return true;
}
