/*
 * Writes a file so that it changes at once or not at all: a temporary one beside it, then a rename.
 */
#ifndef MADT_FILE_REPLACE_H
#define MADT_FILE_REPLACE_H

#include "base/failure.h"

struct file_part {
	const void *bytes;
	size_t size;
};

/*
 * The parts, one behind the other. 0, or an errno value with the text; `what` says in it what the
 * file is.
 */
int file_replace(const char *path, const struct file_part *parts, unsigned count, const char *what,
		struct failure *failure);

#endif
