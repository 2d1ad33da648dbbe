package dev.madt.trace.event;

/**
 * One allocation at one time of its life: everything that its forged name is made of. Immutable; a
 * block that dies is another value with the same number.
 *
 * @param kind how it came to be
 * @param number successful allocations of the process, counted from 1 over all kinds
 * @param code code word of the call: the call's address, bit 63 set after a tail call (then the
 *     return address); 0 if unknown
 * @param address first byte, from which offsets count, also when a part of the block has been
 *     unmapped
 * @param size bytes, as requested
 * @param life whether it is alive, or how it died
 * @param birth epoch of the event that made it, 0 or less if that was in front of all events; what
 *     else a {@code BlockKeeper} remembers in the place of it
 * @param death -1 while it lives; epoch of the event that has just ended it, else 0 or that of its
 *     end
 */
public record Block(
        Kind kind,
        long number,
        long code,
        long address,
        long size,
        Life life,
        long birth,
        long death) {
    /** Kinds of allocation, with the first seven characters of their names. */
    public enum Kind {
        MALLOC("<malloc"),
        CALLOC("<calloc"),
        MEMMAP("<memmap", "<mmap"),
        REALLO("<reallo", "<realloc"),
        MREMAP("<mremap"),
        /** By an allocator with another name. */
        NAMED("<alloc"),
        /** By Go's allocator, whose blocks end where others come. */
        GO("<mallocgc");

        private final String prefix;
        private final String shown;

        Kind(String prefix) {
            this(prefix, prefix);
        }

        Kind(String prefix, String shown) {
            this.prefix = prefix;
            this.shown = shown;
        }

        /** As {@link #prefix}, with the name of the function, as tables have it. */
        public String shown() {
            return shown;
        }

        public String prefix() {
            return prefix;
        }

        /** Returns whether blocks of this kind are in {@code NestedBlocks}. */
        public boolean nested() {
            return this == NAMED || this == GO;
        }

        /**
         * Returns whether blocks of this kind are mappings, inside which an allocator may place
         * blocks of the other kinds.
         */
        public boolean mapping() {
            return this == MEMMAP || this == MREMAP;
        }
    }

    /** States of a block. */
    public enum Life {
        LIVE,
        FREED,
        UNMAPPED
    }

    public boolean live() {
        return life == Life.LIVE;
    }

    /** This block after its end. */
    public Block dead(Life how, long epoch) {
        return new Block(kind, number, code, address, size, how, birth, epoch);
    }
}
