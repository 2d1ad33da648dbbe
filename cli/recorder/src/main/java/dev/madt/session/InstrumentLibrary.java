package dev.madt.session;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Holds, for a session, functions of the user's that instruments call. */
@FunctionalInterface
public interface InstrumentLibrary {
    /** Puts bytes into the first area of a session's file. */
    @FunctionalInterface
    interface Area {
        /** @param at a multiple of the size of a page */
        void put(long at, ByteBuffer bytes) throws IOException;
    }

    /** Puts it there, and from then on whatever becomes known. */
    void open(Area area) throws IOException;
}
