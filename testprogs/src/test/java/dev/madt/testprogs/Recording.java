package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import dev.madt.resolver.LineOptions;
import dev.madt.resolver.LineWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Test programs recorded from main by engine trap, without options or arguments; each once for all tests that only read its trace. Under
 * MadT the program did what it does alone, and the trace keeps the invariants. The files go when the tests end.
 */
final class Recording {
    private static final Map<Path, Path> TRACES = new ConcurrentHashMap<>();

    private Recording() {}

    /** The program's trace. */
    static Path of(Path program) {
        return TRACES.computeIfAbsent(program.toAbsolutePath(), Recording::record);
    }

    private static Path record(Path program) {
        try {
            Path directory = Files.createTempDirectory("madt-recording");
            Path trace = directory.resolve(program.getFileName() + ".madt");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(trace)));
            MadtRun plain = MadtRun.command(directory, List.of(program.toString()));
            MadtRun run = MadtRun.madt(directory, "run", "-q", "-o", trace.toString(), "--", program.toString()).expect(plain.status());
            assertArrayEquals(plain.output(), run.output(), () -> "stdout of " + program);
            TraceFile.check(trace);
            return trace;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void delete(Path trace) {
        try {
            Files.deleteIfExists(trace);
            Files.deleteIfExists(trace.getParent());
        } catch (IOException e) {
            System.err.println("left behind: " + trace);
        }
    }

    /** The lines of {@code madt print}. */
    static List<String> lines(Path trace, LineOptions options) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        TraceFile.read(trace, new LineWriter(text, options)).flush();
        return text.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
