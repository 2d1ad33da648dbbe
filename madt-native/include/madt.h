/*
 * Markers for programs that run under MadT: `madt run --start marker` records only between
 * MadT_start() and MadT_stop(). Windows may repeat, are process-wide and do not nest. Without MadT
 * both do nothing.
 *
 * Only this header is needed, nothing to link. (Before glibc 2.34 dlsym lives in libdl: link with
 * -ldl there.) C99 or newer (GNU C89 too), C++98 or newer, PIE or not, gcc or clang.
 *
 * The functions are looked up at first use: weak references are silently 0 in -no-pie programs, and
 * weak definitions would win over the preloaded ones. What is found is kept in thread-local
 * storage, which is not traced, and both functions are looked up at once, so that MadT_stop()
 * itself adds no access to the window that it closes. Everything is inlined into the caller, whose
 * name the marker events carry; no symbol of these names is defined in the program.
 */
#ifndef MADT_H
#define MADT_H

#include <dlfcn.h>
#include <stddef.h>

#define MADT_INLINE static __inline__ __attribute__((always_inline, unused))

struct madt_markers {
	void (*start)(void);
	void (*stop)(void);
	int known;
};

static __thread struct madt_markers madt_markers __attribute__((unused));

/*
 * The handle is RTLD_DEFAULT, which <dlfcn.h> names only with _GNU_SOURCE; the union spares a cast
 * that ISO C forbids.
 */
MADT_INLINE void madt_markers_find(void)
{
	union {
		void *object;
		void (*function)(void);
	} found;

	found.object = dlsym(NULL, "MadT_stop");
	madt_markers.stop = found.function;
	found.object = dlsym(NULL, "MadT_start");
	madt_markers.start = found.function;
	if (found.object == NULL)
		(void)dlerror(); /* a failed look-up leaves a message behind */
	madt_markers.known = 1;
}

/* The empty asm keeps the call from becoming a jump, which would hide the caller. */
MADT_INLINE void MadT_start(void)
{
	if (!madt_markers.known)
		madt_markers_find();
	if (madt_markers.start)
		madt_markers.start();
	__asm__ volatile("" : : : "memory");
}

MADT_INLINE void MadT_stop(void)
{
	if (!madt_markers.known)
		madt_markers_find();
	if (madt_markers.stop)
		madt_markers.stop();
	__asm__ volatile("" : : : "memory");
}

/* The spelling of the MadT paper. */
MADT_INLINE void MadT__start(void)
{
	MadT_start();
}

MADT_INLINE void MadT__stop(void)
{
	MadT_stop();
}

#endif
