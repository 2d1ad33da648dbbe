/* The functions behind the interposed ones. */
#include "wrap.h"

#include <dlfcn.h>

struct real_functions real;

#define WRAP_FIND(type, name, parameters) real.name = (type(*) parameters)dlsym(RTLD_NEXT, #name);

void real_find(void)
{
	WRAP_ALLOCATION(WRAP_FIND)
	WRAP_MEMORY(WRAP_FIND)
	WRAP_TRANSFER(WRAP_FIND)
}

void *real_next(const char *name)
{
	void *found = dlsym(RTLD_NEXT, name);
	void *library = found ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);

	return library ? dlsym(library, name) : found;
}
