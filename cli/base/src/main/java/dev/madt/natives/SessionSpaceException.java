package dev.madt.natives;

import java.io.IOException;
import java.nio.file.Path;

/** The file system of the session directory has no room for a shared buffer. */
public final class SessionSpaceException extends IOException {
    private static final long serialVersionUID = 1;

    SessionSpaceException(Path place, long length) {
        super(String.format(
                "%s is full: a shared buffer of %d KiB does not fit. Free some space there,"
                        + " or mount it larger (mount -o remount,size=64m %1$s; for a"
                        + " container: --shm-size=64m).",
                place, length / 1024));
    }
}
