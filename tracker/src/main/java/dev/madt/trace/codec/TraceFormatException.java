package dev.madt.trace.codec;

import java.io.IOException;

/**
 * A trace file, or the payload of one of its frames, is not what docs/FORMAT.md says. The message
 * names the place, the cause and, where there is one, the remedy.
 */
public final class TraceFormatException extends IOException {
    public TraceFormatException(String message) {
        super(message);
    }

    /**
     * The same fault with the file and the offset of the frame in front: decoders of payloads know
     * neither.
     */
    public TraceFormatException in(String file, long frameOffset) {
        TraceFormatException placed = new TraceFormatException(
                file + ", frame at byte " + frameOffset + ": " + getMessage());
        placed.initCause(this);
        return placed;
    }
}
