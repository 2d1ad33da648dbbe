/*
 * CPython's object allocators. Where link-time optimisation has put copies of them into their
 * callers, each copy first asks whether the interpreter's table still names the function that it is
 * a copy of, and calls what stands there if it does not. So the table gets wrappers, as the
 * interpreter begins and by its own means: PyMem_SetAllocator.
 */
#include "wrap/wrap.h"

#include <dlfcn.h>

/* PyMemAllocatorEx: since 3.5, and in each version from then on */
struct allocator {
	void *context;
	void *(*malloc)(void *context, size_t size);
	void *(*calloc)(void *context, size_t count, size_t size);
	void *(*realloc)(void *context, void *old, size_t size);
	void (*free)(void *context, void *old);
};

/* PyMemAllocatorDomain, but for PYMEM_DOMAIN_RAW, which is malloc's */
enum domain { DOMAIN_MEM = 1, DOMAIN_OBJECT = 2 };

#define NONE MADT_NAMED_NONE
#define ROLE(role, size, factor, old)                                                     \
	(MADT_HOOK_NAMED | (role) | (uint32_t)(size) << MADT_NAMED_SIZE                       \
			| (uint32_t)(factor) << MADT_NAMED_FACTOR | (uint32_t)(old) << MADT_NAMED_OLD \
			| NONE << MADT_NAMED_POOL)
#define WRAPPED(function, role) ((__typeof__(function))named_wrapper(role, (uintptr_t)(function)))

static void domain_wrap(void (*get)(int, struct allocator *), void (*set)(int, struct allocator *),
		enum domain domain)
{
	struct allocator its;

	get((int)domain, &its);
	its.malloc = WRAPPED(its.malloc, ROLE(MADT_NAMED_ALLOCATES, 1, NONE, NONE));
	its.calloc = WRAPPED(its.calloc, ROLE(MADT_NAMED_ALLOCATES, 1, 2, NONE));
	its.realloc = WRAPPED(its.realloc, ROLE(MADT_NAMED_REALLOCATES, 2, NONE, 1));
	its.free = WRAPPED(its.free, ROLE(MADT_NAMED_FREES, NONE, NONE, 1));
	set((int)domain, &its);
}

void cpython_begin(void)
{
	static bool begun;
	void (*get)(int, struct allocator *), (*set)(int, struct allocator *);

	if (__atomic_exchange_n(&begun, true, __ATOMIC_RELAXED))
		return;
	get = (void (*)(int, struct allocator *))dlsym(RTLD_DEFAULT, "PyMem_GetAllocator");
	set = (void (*)(int, struct allocator *))dlsym(RTLD_DEFAULT, "PyMem_SetAllocator");
	if (!get || !set)
		return;
	domain_wrap(get, set, DOMAIN_MEM);
	domain_wrap(get, set, DOMAIN_OBJECT);
}
