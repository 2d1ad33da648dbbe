package dev.madt.console;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A folder for files that nobody asked to keep: it goes with all that is in it, also where Ctrl-C
 * ends the command.
 */
public final class TemporaryFolder implements AutoCloseable {
    private static final String NAME = "madt-traces";
    private static final int TRIES = 1000;

    private final Path path;
    private final Thread removal = new Thread(this::removeQuietly);

    /** Makes one where temporary files go; the launcher's script chooses that by {@code TMPDIR}. */
    public TemporaryFolder() throws IOException {
        Path place = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            path = Files.createTempDirectory(place, NAME);
        } catch (IOException e) {
            throw new IOException(
                    "cannot make a temporary folder in " + place + ": " + Reason.cause(e)
                            + "; TMPDIR=FOLDER names another place for it",
                    e);
        }
        Runtime.getRuntime().addShutdownHook(removal);
    }

    public Path path() {
        return path;
    }

    /** Returns what is in it: these first, the others behind them. */
    public List<Path> files(List<Path> first) throws IOException {
        List<Path> all = new ArrayList<>(first);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                if (!all.contains(file)) {
                    all.add(file);
                }
            }
        }
        return all;
    }

    private void removeQuietly() {
        try {
            remove();
        } catch (IOException e) {
            return; // the process ends, and what it wrote is where temporary files are
        }
    }

    @Override
    public void close() throws IOException {
        try {
            Runtime.getRuntime().removeShutdownHook(removal);
        } catch (IllegalStateException e) {
            return; // the hook is running
        }
        remove();
    }

    /** Whoever writes here may do so until the process has ended. */
    private void remove() throws IOException {
        for (int left = TRIES; left > 0; left--) {
            for (Path file : files(List.of())) {
                Files.deleteIfExists(file);
            }
            try {
                Files.deleteIfExists(path);
                return;
            } catch (DirectoryNotEmptyException e) {
                if (left == 1) {
                    throw e;
                }
            }
        }
    }
}
