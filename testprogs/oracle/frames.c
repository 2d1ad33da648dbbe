/*
 * Preloaded into a program that runs under Valgrind, in MadT's place: it stands before the same
 * functions as libmadt.so, in the same place of the loader's search order, and tells Valgrind when
 * the outermost of them begins and ends. What happens between is one event in a trace of MadT (or
 * none), and no accesses. Callgrind's counting is switched by its client request; the reader of
 * Lackey's log looks for the first instructions of frames_begin and frames_end. Nothing here
 * allocates, which would move the program's heap, and there is no thread-local storage, which would
 * move the stacks of threads.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <valgrind/callgrind.h>

#include "interposed.h"

#define EXPORT __attribute__((visibility("default")))
#define THREADS 64

/* How deep each thread is in these functions. */
static struct {
	uintptr_t thread;
	unsigned depth;
} frames[THREADS];

static unsigned *depth_of_thread(void)
{
	uintptr_t thread, none = 0;

	__asm__("mov %%fs:0x10, %0" : "=r"(thread));
	for (unsigned i = 0; i < THREADS; i++) {
		none = 0;
		if (frames[i].thread == thread
				|| __atomic_compare_exchange_n(&frames[i].thread, &none, thread, 0,
						__ATOMIC_RELAXED, __ATOMIC_RELAXED))
			return &frames[i].depth;
	}
	__builtin_trap();
}

__attribute__((noinline, used)) static void frames_begin(void)
{
	CALLGRIND_TOGGLE_COLLECT;
}

__attribute__((noinline, used)) static void frames_end(void)
{
	CALLGRIND_TOGGLE_COLLECT;
}

/* All functions of interposed.h take up to six integers and return one. No program of the oracle
 * leaves the outermost one by an exception. */
typedef uintptr_t word;
typedef word function(word, word, word, word, word, word);

static word call(function *next, word a, word b, word c, word d, word e, word f)
{
	unsigned *depth = depth_of_thread(), before = (*depth)++;
	word result;

	if (before == 0)
		frames_begin();
	result = next(a, b, c, d, e, f);
	*depth = before; /* an exception may have left one within this one */
	if (before == 0)
		frames_end();
	return result;
}

#define DEFINE(name)                                                 \
	static function *next_##name;                                    \
	EXPORT word name(word a, word b, word c, word d, word e, word f) \
	{                                                                \
		return call(next_##name, a, b, c, d, e, f);                  \
	}
LIBC(DEFINE)
LIBSTDCXX(DEFINE)

/* Finalisers of Valgrind's own object, which call libc as any module's do. The sibling call leaves
 * nothing on the stack. */
static uintptr_t valgrind_start, valgrind_end;
static function *next_finalize;

EXPORT word __cxa_finalize(word module, word b, word c, word d, word e, word f)
{
	if (module >= valgrind_start && module < valgrind_end)
		return call(next_finalize, module, b, c, d, e, f);
	return next_finalize(module, b, c, d, e, f);
}

static bool name_has(const char *name, const char *part)
{
	for (; *name; name++) {
		size_t i = 0;

		while (part[i] && name[i] == part[i])
			i++;
		if (!part[i])
			return true;
	}
	return false;
}

static int module_look_at(struct dl_phdr_info *info, size_t size, void *cxx)
{
	(void)size;
	if (name_has(info->dlpi_name, "/libstdc++.so"))
		*(bool *)cxx = true;
	if (name_has(info->dlpi_name, "/vgpreload_core"))
		for (unsigned i = 0; i < info->dlpi_phnum; i++)
			if (info->dlpi_phdr[i].p_type == PT_LOAD) {
				valgrind_start = info->dlpi_addr;
				valgrind_end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr
						+ info->dlpi_phdr[i].p_memsz;
			}
	return 0;
}

#define FIND(name) next_##name = dlsym(RTLD_NEXT, #name);

/* A search in vain would leave an error message on the heap. */
__attribute__((constructor)) static void start(void)
{
	bool cxx = false;

	dl_iterate_phdr(module_look_at, &cxx);
	next_finalize = dlsym(RTLD_NEXT, "__cxa_finalize");
	LIBC(FIND)
	if (!cxx)
		return;
	LIBSTDCXX(FIND)
}
