package dev.madt.testprogs.oracle;

import dev.madt.testprogs.MadtRun;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Holds what {@code lib/locklog.c} has written down of one process: each call of a lock function,
 * by thread, from main on.
 */
final class LockLog {
    private static final int FIRST = 64;
    private static final int WORD = Long.BYTES;
    private static final int RECORD = 8 * WORD;

    private static final Pattern FUNCTION = Pattern.compile("X\\((\\d+), (\\w+),");

    /**
     * A call.
     *
     * @param begin how many calls of all threads began before it
     * @param end how many had begun when it returned; 0: the end of the process came first, and
     *     there is no result
     * @param mutex of a wait for a condition
     * @param caller where it returned to
     */
    record Call(
            long begin, long end, String function, long lock, long mutex, long caller, int result) {
        boolean returned() {
            return end != 0;
        }
    }

    private final Map<Integer, List<Call>> calls = new TreeMap<>();

    private LockLog() {}

    /** Returns the words in front of a command whose programs of this name keep a log. */
    static List<String> of(Path log, String program) {
        return List.of(
                "env",
                "LD_PRELOAD=" + MadtRun.program("liblocklog.so"),
                "LOCK_LOG=" + log,
                "LOCK_PROGRAM=" + Path.of(program).getFileName());
    }

    /**
     * Reads a log.
     *
     * @param source of the library, which has the numbers of the functions
     */
    static LockLog read(Path source, Path file) throws IOException {
        Map<Integer, String> names = new HashMap<>();
        FUNCTION.matcher(Files.readString(source))
                .results()
                .forEach(line -> names.put(Integer.valueOf(line.group(1)), line.group(2)));
        LockLog log = new LockLog();
        ByteBuffer words = words(file);
        for (int at = 0; at < words.limit(); at += RECORD) {
            int thread = (int) words.getLong(at);
            int function = (int) words.getLong(at + WORD);
            if (thread != 0 && function == 0) {
                log.beginAt(thread);
            } else if (thread != 0) {
                log.calls
                        .computeIfAbsent(thread, first -> new ArrayList<>())
                        .add(new Call(
                                at / RECORD,
                                words.getLong(at + 6 * WORD),
                                names.get(function),
                                words.getLong(at + 2 * WORD),
                                words.getLong(at + 3 * WORD),
                                words.getLong(at + 4 * WORD),
                                (int) words.getLong(at + 5 * WORD)));
            }
        }
        return log;
    }

    /** Forgets what was in front of main, which no other thread has seen. */
    private void beginAt(int thread) {
        calls.remove(thread);
        if (!calls.isEmpty()) {
            throw new IllegalStateException("there were threads before main: " + calls.keySet());
        }
        calls.put(thread, new ArrayList<>());
    }

    private static ByteBuffer words(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, FIRST, begun(channel) * RECORD)
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    private static long begun(FileChannel channel) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(FIRST).order(ByteOrder.LITTLE_ENDIAN);
        channel.read(head, 0);
        return head.getLong(0);
    }

    /** Returns how many calls have begun by now, in a process that may go on. */
    static long begun(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return begun(channel);
        }
    }

    /** Returns the calls of each thread, in their order. */
    Map<Integer, List<Call>> calls() {
        return calls;
    }
}
