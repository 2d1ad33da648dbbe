package dev.madt.natives;

import java.nio.LongBuffer;

/** The words of an entry of the encoder's journal, in their order: {@code struct entry}. */
enum JournalWord {
    /** The type, and the thread in the upper half. */
    HEAD,
    TICKET,
    /** Of a free the old one. */
    ADDRESS,
    SIZE,
    CODE,
    NUMBER;

    /** Says how many words an entry has. */
    static final int ALL = values().length;

    /** Returns this word of the entry that begins at an index. */
    long of(LongBuffer entries, int entry) {
        return entries.get(entry + ordinal());
    }
}
