package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recording;
import dev.madt.testprogs.TraceFile;
import dev.madt.trace.layout.SharedLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Trace files, cached code maps and shared memory that are not what they should be: a sentence, no
 * stack trace, no hang.
 */
@Order(1)
class MalformedInputIT {
    private static final int FOREIGN_USER = 12_345;
    private static final String AND = ", ";

    private static byte[] trace;
    private static long accesses;

    @TempDir
    static Path caches;

    @TempDir
    Path directory;

    @BeforeAll
    static void record() throws Exception {
        Path file = Recording.of(MadtRun.program("heap.O0"));
        trace = Files.readAllBytes(file);
        accesses = TraceFile.check(file).accesses();
    }

    private static void assertTold(MadtRun run, String what) {
        assertFalse(
                run.errors().contains("Exception") || run.errors().contains("\tat "),
                () -> what + ": " + run.errors());
        assertFalse(run.text().contains("Exception"), what);
    }

    /** Positions in thousandths of the file, and bytes from its start or end. */
    @ParameterizedTest
    @CsvSource({
        "cut, 0", "cut, 3", "cut, 8", "cut, 15", "cut, 16", "cut, 17", "cut, 43", "cut, 44",
                "cut, 200", "cut, -1", "cut, -30",
        "flip, 0", "flip, 8", "flip, 12", "flip, 16", "flip, 20", "flip, 28", "flip, 32",
                "flip, 40", "flip, 50", "flip, 1000", "flip, -9"
    })
    void shouldSayWhatIsWrongWithATrace(String how, int at) throws Exception {
        int place = at < 0 ? trace.length + at : at;
        byte[] bytes = how.equals("cut") ? Arrays.copyOf(trace, place) : trace.clone();
        if (how.equals("flip")) {
            bytes[place] ^= 0x55;
        }
        Path file = Files.write(directory.resolve("bad.madt"), bytes);
        for (List<String> command :
                List.of(List.of("info"), List.of("print"), List.of("report", "--by", "symbol"))) {
            List<String> arguments = new ArrayList<>(command);
            arguments.add(file.toString());
            MadtRun run = MadtRun.madt(directory, arguments.toArray(String[]::new));
            assertTold(run, command + " of a trace with " + how + " at " + at);
            boolean refused = run.status() == 1 && run.errors().startsWith("madt: ");
            boolean partial = run.status() == 0
                    && (run.text() + run.errors()).matches("(?s).*(truncated|incomplete).*");
            boolean reserved = run.status() == 0 && at == 12; // a field that nobody reads
            assertTrue(
                    refused || partial || reserved,
                    () -> command + ": " + run.status() + " " + run.errors());
        }
    }

    private MadtRun runWithCache(Path cache, String engine, String name) throws Exception {
        return MadtRun.command(
                directory,
                List.of(
                        "env",
                        "XDG_CACHE_HOME=" + cache,
                        MadtRun.launcher().toString(),
                        "run",
                        "--engine",
                        engine,
                        "-f",
                        "-o",
                        directory.resolve(name).toString(),
                        "--",
                        MadtRun.program("heap.O0").toString()));
    }

    /** Returns what a first run leaves in an empty cache: made once for each engine. */
    private Path filledCache(String engine) throws Exception {
        Path filled = caches.resolve(engine).resolve("madt");
        if (!Files.exists(filled)) {
            runWithCache(filled.getParent(), engine, "first.madt").expect(0);
        }
        return filled;
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    /**
     * Returns what engine trap and engine splice read from the cache, with every damage in the soak
     * profile; otherwise two damages at a time, of different files, by one engine or the other.
     */
    static Stream<Arguments> damages() {
        List<String> damages = List.of(
                "empty",
                "cut in the head",
                "cut in half",
                "last byte cut",
                "magic",
                "version",
                "counts",
                "an entry",
                "an operand",
                "checksum",
                "another module's",
                "a directory",
                "endless",
                "another user's",
                "zeros");
        return Tier.SOAK
                ? damages.stream()
                        .flatMap(damage -> Stream.of(
                                arguments("splice", "plan", damage),
                                arguments("trap", "codemap", damage)))
                : IntStream.range(0, (damages.size() + 1) / 2)
                        .mapToObj(pair -> arguments(
                                pair % 2 == 0 ? "splice" : "trap",
                                pair % 2 == 0 ? "plan" : "codemap",
                                String.join(
                                        AND,
                                        damages.subList(
                                                2 * pair,
                                                Math.min(2 * pair + 2, damages.size())))));
    }

    @ParameterizedTest
    @MethodSource("damages")
    void shouldMakeACachedFileAnewThatIsNotWhatItShouldBe(String engine, String kind, String damage)
            throws Exception {
        Path cache = directory.resolve("cache");
        copy(filledCache(engine), cache.resolve("madt"));
        List<Path> cached;
        try (Stream<Path> files = Files.list(cache.resolve("madt"))) {
            cached = files.filter(file -> file.toString().endsWith("." + kind))
                    .sorted((a, b) -> size(a) - size(b))
                    .toList();
        }
        String[] each = damage.split(AND);
        assertTrue(cached.size() > each.length, cached.toString());
        for (int i = 1; i < cached.size(); i++) {
            damage(cached.get(i), each[i % each.length], cached.get(0));
        }
        MadtRun run = runWithCache(cache, engine, "second.madt").expect(0);
        assertTold(run, damage);
        assertEquals(accesses, TraceFile.check(directory.resolve("second.madt")).accesses());
    }

    /**
     * Checks that what a session has looked at, the next one takes as it is, unless it has changed.
     */
    @ParameterizedTest
    @ValueSource(strings = {"plan", "codemap", "symbols"})
    void shouldMakeACachedFileAnewThatHasChanged(String kind) throws Exception {
        Path cache = directory.resolve("cache");
        copy(filledCache("splice"), cache.resolve("madt"));
        runWithCache(cache, "splice", "again.madt").expect(0);
        Map<Path, byte[]> damaged = new HashMap<>();
        try (Stream<Path> files = Files.list(cache.resolve("madt"))) {
            for (Path file :
                    files.filter(kept -> kept.toString().endsWith("." + kind)).toList()) {
                damage(file, "an operand", file);
                damaged.put(file, Files.readAllBytes(file));
            }
        }
        assertTrue(damaged.size() >= 2, damaged.toString());
        if (kind.equals("codemap")) {
            forgetSymbols(cache.resolve("madt")); // the loader's map is there for its names alone
        }
        runWithCache(cache, "splice", "second.madt").expect(0);
        for (Map.Entry<Path, byte[]> file : damaged.entrySet()) {
            assertFalse(
                    Arrays.equals(file.getValue(), Files.readAllBytes(file.getKey())),
                    file.getKey().toString());
        }
        assertEquals(accesses, TraceFile.check(directory.resolve("second.madt")).accesses());
    }

    /** The program and the C library have plans with the same template numbers. */
    @Test
    void shouldRecordTheSameWhereTheAccountOfTemplateNumbersIsLost() throws Exception {
        Path cache = directory.resolve("cache");
        copy(filledCache("splice"), cache.resolve("madt"));
        try (Stream<Path> files = Files.list(cache.resolve("madt"))) {
            Files.delete(files.filter(file -> file.toString().endsWith(".plan"))
                    .max((a, b) -> size(a) - size(b))
                    .orElseThrow());
        }
        Files.delete(cache.resolve("madt/templates"));
        for (String name : List.of("made.madt", "again.madt")) {
            runWithCache(cache, "splice", name).expect(0);
            assertEquals(accesses, TraceFile.check(directory.resolve(name)).accesses());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"trap", "splice"})
    void shouldMakeACachedFileAnewThatIsOlderThanTheAnalyser(String engine) throws Exception {
        Path cache = directory.resolve("cache");
        copy(filledCache(engine), cache.resolve("madt"));
        List<Path> maps;
        try (Stream<Path> files = Files.list(cache.resolve("madt"))) {
            maps = files.toList();
        }
        for (Path map : maps) {
            String older = map.getFileName()
                    .toString()
                    .replaceFirst("\\.[0-9a-f]+\\.(codemap|plan|symbols)$", ".1.$1");
            Files.move(map, map.resolveSibling(older));
        }
        runWithCache(cache, engine, "second.madt").expect(0);
        for (Path map : maps) {
            assertTrue(Files.exists(map), map.toString());
        }
    }

    private static void forgetSymbols(Path kept) throws IOException {
        try (Stream<Path> files = Files.list(kept)) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".symbols")).toList()) {
                Files.delete(file);
            }
        }
    }

    private static int size(Path file) {
        try {
            return (int) Files.size(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void damage(Path map, String how, Path other) throws IOException {
        byte[] bytes = Files.readAllBytes(map);
        switch (how) {
            case "empty" -> Files.write(map, new byte[0]);
            case "cut in the head" -> Files.write(map, Arrays.copyOf(bytes, 77));
            case "cut in half" -> Files.write(map, Arrays.copyOf(bytes, bytes.length / 2));
            case "last byte cut" -> Files.write(map, Arrays.copyOf(bytes, bytes.length - 1));
            case "another module's" -> Files.write(map, Files.readAllBytes(other));
            case "zeros" -> Files.write(map, new byte[bytes.length]);
            case "a directory" -> {
                Files.delete(map);
                Files.createDirectory(map);
            }
            case "endless" -> {
                Files.delete(map);
                Files.createSymbolicLink(map, Path.of("/dev/zero"));
            }
            case "another user's" -> {
                bytes[200] ^= 1;
                Files.write(map, bytes);
                try {
                    Files.setAttribute(map, "unix:uid", FOREIGN_USER);
                } catch (IOException e) {
                    bytes[0] = 0; // only root can give files away: damaged it is all the same
                    Files.write(map, bytes);
                }
            }
            default -> {
                int at = List.of("magic", "version", "counts", "checksum").indexOf(how);
                int[] head = map.toString().endsWith(".plan")
                        ? new int[] {0, 8, 92, 24}
                        : new int[] {0, 8, 48, 60};
                int place = at >= 0 ? head[at] : how.equals("an entry") ? 140 : bytes.length - 10;
                bytes[place] ^= 0x41;
                Files.write(map, bytes);
            }
        }
    }

    /** Bytes that the program itself writes into the memory that it shares with the launcher. */
    private record Bytes(String part, int offset, String octal) {
        static Bytes of(String text) {
            String[] parts = text.split(", ");
            return new Bytes(parts[0], Integer.parseInt(parts[1]), parts[2]);
        }

        /** From the begin of the session file. */
        long place() {
            return SharedLayout.area(0)
                    + (part.equals("buffer") ? SharedLayout.BUFFERS_AT : 0)
                    + offset;
        }
    }

    /**
     * Returns what both engines have in common: half of it, by engine splice, and all of it by both
     * in the soak profile.
     */
    static Stream<Arguments> overwrites() {
        return Tier.some(
                        List.of(
                                "control, 0, \\377",
                                "control, 8, \\011",
                                "control, 36, \\377\\377\\377\\377",
                                "control, 128, \\377\\377\\377\\377\\377\\377\\377\\177",
                                "control, 266244, \\143",
                                "control, 266246, \\377",
                                "control, 266252, \\001\\001\\001\\001\\001",
                                "control, 192, \\377\\377",
                                "buffer, 0, \\377",
                                "buffer, 12, \\377\\377",
                                "buffer, 16, \\001",
                                "buffer, 64, \\007",
                                "buffer, 72, \\377\\377\\377",
                                "buffer, 4104, \\377\\377\\377\\377\\377",
                                "buffer, 4160, \\001\\002\\003\\004\\005\\006\\007\\010",
                                "buffer, 4160, \\0\\0\\0\\0\\377\\377\\377\\377"),
                        8)
                .stream()
                .flatMap(text -> Stream.of("splice", "trap")
                        .limit(Tier.of(2, 1))
                        .map(engine -> arguments(engine, Bytes.of(text))));
    }

    @ParameterizedTest
    @MethodSource("overwrites")
    void shouldEndAsTheProgramWhateverItWritesIntoSharedMemory(String engine, Bytes bytes)
            throws Exception {
        Path out = directory.resolve("t.madt");
        MadtRun run = MadtRun.madt(
                directory,
                "run",
                "--engine",
                engine,
                "--no-follow",
                "-o",
                out.toString(),
                "--",
                "sh",
                "-c",
                "f=$(sed -n 's#.* \\(/.*/session"
                        + "\\)$#\\1#p' /proc/$$/maps | head -n 1); printf '" + bytes.octal()
                        + "' | dd of=\"$f\" bs=1 seek=" + bytes.place()
                        + " conv=notrunc status=none; echo went on; exit 5");
        assertEquals("went on\n", run.text());
        assertEquals(5, run.status(), run.errors());
        assertTold(run, bytes.toString());
        MadtRun info = MadtRun.madt(directory, "info", out.toString());
        assertTold(info, "info");
        assertTrue(info.status() == 0, info.errors());
    }
}
