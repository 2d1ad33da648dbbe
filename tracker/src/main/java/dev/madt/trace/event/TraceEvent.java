package dev.madt.trace.event;

/**
 * An event with its words by their names. Made of madt_events.schema, where it is to be changed.
 */
public sealed interface TraceEvent {
    /** The thread whose event it is. */
    int thread();

    /** Its ticket: the order of the events of a process. */
    long ticket();

    /**
     * Says: malloc, new, aligned forms, strdup …; recorded after the call
     *
     * @param block address
     * @param size bytes
     */
    record Malloc(int thread, long ticket, long block, long size, long code) implements TraceEvent {
        Malloc(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size(), event.code());
        }
    }

    /**
     * Says: calloc; recorded after the call
     *
     * @param block address
     * @param size bytes, in all
     */
    record Calloc(int thread, long ticket, long block, long size, long code) implements TraceEvent {
        Calloc(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size(), event.code());
        }
    }

    /**
     * Says: mmap; recorded after the call
     *
     * @param mapping address
     * @param size bytes
     */
    record Mmap(int thread, long ticket, long mapping, long size, long code) implements TraceEvent {
        Mmap(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size(), event.code());
        }
    }

    /**
     * Says: realloc has begun: the old block ends here
     *
     * @param old address
     */
    record ReallocBegin(int thread, long ticket, long old, long code) implements TraceEvent {
        ReallocBegin(RingEvent event) {
            this(event.thread(), event.epoch(), event.old(), event.code());
        }
    }

    /**
     * Says: realloc has ended
     *
     * @param block address
     * @param size bytes
     * @param old address
     */
    record ReallocEnd(int thread, long ticket, long block, long size, long old, long code)
            implements TraceEvent {
        ReallocEnd(RingEvent event) {
            this(
                    event.thread(),
                    event.epoch(),
                    event.address(),
                    event.size(),
                    event.old(),
                    event.code());
        }
    }

    /**
     * Says: mremap has begun: the old range ends here, unless it has 0 bytes
     *
     * @param old address
     * @param oldSize bytes
     */
    record MremapBegin(int thread, long ticket, long old, long oldSize, long code)
            implements TraceEvent {
        MremapBegin(RingEvent event) {
            this(event.thread(), event.epoch(), event.old(), event.oldSize(), event.code());
        }
    }

    /**
     * Says: mremap has ended
     *
     * @param mapping address
     * @param size bytes
     * @param old address
     * @param oldSize bytes
     */
    record MremapEnd(
            int thread, long ticket, long mapping, long size, long old, long oldSize, long code)
            implements TraceEvent {
        MremapEnd(RingEvent event) {
            this(
                    event.thread(),
                    event.epoch(),
                    event.address(),
                    event.size(),
                    event.old(),
                    event.oldSize(),
                    event.code());
        }
    }

    /**
     * Says: free, delete; recorded before the call. free(NULL) is no event
     *
     * @param block address
     */
    record Free(int thread, long ticket, long block, long code) implements TraceEvent {
        Free(RingEvent event) {
            this(event.thread(), event.epoch(), event.old(), event.code());
        }
    }

    /**
     * Says: munmap, or the break shrinks; recorded before the call
     *
     * @param start address
     * @param size bytes
     */
    record Munmap(int thread, long ticket, long start, long size, long code) implements TraceEvent {
        Munmap(RingEvent event) {
            this(event.thread(), event.epoch(), event.old(), event.oldSize(), event.code());
        }
    }

    /**
     * Says: the break has grown by a new block
     *
     * @param start address
     * @param size bytes
     */
    record Break(int thread, long ticket, long start, long size, long code) implements TraceEvent {
        Break(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size(), event.code());
        }
    }

    /**
     * Says: a module has been loaded
     *
     * @param start address
     * @param size bytes
     * @param bias number
     * @param firstRun number
     */
    record ModuleLoad(
            int thread, long ticket, long start, long size, long bias, long firstRun, String path)
            implements TraceEvent {
        ModuleLoad(RingEvent event) {
            this(
                    event.thread(),
                    event.epoch(),
                    event.address(),
                    event.size(),
                    event.old(),
                    event.oldSize(),
                    event.name());
        }
    }

    /**
     * Says: it is gone
     *
     * @param start address
     * @param size bytes
     */
    record ModuleUnload(int thread, long ticket, long start, long size) implements TraceEvent {
        ModuleUnload(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size());
        }
    }

    /**
     * Says: new memory, behind its MAPS frame. Names of ended blocks there are gone
     *
     * @param start address
     * @param size bytes
     * @param protection number
     * @param flags number, of mmap
     */
    record RegionMap(
            int thread,
            long ticket,
            long start,
            long size,
            long protection,
            long flags,
            String file)
            implements TraceEvent {
        RegionMap(RingEvent event) {
            this(
                    event.thread(),
                    event.epoch(),
                    event.address(),
                    event.size(),
                    event.old(),
                    event.oldSize(),
                    event.name());
        }
    }

    /**
     * Says: memory is gone
     *
     * @param start address
     * @param size bytes
     */
    record RegionUnmap(int thread, long ticket, long start, long size) implements TraceEvent {
        RegionUnmap(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size());
        }
    }

    /**
     * Says: memory has another protection
     *
     * @param start address
     * @param size bytes
     * @param protection number
     */
    record RegionProtect(int thread, long ticket, long start, long size, long protection)
            implements TraceEvent {
        RegionProtect(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size(), event.old());
        }
    }

    /**
     * Says: the heap of brk
     *
     * @param start address
     * @param size bytes, now
     */
    record Heap(int thread, long ticket, long start, long size) implements TraceEvent {
        Heap(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size());
        }
    }

    /**
     * Says: the thread begins; recorders write it for a child of vfork, which is a thread of its
     * parent's trace
     *
     * @param stack address
     * @param size bytes, 0: unknown
     */
    record ThreadStart(int thread, long ticket, long stack, long size) implements TraceEvent {
        ThreadStart(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size());
        }
    }

    /**
     * Says: the thread ends; the child of vfork is gone, or executes another program
     */
    record ThreadEnd(int thread, long ticket) implements TraceEvent {
        ThreadEnd(RingEvent event) {
            this(event.thread(), event.epoch());
        }
    }

    /**
     * Says: recording begins
     *
     * @param caller address, 0: by itself
     * @param cause number
     * @param time ticks
     */
    record RecordStart(int thread, long ticket, long caller, long cause, long time, long code)
            implements TraceEvent {
        RecordStart(RingEvent event) {
            this(
                    event.thread(),
                    event.epoch(),
                    event.address(),
                    event.size(),
                    event.old(),
                    event.code());
        }
    }

    /**
     * Says: recording pauses
     *
     * @param caller address
     * @param cause number
     * @param time ticks
     */
    record RecordStop(int thread, long ticket, long caller, long cause, long time, long code)
            implements TraceEvent {
        RecordStop(RingEvent event) {
            this(
                    event.thread(),
                    event.epoch(),
                    event.address(),
                    event.size(),
                    event.old(),
                    event.code());
        }
    }

    /**
     * Says: a child was made
     *
     * @param child pid, 0: it failed
     * @param shares number, 1: vfork
     */
    record Fork(int thread, long ticket, long child, long shares) implements TraceEvent {
        Fork(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size());
        }
    }

    /**
     * Says: an exec is tried; if it succeeds this is the last event
     *
     * @param process pid
     * @param reason number, not 0: the new image is not traced (enum madt_exec)
     */
    record Exec(int thread, long ticket, long process, long reason, String file)
            implements TraceEvent {
        Exec(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size(), event.name());
        }
    }

    /**
     * Says: the child, if it comes, inherits the blocks that live now
     */
    record ForkBegin(int thread, long ticket) implements TraceEvent {
        ForkBegin(RingEvent event) {
            this(event.thread(), event.epoch());
        }
    }

    /**
     * Says: exit_group
     *
     * @param process pid
     * @param status number, 0 to 255
     */
    record Exit(int thread, long ticket, long process, long status) implements TraceEvent {
        Exit(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size());
        }
    }

    /**
     * Says: a block from before the fork; see below
     *
     * @param block address
     * @param size bytes
     * @param start address, of the piece
     * @param end address
     */
    record Inherit(int thread, long ticket, long block, long size, long start, long end, long code)
            implements TraceEvent {
        Inherit(RingEvent event) {
            this(
                    event.thread(),
                    event.epoch(),
                    event.address(),
                    event.size(),
                    event.old(),
                    event.oldSize(),
                    event.code());
        }
    }

    /**
     * Says: the end of a child was waited for
     *
     * @param child pid
     * @param status number, of wait(2)
     */
    record Waited(int thread, long ticket, long child, long status) implements TraceEvent {
        Waited(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size());
        }
    }

    /**
     * Says: the thread waited for MadT. Only with calls and times
     *
     * @param begin ticks
     * @param length ticks
     */
    record Pause(int thread, long ticket, long begin, long length) implements TraceEvent {
        Pause(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size());
        }
    }

    /**
     * Says: the thread had no processor; see below. Only with calls and times
     *
     * @param begin ticks
     * @param length ticks
     * @param who1 number
     * @param who2 number
     */
    record Away(int thread, long ticket, long begin, long length, long who1, long who2)
            implements TraceEvent {
        Away(RingEvent event) {
            this(
                    event.thread(),
                    event.epoch(),
                    event.address(),
                    event.size(),
                    event.old(),
                    event.oldSize());
        }
    }

    /**
     * Says: the thread was in a system call for long; see below. Only with calls and times
     *
     * @param begin ticks
     * @param length ticks
     * @param number number
     */
    record SystemCall(int thread, long ticket, long begin, long length, long number)
            implements TraceEvent {
        SystemCall(RingEvent event) {
            this(event.thread(), event.epoch(), event.address(), event.size(), event.old());
        }
    }

    /**
     * What an event says.
     *
     * @throws IllegalArgumentException if it is of an unknown type
     */
    static TraceEvent of(RingEvent event) {
        return switch (event.type()) {
            case UNKNOWN -> throw new IllegalArgumentException("an event of an unknown type");
            case MALLOC -> new Malloc(event);
            case CALLOC -> new Calloc(event);
            case MMAP -> new Mmap(event);
            case REALLOC_BEGIN -> new ReallocBegin(event);
            case REALLOC_END -> new ReallocEnd(event);
            case MREMAP_BEGIN -> new MremapBegin(event);
            case MREMAP_END -> new MremapEnd(event);
            case FREE -> new Free(event);
            case MUNMAP -> new Munmap(event);
            case BREAK -> new Break(event);
            case MODULE_LOAD -> new ModuleLoad(event);
            case MODULE_UNLOAD -> new ModuleUnload(event);
            case REGION_MAP -> new RegionMap(event);
            case REGION_UNMAP -> new RegionUnmap(event);
            case REGION_PROTECT -> new RegionProtect(event);
            case HEAP -> new Heap(event);
            case THREAD_START -> new ThreadStart(event);
            case THREAD_END -> new ThreadEnd(event);
            case RECORD_START -> new RecordStart(event);
            case RECORD_STOP -> new RecordStop(event);
            case FORK -> new Fork(event);
            case EXEC -> new Exec(event);
            case FORK_BEGIN -> new ForkBegin(event);
            case EXIT -> new Exit(event);
            case INHERIT -> new Inherit(event);
            case WAITED -> new Waited(event);
            case PAUSE -> new Pause(event);
            case AWAY -> new Away(event);
            case SYSTEM_CALL -> new SystemCall(event);
        };
    }
}
