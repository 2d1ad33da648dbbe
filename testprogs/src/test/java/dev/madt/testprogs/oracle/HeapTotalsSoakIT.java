package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares what Debian's programs allocate with Valgrind's DHAT and heaptrack: the same bytes and
 * blocks, and by the same chains of calls.
 */
@Soak
class HeapTotalsSoakIT {
    private static final Pattern POINT =
            Pattern.compile("\\{\"tb\":(\\d+),\"tbk\":(\\d+),[^}]*\\}");
    private static final Pattern CALLS =
            Pattern.compile("(?m)^calls to allocation functions: (\\d+) ");

    @TempDir
    Path directory;

    /** The last of each: that no block is moved, whose bytes DHAT gives to its first chain. */
    static Stream<Arguments> programs() {
        return Stream.of(
                Arguments.of(ChainedPrograms.SQLITE, false),
                Arguments.of(
                        List.of("/usr/bin/lua5.4", "-e", "for i = 1, 300 do print(i * i) end"),
                        false),
                Arguments.of(
                        List.of("/usr/bin/python3", "-I", "-S", "-c", "print(sum(range(100)))"),
                        false),
                Arguments.of(List.of("/usr/bin/jq", "-n", "[range(99)] | map(. * 2) | add"), true),
                Arguments.of(List.of("/usr/bin/bc", "-l", "/dev/null"), true),
                Arguments.of(List.of("/usr/bin/xz", "-k", "-c", "-0", "/etc/services"), true));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldCountWhatDhatAndHeaptrackCount(List<String> command, boolean chains)
            throws Exception {
        Assumptions.assumeTrue(
                Stream.of(command.get(0), "/usr/bin/valgrind", "/usr/bin/heaptrack")
                        .allMatch(file -> Files.isExecutable(Path.of(file))),
                "not all are installed");
        Path trace = directory.resolve("t.madt");
        MadtRun.madt(
                        directory,
                        words(
                                List.of("run", "-q", "--no-hottest", "--start", "load"),
                                List.of("--chain", "40", "-o", trace.toString(), "--"),
                                command))
                .expect(0);
        Path theirs = directory.resolve("dhat.out");
        String[] dhat = words(
                List.of("valgrind", "--tool=dhat", "--num-callers=40"),
                List.of("--dhat-out-file=" + theirs),
                command);
        MadtRun.command(directory, List.of(dhat)).expect(0);
        List<String> expected = points(Files.readString(theirs));
        List<String> found = points(Files.readString(convert(trace, "dhat")));
        assertArrayEquals(sums(expected), sums(found), "bytes and blocks");
        if (chains) {
            assertEquals(expected, found);
        }
        String[] heaptrack = words(
                List.of("heaptrack", "-o", directory.resolve("heap").toString()),
                List.of(),
                command);
        MadtRun.command(directory, List.of(heaptrack)).expect(0);
        long calls = calls(directory.resolve("heap.zst"));
        long ours = calls(convert(trace, "heaptrack"));
        // Its library brings that of C++, which sets memory aside for exceptions.
        assertTrue(calls - ours == 0 || calls - ours == 1, ours + " calls, theirs " + calls);
        System.out.printf(
                "%s: %d bytes in %d blocks, %d chains%n",
                command.get(0), sums(found)[0], sums(found)[1], found.size());
    }

    private Path convert(Path trace, String format) throws Exception {
        Path file = directory.resolve(format + ".converted");
        MadtRun.madt(directory, "convert", "--to", format, "-o", file.toString(), trace.toString())
                .expect(0);
        return file;
    }

    private long calls(Path file) throws Exception {
        Matcher calls = CALLS.matcher(
                MadtRun.command(directory, List.of("heaptrack_print", "-f", file.toString()))
                        .expect(0)
                        .text());
        assertTrue(calls.find(), file::toString);
        return Long.parseLong(calls.group(1));
    }

    /** Bytes and blocks of each chain, sorted. */
    private static List<String> points(String json) {
        List<String> points = new ArrayList<>();
        Matcher matcher = POINT.matcher(json.replaceAll("\\s", ""));
        while (matcher.find()) {
            points.add(matcher.group(1) + " bytes in " + matcher.group(2));
        }
        points.sort(null);
        assertTrue(points.size() > 10, json);
        return points;
    }

    private static long[] sums(List<String> points) {
        long[] sums = new long[2];
        for (String point : points) {
            String[] words = point.split(" ");
            sums[0] += Long.parseLong(words[0]);
            sums[1] += Long.parseLong(words[3]);
        }
        return sums;
    }

    private static String[] words(List<String> first, List<String> then, List<String> command) {
        return Stream.of(first, then, command).flatMap(List::stream).toArray(String[]::new);
    }
}
