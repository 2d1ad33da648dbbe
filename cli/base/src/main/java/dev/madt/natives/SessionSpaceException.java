package dev.madt.natives;

import java.io.IOException;
import java.nio.file.Path;

/** The file system of the session directory has no room for a shared buffer. */
public final class SessionSpaceException extends IOException {
    private static final long serialVersionUID = 1;

    SessionSpaceException(Path place, long length) {
        super(String.format(
                "%s is full: a shared buffer of %d KiB does not fit. %s",
                place, length / 1024, remedy(place)));
    }

    /** Returns a sentence that says how such a file system gets room: four times what it has. */
    public static String remedy(Path place) {
        long mebibytes = Math.max(64, place.toFile().getTotalSpace() >> 20 << 2);
        return String.format(
                "Free some space there, or mount it larger (mount -o remount,size=%dm %s; for a"
                        + " container: --shm-size=%1$dm).",
                mebibytes, place);
    }
}
