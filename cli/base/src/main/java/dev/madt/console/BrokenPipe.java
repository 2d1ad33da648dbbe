package dev.madt.console;

import java.io.IOException;

/** Nobody reads stdout any more, as behind {@code | head}: no error, only the end. */
public final class BrokenPipe extends IOException {
    private static final long serialVersionUID = 1;

    BrokenPipe() {
        super("broken pipe: its reader has ended");
    }
}
