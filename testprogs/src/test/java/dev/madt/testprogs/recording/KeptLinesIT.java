package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.QuietConsumer;
import dev.madt.testprogs.TraceFile;
import dev.madt.trace.event.Definition;
import dev.madt.trace.event.SourceLevel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Source lines that are kept between recordings: traces say the same with and without them. */
class KeptLinesIT {
    private static final int FOREIGN_USER = 12_345;
    private static final int SUM_AT = 12;
    private static final int SUMMED = 16;

    /** A cache as a first recording leaves it, and the lines of that. */
    @TempDir
    static Path filled;

    private static Map<Long, List<SourceLevel>> first;

    @TempDir
    Path directory;

    /** The source lines that a trace defines. */
    private static final class Sources extends QuietConsumer {
        private final Map<Long, List<SourceLevel>> levels = new HashMap<>();

        @Override
        public void define(Definition definition) {
            if (definition instanceof Definition.Source source) {
                levels.put(source.code(), source.levels());
            }
        }
    }

    private MadtRun run(String limit, String script) throws Exception {
        return MadtRun.command(
                        directory,
                        List.of(
                                "env",
                                "XDG_CACHE_HOME=" + directory.resolve("cache"),
                                "MADT_CACHE_SIZE=" + limit,
                                "MADT=" + MadtRun.launcher(),
                                "PROGRAM=" + MadtRun.program("heap.O0"),
                                "sh",
                                "-c",
                                script))
                .expect(0);
    }

    private Map<Long, List<SourceLevel>> record(String name) throws Exception {
        return record(name, "1G");
    }

    private Map<Long, List<SourceLevel>> record(String name, String limit) throws Exception {
        run(limit, "$MADT run -f -o " + name + " -- $PROGRAM");
        return sources(name);
    }

    private Map<Long, List<SourceLevel>> sources(String name) throws IOException {
        TraceFile.check(directory.resolve(name));
        Map<Long, List<SourceLevel>> levels =
                TraceFile.read(directory.resolve(name), new Sources()).levels;
        assertTrue(levels.size() > 50, levels::toString);
        return levels;
    }

    /** Files of the cache with an ending in their names. */
    private List<Path> kept(String ending) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("cache/madt"))) {
            return files.filter(file -> file.toString().contains(".lines" + ending))
                    .sorted()
                    .toList();
        }
    }

    private static void write(Path file, byte[] bytes) throws IOException {
        ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        CRC32 sum = new CRC32();
        sum.update(bytes, SUMMED, bytes.length - SUMMED);
        all.putInt(SUM_AT, (int) sum.getValue());
        Files.write(file, bytes);
    }

    @Test
    void shouldTakeLinesFromWhatIsKept() throws Exception {
        Map<Long, List<SourceLevel>> read = record("first.madt");
        assertEquals(read, record("second.madt"));
        assertEquals(read, record("none.madt", "0"));
        for (Path file : kept("")) {
            String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
            write(file, bytes.replace("heap.c", "HEAP.C").getBytes(StandardCharsets.ISO_8859_1));
        }
        Map<Long, List<SourceLevel>> changed = record("third.madt");
        assertEquals(read.keySet(), changed.keySet());
        assertTrue(changed.toString().contains("HEAP.C"), changed::toString);
        assertFalse(changed.toString().contains("heap.c"), changed::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a byte", "endless", "another user's"})
    @SoakCases({"empty", "cut", "zeros", "a directory"})
    void shouldReadLinesAnewWhereWhatIsKeptIsDamaged(String how) throws Exception {
        Map<Long, List<SourceLevel>> read = beginWithAFilledCache();
        for (Path file : kept("")) {
            damage(file, how);
        }
        assertEquals(read, record("second.madt"));
        assertEquals(List.of(), kept("."));
        assertEquals(read, record("third.madt"));
    }

    /** Returns the lines of the first recording, whose cache is this test's own then. */
    private Map<Long, List<SourceLevel>> beginWithAFilledCache() throws Exception {
        Path cache = directory.resolve("cache/madt");
        if (first == null) {
            first = record("first.madt");
            copy(cache, filled);
        } else {
            copy(filled, Files.createDirectories(cache));
        }
        assertFalse(kept("").isEmpty());
        return first;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    private static void damage(Path file, String how) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        switch (how) {
            case "empty" -> Files.write(file, new byte[0]);
            case "cut" -> Files.write(file, Arrays.copyOf(bytes, bytes.length - 7));
            case "zeros" -> Files.write(file, new byte[bytes.length]);
            case "a directory" -> {
                Files.delete(file);
                Files.createDirectory(file);
            }
            case "endless" -> {
                Files.delete(file);
                Files.createSymbolicLink(file, Path.of("/dev/zero"));
            }
            case "another user's" -> {
                String text = new String(bytes, StandardCharsets.ISO_8859_1);
                write(file, text.replace("heap.c", "HEAP.C").getBytes(StandardCharsets.ISO_8859_1));
                try {
                    Files.setAttribute(file, "unix:uid", FOREIGN_USER);
                } catch (IOException e) {
                    Files.write(file, bytes); // only root can give files away
                }
            }
            default -> {
                bytes[bytes.length / 2] ^= 0x41;
                Files.write(file, bytes);
            }
        }
    }

    @Test
    void shouldKeepLinesOfTwoRecordingsAtOnce() throws Exception {
        run(
                "1G",
                "$MADT run -f -o a.madt -- $PROGRAM & $MADT run -f -o b.madt -- $PROGRAM; e=$?;"
                        + " wait $! && exit $e");
        Map<Long, List<SourceLevel>> read = sources("a.madt");
        assertEquals(read, sources("b.madt"));
        assertEquals(List.of(), kept("."));
        assertFalse(kept("").isEmpty());
        assertEquals(read, record("c.madt"));
    }

    /** Programs with the same code and build-id, whose lines differ. */
    @Test
    void shouldNotTakeLinesOfOtherDebugInformation() throws Exception {
        String build = "gcc -g -O0 -Wl,--build-id=0x0123456789 -o prog prog.c";
        Files.writeString(directory.resolve("prog.c"), program(0));
        run("1G", build + " && $MADT run -f -o a.madt -- ./prog");
        Files.writeString(directory.resolve("prog.c"), program(7));
        run("1G", build + " && $MADT run -f -o b.madt -- ./prog");
        assertEquals(5, line("a.madt"));
        assertEquals(12, line("b.madt"));
    }

    private static String program(int emptyLines) {
        return "\n".repeat(emptyLines)
                + "volatile int value;\n\nint main(void)\n{\n\tvalue = 1;\n\treturn 0;\n}\n";
    }

    /** Of the store. */
    private int line(String name) throws IOException {
        Map<Long, List<SourceLevel>> levels =
                TraceFile.read(directory.resolve(name), new Sources()).levels;
        List<Integer> lines = levels.values().stream()
                .map(all -> all.get(0))
                .filter(level -> level.function().equals("main"))
                .map(SourceLevel::line)
                .distinct()
                .toList();
        assertEquals(1, lines.size(), levels::toString);
        return lines.get(0);
    }
}
