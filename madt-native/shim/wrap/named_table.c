/*
 * The functions that are allocators by other names, by the numbers of their stubs. Modules are
 * prepared one at a time. One that is loaded again may get the places that it had.
 */
#include "wrap/wrap.h"

#define NAMED_MOST 256 /* STUBS of named.S */
#define STUB_BYTES 16

static struct named named[NAMED_MOST];
static uint32_t named_count;
static uintptr_t stubs;

void named_stubs_are(const char *code)
{
	stubs = (uintptr_t)code;
}

uintptr_t named_wrapper(uint32_t function, uintptr_t code)
{
	uint32_t i = 0;

	while (i < named_count && named[i].code != code)
		i++;
	if (i == NAMED_MOST)
		return code;
	named[i].code = code;
	named[i].function = function;
	if (i == named_count)
		STORE_RELEASE(&named_count, named_count + 1);
	return stubs + STUB_BYTES * i;
}

const struct named *named_at(uint64_t number)
{
	return &named[number];
}

bool named_any(void)
{
	return LOAD_ACQUIRE(&named_count);
}
