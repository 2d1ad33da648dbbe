/*
 * Which operator new or delete a wrapper calls where MadT is not attached; elsewhere see
 * module/operators.c.
 */
#include "wrap/wrap.h"

#include <dlfcn.h>

uintptr_t operator_ask(enum operator_name name)
{
	void *found = dlsym(RTLD_NEXT, operator_names[name]);
	void *library = found ? NULL : dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);

	return (uintptr_t)(library ? dlsym(library, operator_names[name]) : found);
}
