/* Why something could not be done: an errno value and a text for the caller's buffer. */
#ifndef MADT_FAILURE_H
#define MADT_FAILURE_H

#include <stddef.h>

struct failure {
	const char *path; /* the file at fault, first in every text */
	char *text;       /* may be NULL */
	size_t size;
};

/*
 * Writes "path: " and the text, and returns `code`, so that `return failure_set(…)` is one
 * statement.
 */
int failure_set(struct failure *failure, int code, const char *format, ...)
		__attribute__((format(printf, 3, 4)));

#endif
