/*
 * What this library takes from the C library, for a process into which no loader has brought it:
 * madt-inject leads each import to the function of this name.
 */
#ifndef MADT_ALONE_H
#define MADT_ALONE_H

#include "base/base.h"

EXPORT unsigned long madt_alone_getauxval(unsigned long type);
EXPORT void *madt_alone_dlsym(void *handle, const char *name);
EXPORT void *madt_alone_dlopen(const char *name, int mode);
EXPORT int madt_alone_dladdr1(const void *address, void *info, void **extra, int flags);
EXPORT int *madt_alone___errno_location(void);

#endif
