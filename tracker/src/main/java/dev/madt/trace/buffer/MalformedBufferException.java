package dev.madt.trace.buffer;

import java.io.IOException;

/**
 * Shared memory that a target filled holds something that the layout forbids: the target overwrote
 * it, or the two sides disagree. The message names the part ("control file", "buffer 2") and the
 * byte offset in it.
 */
public final class MalformedBufferException extends IOException {
    public MalformedBufferException(String part, long offset, String cause) {
        super(part + ", byte " + offset + ": " + cause);
    }
}
