package dev.madt.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Holds what is known of the threads of a process that ran before, as madt-inject found them when
 * it had stopped them all. It writes that to a file of the session before the library comes in:
 *
 * <pre>
 *   TID FS START END   a line for each thread: the base of FS, and where the stack lies that the
 *                      C library has mapped for it (madt_stack.h; none: both 0), hexadecimal
 * </pre>
 *
 * @param stacks those that the C library has mapped for threads: the end of each by its start
 * @param storage the base of FS of the first thread, in its thread-local storage; 0: unknown
 */
public record StoppedThreads(NavigableMap<Long, Long> stacks, long storage) {
    private static final int HEXADECIMAL = 16;

    /** Reads the file of a process; there are no threads where there is none. */
    public static StoppedThreads read(Path session, int pid) throws IOException {
        Path file = session.resolve("threads");
        NavigableMap<Long, Long> stacks = new TreeMap<>();
        long storage = 0;
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
                String[] words = line.split(" ");
                long start = Long.parseUnsignedLong(words[2], HEXADECIMAL);
                if (start != 0) {
                    stacks.put(start, Long.parseUnsignedLong(words[3], HEXADECIMAL));
                }
                storage = Integer.parseInt(words[0]) == pid
                        ? Long.parseUnsignedLong(words[1], HEXADECIMAL)
                        : storage;
            }
        }
        return new StoppedThreads(stacks, storage);
    }
}
