package dev.madt.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * Holds what is known of the threads of a process that ran before, as madt-inject found them when
 * it had stopped them all. It writes that to a file of the session before the library comes in:
 *
 * <pre>
 *   TID STACK FS    a line for each thread; the stack pointer and the base of FS, hexadecimal
 * </pre>
 *
 * @param stacks an address in the stack of each thread
 * @param storage an address in the thread-local storage of each
 */
public record StoppedThreads(Set<Long> stacks, Set<Long> storage) {
    private static final int HEXADECIMAL = 16;

    /** Reads the file; there are no threads where there is none. */
    public static StoppedThreads read(Path session) throws IOException {
        Path file = session.resolve("threads");
        StoppedThreads threads = new StoppedThreads(new HashSet<>(), new HashSet<>());
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
                String[] words = line.split(" ");
                threads.stacks.add(Long.parseUnsignedLong(words[1], HEXADECIMAL));
                threads.storage.add(Long.parseUnsignedLong(words[2], HEXADECIMAL));
            }
        }
        return threads;
    }
}
