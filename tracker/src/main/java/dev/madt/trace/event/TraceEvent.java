package dev.madt.trace.event;

/**
 * An event that is no access: an allocation, a mapping, a module, a thread or a marker. The records
 * are those of madt_events.schema, where they are to be changed; they have words by their names.
 */
public sealed interface TraceEvent {
    /** Returns the type, of which a record may have several. */
    RingEventType type();

    /** Returns the thread whose event it is. */
    int thread();

    /** Returns its ticket: the order of the events of a process. */
    long epoch();

    /** Returns one of the four words as rings and traces have them; for those who copy events. */
    default long word(int at) {
        return 0;
    }

    /** Returns the text that it has in the ring, in a trace of none. */
    default String text() {
        return "";
    }

    /**
     * Returns the innermost code word: in the ring a return address, in a trace the call's address
     * with bit 63 set after a tail call; 0 if there is none.
     */
    default long code() {
        return 0;
    }

    /** Returns this event with another ticket. */
    default TraceEvent at(long ticket) {
        return of(type(), thread(), ticket, word(0), word(1), word(2), word(3), text(), code());
    }

    /** Returns this event with another code word, if it is of those that have one. */
    default TraceEvent by(long code) {
        return of(type(), thread(), epoch(), word(0), word(1), word(2), word(3), text(), code);
    }

    /** Returns the event that these words are. */
    static TraceEvent of(
            RingEventType type,
            int thread,
            long epoch,
            long word0,
            long word1,
            long word2,
            long word3,
            String text,
            long code) {
        return switch (type) {
            case UNKNOWN -> new Unknown(thread, epoch, word0, word1);
            case MALLOC,
                    CALLOC,
                    MMAP,
                    REALLOC_BEGIN,
                    REALLOC_END,
                    MREMAP_BEGIN,
                    MREMAP_END,
                    FREE,
                    MUNMAP,
                    BREAK,
                    NAMED_ALLOC,
                    NAMED_REALLOC_BEGIN,
                    NAMED_REALLOC_END,
                    NAMED_FREE,
                    GO_ALLOC ->
                new Allocation(type, thread, epoch, word0, word1, word2, word3, code);
            case MODULE_LOAD -> new ModuleLoad(thread, epoch, word0, word1, word2, word3, text);
            case MODULE_UNLOAD -> new ModuleUnload(thread, epoch, word0, word1);
            case REGION_MAP -> new RegionMap(thread, epoch, word0, word1, word2, word3, text);
            case REGION_UNMAP -> new RegionUnmap(thread, epoch, word0, word1);
            case REGION_PROTECT -> new RegionProtect(thread, epoch, word0, word1, word2);
            case HEAP -> new Heap(thread, epoch, word0, word1);
            case THREAD_START -> new ThreadStart(thread, epoch, word0, word1);
            case THREAD_END -> new ThreadEnd(thread, epoch);
            case THREAD_NAME -> new ThreadName(thread, epoch, word0, word1, word2);
            case RECORD_START, RECORD_STOP ->
                new Recording(type, thread, epoch, word0, word1, word2, code);
            case FORK -> new Fork(thread, epoch, word0, word1);
            case EXEC -> new Exec(thread, epoch, word0, word1, text);
            case FORK_BEGIN -> new ForkBegin(thread, epoch);
            case EXIT -> new Exit(thread, epoch, word0, word1, word2);
            case INHERIT -> new Inherit(thread, epoch, word0, word1, word2, word3, code);
            case WAITED -> new Waited(thread, epoch, word0, word1);
            case PAUSE -> new Pause(thread, epoch, word0, word1);
            case OFF_CPU -> new OffCpu(thread, epoch, word0, word1, word2, word3);
            case SYSTEM_CALL -> new SystemCall(thread, epoch, word0, word1, word2, word3);
            case CHAIN_NODE -> new ChainNode(thread, epoch, word0, word1, word2, code);
            case POOL_END -> new PoolEnd(thread, epoch, word0, code);
            case TLS_THREAD -> new TlsThread(thread, epoch, word0, word1, word2);
            case TLS_MODULE -> new TlsModule(thread, epoch, word0, word1, word2);
            case TLS_BLOCK -> new TlsBlock(thread, epoch, word0, word1, word2);
            case INSTRUMENT_HIT ->
                new InstrumentHit(thread, epoch, word0, word1, word2, word3, code);
            case INSTRUMENT_VALUES ->
                new InstrumentValues(thread, epoch, word0, word1, word2, word3);
            case INSTRUMENT_COUNT -> new InstrumentCount(thread, epoch, word0, word1, code);
            case INSTRUMENT_ROW -> new InstrumentRow(thread, epoch, word0, word1, word2, word3);
            case INSTRUMENT_TIMES -> new InstrumentTimes(thread, epoch, word0, word1, word2, word3);
            case FREE_AMONG -> new FreeAmong(thread, epoch, word1, word2, word3, code);
            case OPEN_FUNCTION -> new OpenFunction(thread, epoch, word0, word1, word2, word3, code);
            case USABLE -> new Usable(thread, epoch, word0, word1);
            case LOCK_GOT -> new LockGot(thread, epoch, word0, word1, word2, word3, code);
            case LOCK_RELEASED -> new LockReleased(thread, epoch, word0, word1, word2, word3, code);
            case LOCK_UNDONE -> new LockUndone(thread, epoch, word0, word1, word2, word3, code);
            case THREAD_SYNC -> new ThreadSync(thread, epoch, word0, word1, word2, code);
            case MAPPING_CHAIN -> new MappingChain(thread, epoch, word2, word3);
            case CRASH -> new Crash(thread, epoch, word0, word1, word2, code);
        };
    }

    /** A time in which a thread did not run the program, in ticks. */
    sealed interface Span extends TraceEvent {
        long begin();

        long length();

        /** Returns how much of it lies between two times. */
        default long common(long from, long to) {
            return Math.min(to, begin() + length()) - Math.max(from, begin());
        }
    }

    /**
     * An event, or record, of a kind that a newer recorder wrote.
     *
     * @param kind {@link #EVENT}, {@link #RUN} or {@link #PROBE}
     * @param number the event's type, or the template's number
     */
    record Unknown(int thread, long epoch, long kind, long number) implements TraceEvent {
        public static final int EVENT = 0;
        public static final int TEMPLATE = 1;
        public static final int PROBE = 2;

        /** Returns what it is, as far as can be said. */
        public String what() {
            return kind == PROBE ? "probe" : (kind == TEMPLATE ? "template " : "event ") + number;
        }

        @Override
        public long word(int at) {
            return at == 0 ? kind : at == 1 ? number : 0;
        }

        @Override
        public RingEventType type() {
            return RingEventType.UNKNOWN;
        }
    }

    /**
     * MALLOC: malloc, new, aligned forms, strdup …; recorded after the call
     * CALLOC: calloc; recorded after the call
     * MMAP: mmap; recorded after the call
     * REALLOC_BEGIN: realloc has begun: the old block ends here
     * REALLOC_END: realloc has ended
     * MREMAP_BEGIN: mremap has begun: the old range ends here, unless it has 0 bytes
     * MREMAP_END: mremap has ended
     * FREE: free, delete; recorded before the call. free(NULL) is no event
     * MUNMAP: munmap, or the break shrinks; recorded before the call
     * BREAK: the break has grown by a new block
     * NAMED_ALLOC: an allocator by another name (--alloc) has given a block; recorded after the
     * call
     * NAMED_REALLOC_BEGIN: such an allocator is about to change a block: the old one ends here
     * NAMED_REALLOC_END: it has done so
     * NAMED_FREE: such a block ends; recorded before the call. Where a pool ends, one for each
     * block in it
     * GO_ALLOC: Go's allocator (runtime.mallocgc) has given a block, and whatever lay there has
     * ended; recorded as the call returns. See below
     *
     * @param address address, of what is new
     * @param size bytes
     * @param word2 number
     * @param word3 number
     */
    record Allocation(
            RingEventType type,
            int thread,
            long epoch,
            long address,
            long size,
            long word2,
            long word3,
            long code)
            implements TraceEvent {
        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> address;
                case 1 -> size;
                case 2 -> word2;
                case 3 -> word3;
                default -> 0;
            };
        }
        /** Returns address: of what ends; 0 of other types. */
        public long old() {
            return switch (type) {
                case REALLOC_BEGIN,
                        REALLOC_END,
                        MREMAP_BEGIN,
                        MREMAP_END,
                        FREE,
                        MUNMAP,
                        NAMED_REALLOC_BEGIN,
                        NAMED_REALLOC_END,
                        NAMED_FREE -> word2;
                default -> 0;
            };
        }
        /** Returns address: that it is cut from; 0: none; 0 of other types. */
        public long pool() {
            return switch (type) {
                case NAMED_ALLOC -> word2;
                default -> 0;
            };
        }
        /** Returns number: where Go describes its type; 0: not told; 0 of other types. */
        public long goType() {
            return switch (type) {
                case GO_ALLOC -> word2;
                default -> 0;
            };
        }
        /** Returns number: a node; 0: not known; 0 of other types. */
        public long chain() {
            return switch (type) {
                case MALLOC,
                        CALLOC,
                        MMAP,
                        REALLOC_END,
                        FREE,
                        BREAK,
                        NAMED_ALLOC,
                        NAMED_REALLOC_END,
                        NAMED_FREE,
                        GO_ALLOC -> word3;
                default -> 0;
            };
        }
        /** Returns bytes; 0 of other types. */
        public long oldSize() {
            return switch (type) {
                case MREMAP_BEGIN, MREMAP_END, MUNMAP -> word3;
                default -> 0;
            };
        }
    }

    /**
     * Says: a module has been loaded
     *
     * @param start address
     * @param size bytes
     * @param bias number
     * @param firstTemplate number
     */
    record ModuleLoad(
            int thread,
            long epoch,
            long start,
            long size,
            long bias,
            long firstTemplate,
            String path)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.MODULE_LOAD;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> start;
                case 1 -> size;
                case 2 -> bias;
                case 3 -> firstTemplate;
                default -> 0;
            };
        }

        @Override
        public String text() {
            return path;
        }
    }

    /**
     * Says: it is gone
     *
     * @param start address
     * @param size bytes
     */
    record ModuleUnload(int thread, long epoch, long start, long size) implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.MODULE_UNLOAD;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> start;
                case 1 -> size;
                default -> 0;
            };
        }
    }

    /**
     * Says: new memory, behind its MAPS frame. Names of ended blocks there are gone
     *
     * @param start address
     * @param size bytes
     * @param protection number
     * @param flags number, of mmap; bit 32: a stack that the C library has mapped
     */
    record RegionMap(
            int thread, long epoch, long start, long size, long protection, long flags, String file)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.REGION_MAP;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> start;
                case 1 -> size;
                case 2 -> protection;
                case 3 -> flags;
                default -> 0;
            };
        }

        @Override
        public String text() {
            return file;
        }
    }

    /**
     * Says: memory is gone
     *
     * @param start address
     * @param size bytes
     */
    record RegionUnmap(int thread, long epoch, long start, long size) implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.REGION_UNMAP;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> start;
                case 1 -> size;
                default -> 0;
            };
        }
    }

    /**
     * Says: memory has another protection
     *
     * @param start address
     * @param size bytes
     * @param protection number
     */
    record RegionProtect(int thread, long epoch, long start, long size, long protection)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.REGION_PROTECT;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> start;
                case 1 -> size;
                case 2 -> protection;
                default -> 0;
            };
        }
    }

    /**
     * Says: the heap of brk
     *
     * @param start address
     * @param size bytes, now
     */
    record Heap(int thread, long epoch, long start, long size) implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.HEAP;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> start;
                case 1 -> size;
                default -> 0;
            };
        }
    }

    /**
     * Says: the thread begins; recorders write it for a child of vfork, which is a thread of its
     * parent's trace
     *
     * @param stack address
     * @param size bytes, 0: unknown
     */
    record ThreadStart(int thread, long epoch, long stack, long size) implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.THREAD_START;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> stack;
                case 1 -> size;
                default -> 0;
            };
        }
    }

    /**
     * Says: the thread ends; the child of vfork is gone, or executes another program
     */
    record ThreadEnd(int thread, long epoch) implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.THREAD_END;
        }
    }

    /**
     * Says: the thread's name from now on (pthread_setname_np, PR_SET_NAME); each thread begins
     * with one
     *
     * @param name1 text
     * @param name2 text
     * @param handle address, of its thread control block, which pthread_join takes; 0: not told
     */
    record ThreadName(int thread, long epoch, long name1, long name2, long handle)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.THREAD_NAME;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> name1;
                case 1 -> name2;
                case 2 -> handle;
                default -> 0;
            };
        }
    }

    /**
     * RECORD_START: recording begins
     * RECORD_STOP: recording pauses
     *
     * @param caller address, 0: by itself
     * @param cause number
     * @param time ticks
     */
    record Recording(
            RingEventType type,
            int thread,
            long epoch,
            long caller,
            long cause,
            long time,
            long code)
            implements TraceEvent {
        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> caller;
                case 1 -> cause;
                case 2 -> time;
                default -> 0;
            };
        }
    }

    /**
     * Says: a child was made
     *
     * @param child pid, 0: it failed
     * @param shares number, 1: vfork
     */
    record Fork(int thread, long epoch, long child, long shares) implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.FORK;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> child;
                case 1 -> shares;
                default -> 0;
            };
        }
    }

    /**
     * Says: an exec is tried; if it succeeds this is the last event
     *
     * @param process pid
     * @param reason number, not 0: the new image is not traced (enum madt_exec)
     */
    record Exec(int thread, long epoch, long process, long reason, String file)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.EXEC;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> process;
                case 1 -> reason;
                default -> 0;
            };
        }

        @Override
        public String text() {
            return file;
        }
    }

    /**
     * Says: the child, if it comes, inherits the blocks that live now
     */
    record ForkBegin(int thread, long epoch) implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.FORK_BEGIN;
        }
    }

    /**
     * Says: exit_group
     *
     * @param process pid
     * @param status number, 0 to 255
     * @param time ticks
     */
    record Exit(int thread, long epoch, long process, long status, long time)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.EXIT;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> process;
                case 1 -> status;
                case 2 -> time;
                default -> 0;
            };
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
    record Inherit(int thread, long epoch, long block, long size, long start, long end, long code)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.INHERIT;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> block;
                case 1 -> size;
                case 2 -> start;
                case 3 -> end;
                default -> 0;
            };
        }
    }

    /**
     * Says: the end of a child was waited for
     *
     * @param child pid
     * @param status number, of wait(2)
     */
    record Waited(int thread, long epoch, long child, long status) implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.WAITED;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> child;
                case 1 -> status;
                default -> 0;
            };
        }
    }

    /**
     * Says: the thread waited for MadT. Only with times of calls, or of functions at instruments
     *
     * @param begin ticks
     * @param length duration
     */
    record Pause(int thread, long epoch, long begin, long length) implements Span {
        @Override
        public RingEventType type() {
            return RingEventType.PAUSE;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> begin;
                case 1 -> length;
                default -> 0;
            };
        }
    }

    /**
     * Says: the thread had no processor; see below. Only with calls and times
     *
     * @param begin ticks
     * @param length duration
     * @param who1 text
     * @param who2 text
     */
    record OffCpu(int thread, long epoch, long begin, long length, long who1, long who2)
            implements Span {
        @Override
        public RingEventType type() {
            return RingEventType.OFF_CPU;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> begin;
                case 1 -> length;
                case 2 -> who1;
                case 3 -> who2;
                default -> 0;
            };
        }
    }

    /**
     * Says: the thread was in a system call for long; see below. Only with calls and times
     *
     * @param begin ticks
     * @param length duration
     * @param number number
     * @param first number, its first argument; all ones: it is not known
     */
    record SystemCall(int thread, long epoch, long begin, long length, long number, long first)
            implements Span {
        @Override
        public RingEventType type() {
            return RingEventType.SYSTEM_CALL;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> begin;
                case 1 -> length;
                case 2 -> number;
                case 3 -> first;
                default -> 0;
            };
        }
    }

    /**
     * Says: a call that chains have in common; see below. In front of the first event with a chain
     * through it
     *
     * @param node number, from 1
     * @param outer number, the node of the caller; 0: none is told
     * @param cut number, why no caller is told (enum madt_cut)
     */
    record ChainNode(int thread, long epoch, long node, long outer, long cut, long code)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.CHAIN_NODE;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> node;
                case 1 -> outer;
                case 2 -> cut;
                default -> 0;
            };
        }
    }

    /**
     * Says: a pool has ended, and all blocks in it
     *
     * @param pool address
     */
    record PoolEnd(int thread, long epoch, long pool, long code) implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.POOL_END;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> pool;
                default -> 0;
            };
        }
    }

    /**
     * Says: where a thread has its thread-local storage
     *
     * @param base address, of FS
     * @param size bytes, of the thread control block there; 0: the thread ends
     * @param below bytes, of static storage
     */
    record TlsThread(int thread, long epoch, long base, long size, long below)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.TLS_THREAD;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> base;
                case 1 -> size;
                case 2 -> below;
                default -> 0;
            };
        }
    }

    /**
     * Says: a module has thread-local storage
     *
     * @param start address, of the module
     * @param id number, in each thread's table of storage
     * @param offset bytes, so far below the base of FS; 0 or negative: elsewhere
     */
    record TlsModule(int thread, long epoch, long start, long id, long offset)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.TLS_MODULE;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> start;
                case 1 -> id;
                case 2 -> offset;
                default -> 0;
            };
        }
    }

    /**
     * Says: storage that the thread has got for a module, not below the base of FS
     *
     * @param block address
     * @param id number, of the module
     * @param start address, of the module
     */
    record TlsBlock(int thread, long epoch, long block, long id, long start) implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.TLS_BLOCK;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> block;
                case 1 -> id;
                case 2 -> start;
                default -> 0;
            };
        }
    }

    /**
     * Says: control came to an instrument that tells values (--at, log): the last three of them,
     * or fewer. Its line says them as the instrument's text does, or else as numbers
     *
     * @param place number, in META's instrument_places
     * @param value1 number
     * @param value2 number
     * @param value3 number
     */
    record InstrumentHit(
            int thread, long epoch, long place, long value1, long value2, long value3, long code)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.INSTRUMENT_HIT;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> place;
                case 1 -> value1;
                case 2 -> value2;
                case 3 -> value3;
                default -> 0;
            };
        }
    }

    /**
     * Says: in front of a hit with more values: the first ones
     *
     * @param place number
     * @param value1 number
     * @param value2 number
     * @param value3 number
     */
    record InstrumentValues(
            int thread, long epoch, long place, long value1, long value2, long value3)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.INSTRUMENT_VALUES;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> place;
                case 1 -> value1;
                case 2 -> value2;
                case 3 -> value3;
                default -> 0;
            };
        }
    }

    /**
     * Says: at the end of a trace: how often control came to an instrument that counts
     *
     * @param place number
     * @param count number
     */
    record InstrumentCount(int thread, long epoch, long place, long count, long code)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.INSTRUMENT_COUNT;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> place;
                case 1 -> count;
                default -> 0;
            };
        }
    }

    /**
     * Says: at the end of a trace: a row of a table of an instrument
     *
     * @param action number, 8 × the instrument's and its own
     * @param key number, the slot of a histogram, or the node of a chain
     * @param hits number
     * @param value number, sum, minimum or maximum
     */
    record InstrumentRow(int thread, long epoch, long action, long key, long hits, long value)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.INSTRUMENT_ROW;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> action;
                case 1 -> key;
                case 2 -> hits;
                case 3 -> value;
                default -> 0;
            };
        }
    }

    /**
     * Says: behind the last row of an action time, or with a key behind each of its rows: how long
     * these calls took
     *
     * @param action number, as in INSTRUMENT_ROW
     * @param least number, nanoseconds
     * @param median number, up to 3 % too much
     * @param most number
     */
    record InstrumentTimes(int thread, long epoch, long action, long least, long median, long most)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.INSTRUMENT_TIMES;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> action;
                case 1 -> least;
                case 2 -> median;
                case 3 -> most;
                default -> 0;
            };
        }
    }

    /**
     * Says: free where allocators by other names are followed: FREE, and NAMED_FREE of each block
     * in that one
     *
     * @param within number, 1 in a call that ends the block: then only if it is a heap's
     * @param old address, of what ends
     * @param chain number, a node; 0: not known
     */
    record FreeAmong(int thread, long epoch, long within, long old, long chain, long code)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.FREE_AMONG;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 1 -> within;
                case 2 -> old;
                case 3 -> chain;
                default -> 0;
            };
        }
    }

    /**
     * Says: a function that is open when its thread's recording begins, and its code word where it
     * is: see below
     *
     * @param function address, its entry; in the ring 0
     * @param stack address, its stack pointer at its entry
     * @param time ticks, from when on its thread is recorded
     * @param depth number, of those around it that are told; 0: a stack begins here
     */
    record OpenFunction(
            int thread, long epoch, long function, long stack, long time, long depth, long code)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.OPEN_FUNCTION;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> function;
                case 1 -> stack;
                case 2 -> time;
                case 3 -> depth;
                default -> 0;
            };
        }
    }

    /**
     * Says: the program has asked how much of a block it may use (malloc_usable_size): from now
     * on, what lies there up to this size is the block's, too
     *
     * @param block address
     * @param size bytes
     */
    record Usable(int thread, long epoch, long block, long size) implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.USABLE;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> block;
                case 1 -> size;
                default -> 0;
            };
        }
    }

    /**
     * Says: a thread has got a lock (--record locks), or a semaphore's unit. how is the kind of
     * lock; cond: it has the mutex again with which it waited for a condition; with a ? behind it
     * the thread would not have waited
     *
     * @param lock address
     * @param asked ticks, when its function was entered
     * @param waited duration, until the function was left
     * @param how text
     */
    record LockGot(int thread, long epoch, long lock, long asked, long waited, long how, long code)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.LOCK_GOT;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> lock;
                case 1 -> asked;
                case 2 -> waited;
                case 3 -> how;
                default -> 0;
            };
        }
    }

    /**
     * Says: a thread is about to release a lock, or adds to a semaphore
     *
     * @param lock address
     * @param time ticks, when its function was entered
     * @param held duration, since the thread got it
     * @param depth number, of the locks that the thread held when it got this one
     */
    record LockReleased(
            int thread, long epoch, long lock, long time, long held, long depth, long code)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.LOCK_RELEASED;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> lock;
                case 1 -> time;
                case 2 -> held;
                case 3 -> depth;
                default -> 0;
            };
        }
    }

    /**
     * Says: failed: a lock was not got; timeout: nor by a function that waits for some time; not
     * held: one is released that the thread is not known to hold; made: that of a spin lock, which
     * glibc makes by the same function
     *
     * @param lock address
     * @param time ticks, when its function was entered
     * @param lasted duration
     * @param why text
     */
    record LockUndone(
            int thread, long epoch, long lock, long time, long lasted, long why, long code)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.LOCK_UNDONE;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> lock;
                case 1 -> time;
                case 2 -> lasted;
                case 3 -> why;
                default -> 0;
            };
        }
    }

    /**
     * Says: threads wait for each other at a condition (signal, awoke), a barrier (arrive, pass),
     * what is done once (begin, once), a thread (create, join: the object is what pthread_join
     * takes), or a team of threads: a function is given to it (fork) and run by all (joined), a
     * task is made (task, made); a thread begins such a function or a task (part) and ends it
     * (done), waits for the others and for tasks (gather, gathered); a call returns that was
     * entered before a window opened, and the thread may have waited for any other (late, of no
     * object); or something goes through the kernel (sent, received): the object is a channel,
     * with bit 63 set and its kind in bits 59 to 62 (shim/gate/handed.c)
     *
     * @param object address
     * @param time ticks
     * @param role text
     */
    record ThreadSync(int thread, long epoch, long object, long time, long role, long code)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.THREAD_SYNC;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> object;
                case 1 -> time;
                case 2 -> role;
                default -> 0;
            };
        }
    }

    /**
     * Says: the chain of a MREMAP_BEGIN or MUNMAP that comes next in its thread with this address,
     * and of that call's MREMAP_END
     *
     * @param old address, of what ends
     * @param chain number, a node
     */
    record MappingChain(int thread, long epoch, long old, long chain) implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.MAPPING_CHAIN;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 2 -> old;
                case 3 -> chain;
                default -> 0;
            };
        }
    }

    /**
     * Says: an access has failed, and the process ends by the signal for it, SIGSEGV; the code
     * word is the instruction
     *
     * @param address address, that was accessed; 0 where the processor tells none
     * @param signal number
     * @param how number, 0 a load, 1 a store, 2 a fetch of code, 3 the processor does not say
     */
    record Crash(int thread, long epoch, long address, long signal, long how, long code)
            implements TraceEvent {
        @Override
        public RingEventType type() {
            return RingEventType.CRASH;
        }

        @Override
        public long word(int at) {
            return switch (at) {
                case 0 -> address;
                case 1 -> signal;
                case 2 -> how;
                default -> 0;
            };
        }
    }
}
