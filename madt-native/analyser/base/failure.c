#include "base/failure.h"

#include <stdarg.h>
#include <stdio.h>

int failure_set(struct failure *failure, int code, const char *format, ...)
{
	if (!failure->text || !failure->size)
		return code;
	int used = snprintf(failure->text, failure->size, "%s: ", failure->path);
	if (used < 0 || (size_t)used >= failure->size)
		return code;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(failure->text + used, failure->size - (size_t)used, format, arguments);
	va_end(arguments);
	return code;
}
