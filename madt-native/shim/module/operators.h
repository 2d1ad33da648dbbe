/*
 * The definitions of C++'s operator new and delete in the loaded modules, and which of them is
 * whose.
 */
#ifndef MADT_OPERATORS_H
#define MADT_OPERATORS_H

#include <stddef.h>
#include <stdint.h>

struct link_map;

/* Itanium ABI names, parameters, and what is passed on: their arguments are at most three words. */
#define WRAP_NEW(X)                                                                        \
	X(_Znwm, (size_t a), (a, 0, 0))                                                        \
	X(_ZnwmRKSt9nothrow_t, (size_t a, uintptr_t b), (a, b, 0))                             \
	X(_ZnwmSt11align_val_t, (size_t a, uintptr_t b), (a, b, 0))                            \
	X(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t a, uintptr_t b, uintptr_t c), (a, b, c)) \
	X(_Znam, (size_t a), (a, 0, 0))                                                        \
	X(_ZnamRKSt9nothrow_t, (size_t a, uintptr_t b), (a, b, 0))                             \
	X(_ZnamSt11align_val_t, (size_t a, uintptr_t b), (a, b, 0))                            \
	X(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t a, uintptr_t b, uintptr_t c), (a, b, c))
#define WRAP_DELETE(X)                                                                     \
	X(_ZdlPv, (void *a), (a, 0, 0))                                                        \
	X(_ZdlPvm, (void *a, uintptr_t b), (a, b, 0))                                          \
	X(_ZdlPvRKSt9nothrow_t, (void *a, uintptr_t b), (a, b, 0))                             \
	X(_ZdlPvSt11align_val_t, (void *a, uintptr_t b), (a, b, 0))                            \
	X(_ZdlPvmSt11align_val_t, (void *a, uintptr_t b, uintptr_t c), (a, b, c))              \
	X(_ZdlPvSt11align_val_tRKSt9nothrow_t, (void *a, uintptr_t b, uintptr_t c), (a, b, c)) \
	X(_ZdaPv, (void *a), (a, 0, 0))                                                        \
	X(_ZdaPvm, (void *a, uintptr_t b), (a, b, 0))                                          \
	X(_ZdaPvRKSt9nothrow_t, (void *a, uintptr_t b), (a, b, 0))                             \
	X(_ZdaPvSt11align_val_t, (void *a, uintptr_t b), (a, b, 0))                            \
	X(_ZdaPvmSt11align_val_t, (void *a, uintptr_t b, uintptr_t c), (a, b, c))              \
	X(_ZdaPvSt11align_val_tRKSt9nothrow_t, (void *a, uintptr_t b, uintptr_t c), (a, b, c))
#define WRAP_OPERATORS(X) WRAP_NEW(X) WRAP_DELETE(X)

#define WRAP_OPERATOR(name, ...) OPERATOR##name,
enum operator_name { WRAP_OPERATORS(WRAP_OPERATOR) OPERATORS };

extern const char *const operator_names[OPERATORS];

/*
 * The definitions that were loaded with the program, from the first module on; nothing is attached
 * yet. `wrappers_called`: where wrappers' calls return to.
 */
void operators_begin(const struct link_map *first, uintptr_t wrappers_called);
/* Adds what a module defines, or takes it away. `at` is where the loader keeps `link`. */
void operators_add(const struct link_map *link, uintptr_t at);
void operators_drop(uintptr_t at, uint32_t number);
void operators_after_fork(void);
/*
 * The definition that the caller would call without MadT, 0 if there is none, OPERATOR_UNKNOWN in a
 * process that is not attached. Takes no lock of the loader's.
 */
uintptr_t operator_next(enum operator_name name, uintptr_t caller);
#define OPERATOR_UNKNOWN 1

/* the shim's first byte, from the linker */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
void scope_set_up(const struct link_map *program); /* nothing is attached yet */
/*
 * Asks `wanted` about the modules in the scope of this one, in the loader's order, until it has an
 * answer; 0 if it has none.
 */
uintptr_t scope_search(uintptr_t link, uintptr_t (*wanted)(uintptr_t link, int argument),
		int argument);

#endif
