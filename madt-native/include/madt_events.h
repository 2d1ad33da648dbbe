/* The types of events. Made of madt_events.schema, where it is to be changed. */
#ifndef MADT_EVENTS_H
#define MADT_EVENTS_H

enum madt_event_type {
	/*
	 * malloc, new, aligned forms, strdup …; recorded after the call; address (of what is new);
	 * size; old_size: chain (a node; 0: not known); caller
	 */
	MADT_EVENT_MALLOC = 1,
	/*
	 * calloc; recorded after the call; address (of what is new); size (in all); old_size: chain
	 * (a node; 0: not known); caller
	 */
	MADT_EVENT_CALLOC = 2,
	/*
	 * mmap; recorded after the call; address (of what is new); size; old_size: chain (a node; 0:
	 * not known); caller
	 */
	MADT_EVENT_MMAP = 3,
	/* realloc has begun: the old block ends here; old (of what ends); caller */
	MADT_EVENT_REALLOC_BEGIN = 4,
	/*
	 * realloc has ended; address (of what is new); size; old (of what ends); old_size: chain (a
	 * node; 0: not known); caller
	 */
	MADT_EVENT_REALLOC_END = 5,
	/*
	 * mremap has begun: the old range ends here, unless it has 0 bytes; old (of what ends);
	 * old_size; caller
	 */
	MADT_EVENT_MREMAP_BEGIN = 6,
	/* mremap has ended; address (of what is new); size; old (of what ends); old_size; caller */
	MADT_EVENT_MREMAP_END = 7,
	/*
	 * free, delete; recorded before the call. free(NULL) is no event; old (of what ends);
	 * old_size: chain (a node; 0: not known); caller
	 */
	MADT_EVENT_FREE = 8,
	/*
	 * munmap, or the break shrinks; recorded before the call; old (of what ends); old_size;
	 * caller
	 */
	MADT_EVENT_MUNMAP = 9,
	/*
	 * the break has grown by a new block; address (of what is new); size; old_size: chain (a
	 * node; 0: not known); caller
	 */
	MADT_EVENT_BREAK = 10,
	/*
	 * a module has been loaded; address: start; size; old: bias; old_size: firstTemplate; name:
	 * path
	 */
	MADT_EVENT_MODULE_LOAD = 16,
	/* it is gone; address: start; size */
	MADT_EVENT_MODULE_UNLOAD = 17,
	/*
	 * new memory, behind its MAPS frame. Names of ended blocks there are gone; address: start;
	 * size; old: protection; old_size: flags (of mmap; bit 32: a stack that the C library has
	 * mapped); name: file
	 */
	MADT_EVENT_REGION_MAP = 18,
	/* memory is gone; address: start; size */
	MADT_EVENT_REGION_UNMAP = 19,
	/* memory has another protection; address: start; size; old: protection */
	MADT_EVENT_REGION_PROTECT = 20,
	/* the heap of brk; address: start; size (now) */
	MADT_EVENT_HEAP = 21,
	/*
	 * the thread begins; recorders write it for a child of vfork, which is a thread of its
	 * parent's trace; address: stack; size (0: unknown)
	 */
	MADT_EVENT_THREAD_START = 24,
	/* the thread ends; the child of vfork is gone, or executes another program */
	MADT_EVENT_THREAD_END = 25,
	/*
	 * the thread's name from now on (pthread_setname_np, PR_SET_NAME); each thread begins with
	 * one; address: name1 (text); size: name2 (text); old: handle (of its thread control block,
	 * which pthread_join takes; 0: not told)
	 */
	MADT_EVENT_THREAD_NAME = 26,
	/* recording begins; address: caller (0: by itself); size: cause; old: time (ticks); caller */
	MADT_EVENT_RECORD_START = 28,
	/* recording pauses; address: caller (0: by itself); size: cause; old: time (ticks); caller */
	MADT_EVENT_RECORD_STOP = 29,
	/* a child was made; address: child (pid) (0: it failed); size: shares (1: vfork) */
	MADT_EVENT_FORK = 30,
	/*
	 * an exec is tried; if it succeeds this is the last event; address: process (pid); size:
	 * reason (not 0: the new image is not traced (enum madt_exec)); name: file
	 */
	MADT_EVENT_EXEC = 31,
	/* the child, if it comes, inherits the blocks that live now */
	MADT_EVENT_FORK_BEGIN = 32,
	/* exit_group; address: process (pid); size: status (0 to 255); old: time (ticks) */
	MADT_EVENT_EXIT = 33,
	/*
	 * trace file only: a block from before the fork; see below; address: block; size; old: start
	 * (of the piece); old_size: end; caller
	 */
	MADT_EVENT_INHERIT = 34,
	/* the end of a child was waited for; address: child (pid); size: status (of wait(2)) */
	MADT_EVENT_WAITED = 35,
	/*
	 * the thread waited for MadT. Only with times of calls, or of functions at instruments;
	 * address: begin (ticks); size: length (duration)
	 */
	MADT_EVENT_PAUSE = 36,
	/*
	 * trace file only: the thread had no processor; see below. Only with calls and times;
	 * address: begin (ticks); size: length (duration); old: who1 (text); old_size: who2 (text)
	 */
	MADT_EVENT_OFF_CPU = 37,
	/*
	 * the thread was in a system call for long; see below. Only with calls and times; address:
	 * begin (ticks); size: length (duration); old: number; old_size: first (its first argument;
	 * all ones: it is not known)
	 */
	MADT_EVENT_SYSTEM_CALL = 38,
	/*
	 * a call that chains have in common; see below. In front of the first event with a chain
	 * through it; address: node (from 1); size: outer (the node of the caller; 0: none is told);
	 * old: cut (why no caller is told (enum madt_cut)); caller
	 */
	MADT_EVENT_CHAIN_NODE = 39,
	/*
	 * an allocator by another name (--alloc) has given a block; recorded after the call; address
	 * (of what is new); size; old: pool (that it is cut from; 0: none); old_size: chain (a node;
	 * 0: not known); caller
	 */
	MADT_EVENT_NAMED_ALLOC = 40,
	/*
	 * such an allocator is about to change a block: the old one ends here; old (of what ends);
	 * caller
	 */
	MADT_EVENT_NAMED_REALLOC_BEGIN = 41,
	/*
	 * it has done so; address (of what is new); size; old (of what ends); old_size: chain (a
	 * node; 0: not known); caller
	 */
	MADT_EVENT_NAMED_REALLOC_END = 42,
	/*
	 * such a block ends; recorded before the call. Where a pool ends, one for each block in it;
	 * old (of what ends); old_size: chain (a node; 0: not known); caller
	 */
	MADT_EVENT_NAMED_FREE = 43,
	/* a pool has ended, and all blocks in it; address: pool; caller */
	MADT_EVENT_POOL_END = 44,
	/*
	 * where a thread has its thread-local storage; address: base (of FS); size (of the thread
	 * control block there; 0: the thread ends); old: below (of static storage)
	 */
	MADT_EVENT_TLS_THREAD = 45,
	/*
	 * a module has thread-local storage; address: start (of the module); size: id (in each
	 * thread's table of storage); old: offset (so far below the base of FS; 0 or negative:
	 * elsewhere)
	 */
	MADT_EVENT_TLS_MODULE = 46,
	/*
	 * storage that the thread has got for a module, not below the base of FS; address: block;
	 * size: id (of the module); old: start (of the module)
	 */
	MADT_EVENT_TLS_BLOCK = 47,
	/*
	 * trace file only: control came to an instrument that tells values (--at, log): the last
	 * three of them, or fewer. Its line says them as the instrument's text does, or else as
	 * numbers; address: place (in META's instrument_places); size: value1; old: value2;
	 * old_size: value3; caller
	 */
	MADT_EVENT_INSTRUMENT_HIT = 48,
	/*
	 * trace file only: in front of a hit with more values: the first ones; address: place; size:
	 * value1; old: value2; old_size: value3
	 */
	MADT_EVENT_INSTRUMENT_VALUES = 49,
	/*
	 * trace file only: at the end of a trace: how often control came to an instrument that
	 * counts; address: place; size: count; caller
	 */
	MADT_EVENT_INSTRUMENT_COUNT = 50,
	/*
	 * trace file only: at the end of a trace: a row of a table of an instrument; address: action
	 * (8 × the instrument's and its own); size: key (the slot of a histogram, or the node of a
	 * chain); old: hits; old_size: value (sum, minimum or maximum)
	 */
	MADT_EVENT_INSTRUMENT_ROW = 51,
	/*
	 * trace file only: behind the last row of an action time, or with a key behind each of its
	 * rows: how long these calls took; address: action (as in INSTRUMENT_ROW); size: least
	 * (nanoseconds); old: median (up to 3 % too much); old_size: most
	 */
	MADT_EVENT_INSTRUMENT_TIMES = 52,
	/*
	 * free where allocators by other names are followed: FREE, and NAMED_FREE of each block in
	 * that one; size: within (1 in a call that ends the block: then only if it is a heap's); old
	 * (of what ends); old_size: chain (a node; 0: not known); caller
	 */
	MADT_EVENT_FREE_AMONG = 53,
	/*
	 * a function that is open when its thread's recording begins, and its code word where it is:
	 * see below; address: function (its entry; in the ring 0); size: stack (its stack pointer at
	 * its entry); old: time (ticks) (from when on its thread is recorded); old_size: depth (of
	 * those around it that are told; 0: a stack begins here); caller
	 */
	MADT_EVENT_OPEN_FUNCTION = 54,
	/*
	 * the program has asked how much of a block it may use (malloc_usable_size): from now on,
	 * what lies there up to this size is the block's, too; address: block; size
	 */
	MADT_EVENT_USABLE = 55,
	/*
	 * trace file only: a thread has got a lock (--record locks), or a semaphore's unit. how is
	 * the kind of lock; cond: it has the mutex again with which it waited for a condition; with
	 * a ? behind it the thread would not have waited; address: lock; size: asked (ticks) (when
	 * its function was entered); old: waited (duration) (until the function was left); old_size:
	 * how (text); caller
	 */
	MADT_EVENT_LOCK_GOT = 56,
	/*
	 * trace file only: a thread is about to release a lock, or adds to a semaphore; address:
	 * lock; size: time (ticks) (when its function was entered); old: held (duration) (since the
	 * thread got it); old_size: depth (of the locks that the thread held when it got this one);
	 * caller
	 */
	MADT_EVENT_LOCK_RELEASED = 57,
	/*
	 * trace file only: failed: a lock was not got; timeout: nor by a function that waits for
	 * some time; not held: one is released that the thread is not known to hold; made: that of a
	 * spin lock, which glibc makes by the same function; address: lock; size: time (ticks) (when
	 * its function was entered); old: lasted (duration); old_size: why (text); caller
	 */
	MADT_EVENT_LOCK_UNDONE = 58,
	/*
	 * threads wait for each other at a condition (signal, awoke), a barrier (arrive, pass), what
	 * is done once (begin, once), a thread (create, join: the object is what pthread_join
	 * takes), or a team of threads: a function is given to it (fork) and run by all (joined), a
	 * task is made (task, made); a thread begins such a function or a task (part) and ends it
	 * (done), waits for the others and for tasks (gather, gathered); a call returns that was
	 * entered before a window opened, and the thread may have waited for any other (late, of no
	 * object); or something goes through the kernel (sent, received): the object is a channel,
	 * with bit 63 set and its kind in bits 59 to 62 (shim/gate/handed.c); address: object; size:
	 * time (ticks); old: role (text); caller
	 */
	MADT_EVENT_THREAD_SYNC = 59,
	/*
	 * the chain of a MREMAP_BEGIN or MUNMAP that comes next in its thread with this address, and
	 * of that call's MREMAP_END; old (of what ends); old_size: chain (a node)
	 */
	MADT_EVENT_MAPPING_CHAIN = 60,
	/*
	 * an access has failed, and the process ends by the signal for it, SIGSEGV; the code word is
	 * the instruction; address (that was accessed; 0 where the processor tells none); size:
	 * signal; old: how (0 a load, 1 a store, 2 a fetch of code, 3 the processor does not say);
	 * caller
	 */
	MADT_EVENT_CRASH = 61,
	/*
	 * Go's allocator (runtime.mallocgc) has given a block, and whatever lay there has ended;
	 * recorded as the call returns. See below; address (of what is new); size; old: goType
	 * (where Go describes its type; 0: not told); old_size: chain (a node; 0: not known); caller
	 */
	MADT_EVENT_GO_ALLOC = 62
};

/* A bit for each of them. */
#define MADT_EVENT_TYPES UINT64_C(0x7ffffffff73f07fe)

#endif
