/*
 * The modules for which the launcher has plans: a process that has another one is let go, until the
 * launcher has made its plan.
 */
#include "inject.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_BYTES 1024
#define GRAIN 64ul /* bytes that are read of a name at a time */

static bool is_known(const struct names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->name[i], name) == 0)
			return true;
	return false;
}

static void name_add(struct names *names, const char *name)
{
	names->name = realloc(names->name, (names->count + 1) * sizeof *names->name);
	if (!names->name || !(names->name[names->count++] = strdup(name)))
		abort();
}

void names_read(struct names *names, const char *folder)
{
	char path[512], name[NAME_BYTES];
	FILE *file;

	snprintf(path, sizeof path, "%s/modules", folder);
	file = fopen(path, "r");
	while (file && fgets(name, sizeof name, file)) {
		name[strcspn(name, "\n")] = 0;
		name_add(names, name);
	}
	if (file)
		fclose(file);
}

/* The next page may be none. */
static bool text_read(pid_t pid, uintptr_t from, char *to, size_t room)
{
	for (size_t at = 0, part; at < room; at += part) {
		part = GRAIN - (from + at) % GRAIN;
		part = part < room - at ? part : room - at;
		if (!memory_read(pid, from + at, to + at, part))
			return false;
		if (memchr(to + at, 0, part))
			return true;
	}
	return false;
}

bool names_all_known(struct names *names, pid_t pid, const struct madt_attach_ready *ready)
{
	char name[NAME_BYTES];
	bool known = true;

	for (size_t i = 0; i < ready->count; i++) {
		if (!text_read(pid, ready->name[i], name, sizeof name) || strchr(name, '\n')
				|| is_known(names, name))
			continue;
		printf("module %s\n", name);
		name_add(names, name);
		known = false;
	}
	return known;
}

void names_await(void)
{
	char byte;

	puts("prepare");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
		; /* where the launcher has ended, it will not answer */
}
