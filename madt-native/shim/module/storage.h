/*
 * Where threads have their thread-local storage, for the launcher: it names what lies there. A
 * thread tells of its own with the first record that it writes into a new chunk, and is made to
 * take one where something may have changed: the loader has other modules, or has allocated
 * something for this thread, which may be storage.
 *
 *   storage of module 2 | … of module 1 | thread control block       elsewhere: storage of a
 *                                       ▲                            module that was loaded later
 *                          base of FS ──┘  + 8: the table of storage, by the modules' numbers
 */
#ifndef MADT_STORAGE_H
#define MADT_STORAGE_H

#include "base/state.h"

extern bool storage_told; /* whether the session wants to know */
extern struct range storage_loader;

/* Offsets in the loader's struct link_map, 0: not known; sizes of a thread's static part. */
struct storage_layout {
	uint32_t id, offset, block;
	size_t below;
};

/* From here on it is told, where the C library and the loader keep it so. */
void storage_begin(const struct storage_layout *told);
/* The loader's list has changed. */
void storage_list_changed(void);
/* The loader has allocated something in this thread. */
void storage_allocated(void);
/* Tells what has changed since this thread was here last. */
void storage_tell(void);
void storage_end(void);        /* the thread ends */
void storage_after_fork(void); /* in the child, before its modules are told */

/* In front of an allocation's end: `caller` is the return address. */
static inline void storage_allocation(uintptr_t caller)
{
	if (__builtin_expect(storage_told, false) && attached
			&& caller - storage_loader.start < storage_loader.end - storage_loader.start)
		storage_allocated();
}

#endif
