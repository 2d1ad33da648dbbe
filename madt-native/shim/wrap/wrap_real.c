/* The functions behind the interposed ones. */
#include "wrap/wrap.h"

#include <dlfcn.h>

struct real_functions real;
start_function *real_libc_start_main;

#define WRAP_FIND(type, name, parameters) real.name = (type(*) parameters)dlsym(RTLD_NEXT, #name);

/*
 * Before anything is recorded: dlsym takes the loader's lock, and what it accesses is not the
 * program's.
 */
void real_find(void)
{
	const struct r_debug *loader;

	WRAP_ALLOCATION(WRAP_FIND)
	WRAP_MEMORY(WRAP_FIND)
	WRAP_TRANSFER(WRAP_FIND)
	real_libc_start_main = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
	loader = dlsym(RTLD_DEFAULT, "_r_debug");
	if (loader)
		operators_begin(loader->r_map, (uintptr_t)madt_called);
}
