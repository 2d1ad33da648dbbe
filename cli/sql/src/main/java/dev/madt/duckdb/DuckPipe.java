package dev.madt.duckdb;

import dev.madt.natives.Libc;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A pipe with a name, since DuckDB writes to nothing but files that it opens itself: what it writes
 * goes on to a stream, which need not be a file that can be opened again. The pipe is there only
 * while something is written.
 */
public final class DuckPipe {
    private static final int OWNER_ONLY = 0600;

    /** Something that writes to a file by its name. */
    public interface Writing {
        void to(Path file) throws DuckFault;
    }

    /** Takes what comes out of the pipe; when the stream has a fault, nobody reads any more. */
    private static final class Reader extends Thread {
        private final InputStream from;
        private final OutputStream to;
        private IOException fault;

        Reader(InputStream from, OutputStream to) {
            super("rows");
            this.from = from;
            this.to = to;
            setDaemon(true);
        }

        @Override
        public void run() {
            try (InputStream all = from) {
                all.transferTo(to);
            } catch (IOException e) {
                fault = e;
            }
        }

        /** Returns when all is done, and fails with the fault of the stream. */
        void finish() throws IOException {
            try {
                join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
            if (fault != null) {
                throw fault;
            }
        }
    }

    private DuckPipe() {}

    /**
     * Returns when all that was written to a pipe has gone on to the stream.
     *
     * @param name of the pipe, in a folder where nobody else makes files
     * @throws IOException of the stream, which ends the writing
     */
    public static void write(Path name, OutputStream to, Writing writing)
            throws DuckFault, IOException {
        if (Libc.mkfifo(name.toString(), OWNER_ONLY) != 0) {
            throw new IOException(
                    "cannot make the pipe " + name + ": " + Libc.errorText(Libc.lastError()));
        }
        try {
            passOn(name, to, writing);
        } finally {
            Files.deleteIfExists(name);
        }
    }

    private static void passOn(Path name, OutputStream to, Writing writing)
            throws DuckFault, IOException {
        Pair pair = Pair.open(name);
        Reader reader = new Reader(pair.out(), to);
        DuckFault fault = null;
        reader.start();
        try {
            writing.to(name);
        } catch (DuckFault e) {
            fault = e;
        } finally {
            pair.in().close(); // which is the pipe's end, whether DuckDB has opened it or not
        }
        reader.finish();
        if (fault != null) {
            throw fault;
        }
    }

    /** The two ends of a pipe. */
    private record Pair(OutputStream in, InputStream out) {
        /** Opens both; neither waits for the other, since somebody has opened both already. */
        static Pair open(Path name) throws IOException {
            RandomAccessFile both = new RandomAccessFile(name.toFile(), "rw");
            try {
                return new Pair(Files.newOutputStream(name), Files.newInputStream(name));
            } finally {
                both.close();
            }
        }
    }
}
