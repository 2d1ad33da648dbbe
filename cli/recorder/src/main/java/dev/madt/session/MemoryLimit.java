package dev.madt.session;

import dev.madt.console.Numbers;
import java.io.IOException;

/** The memory that this process may have is used up. The message names the limit and what to do. */
public final class MemoryLimit extends IOException {
    private static final long serialVersionUID = 1;
    private static final int MIB_SHIFT = 20;

    public MemoryLimit(OutOfMemoryError cause) {
        super(sentence(cause), cause);
    }

    /** The limit, what was met, and the remedy: a sentence without its full stop. */
    public static String sentence(OutOfMemoryError cause) {
        String what = String.valueOf(cause.getMessage());
        if (!what.contains("heap space") && !what.contains("overhead limit")) {
            return "there is no more memory (" + what + ")";
        }
        return "MadT's own limit of "
                + Numbers.grouped(Runtime.getRuntime().maxMemory() >> MIB_SHIFT)
                + " MiB of memory is met. More is allowed by the environment variable MADT_MEMORY,"
                + " for instance MADT_MEMORY=8g";
    }
}
