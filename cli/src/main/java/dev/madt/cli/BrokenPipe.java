package dev.madt.cli;

import java.io.IOException;

/** Nobody reads stdout any more, as behind {@code | head}: no error, only the end. */
final class BrokenPipe extends IOException {
    private static final long serialVersionUID = 1;
}
