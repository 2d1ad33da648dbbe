/*
 * AddressSanitizer ends a program before main if its own library is not the first that is loaded,
 * since another one could take its functions from it. MadT's wrappers go on to them, so the check
 * is switched off. The options that the user gives come behind these.
 */
#include "wrap/wrap.h"

EXPORT const char *__asan_default_options(void)
{
	return "verify_asan_link_order=0";
}
