package dev.madt.session;

import dev.madt.natives.Libc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies of code maps and plans for a process of another user, who may not open those that are kept
 * for this one. They are in the session's directory before the process is stopped: it would ask for
 * each of them while it stands still. It maps them then, and their names can go.
 */
public final class LentFiles {
    /** Says how much shared memory is left to the recording itself: its files come first. */
    private static final long LEFT_BYTES = 1L << 30;

    private static final int MODE = 0755;
    private static final int EXECUTE = 1;

    private final Path folder;
    private final boolean wanted;
    private final List<Path> copies = new ArrayList<>();

    /** @param pid of the process, which runs already */
    public LentFiles(Path folder, int pid) {
        this.folder = folder;
        this.wanted = isOthers(pid);
    }

    private static boolean isOthers(int pid) {
        try {
            return !Files.getAttribute(Path.of("/proc/" + pid), "unix:uid").equals(Libc.geteuid());
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    /** Returns a copy of a file, or the file itself where there is no need or no room for one. */
    public Path of(Path file) {
        Path copy = folder.resolve("lent" + copies.size());
        try {
            if (!wanted
                    || Files.size(file) + LEFT_BYTES
                            > Files.getFileStore(folder).getUsableSpace()) {
                return file;
            }
            copies.add(copy);
            Files.copy(file, copy);
        } catch (IOException e) {
            return file;
        }
        Libc.chmod(copy.toString(), MODE);
        // not even root may, where the file system is mounted without execution
        return Libc.access(copy.toString(), EXECUTE) == 0 ? copy : file;
    }

    /** Has no more copies by name: what is mapped stays until it is unmapped. */
    public void takeBack() {
        for (Path copy : copies) {
            try {
                Files.deleteIfExists(copy);
            } catch (IOException e) {
                continue; // the whole directory goes in the end
            }
        }
        copies.clear();
    }
}
