/* Files below the session folder, which the process shares with the launcher. */
#ifndef MADT_SESSION_FILE_H
#define MADT_SESSION_FILE_H

#include "base/base.h"

struct part {
	size_t start, size;
};

bool file_allocate(const char *path, size_t start, size_t size);

/* Maps a file, made first if it is to have parts. */
void *file_map(const char *path, size_t size, const struct part *part, size_t parts, long *error);

#endif
