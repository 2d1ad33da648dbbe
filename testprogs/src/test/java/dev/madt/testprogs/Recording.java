package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.resolver.line.LineOptions;
import dev.madt.resolver.line.LineWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Test programs recorded from main, without arguments; each once by each engine, for all tests that
 * only read its trace. Under MadT the program did what it does alone, and the trace keeps the
 * invariants. The files go when the tests end.
 */
public final class Recording {
    private static final Map<Key, Path> TRACES = new ConcurrentHashMap<>();

    private record Key(Path program, String engine) {}

    private Recording() {}

    /** The program's trace as users get it, who name no engine: by engine splice. */
    public static Path of(Path program) {
        return of(program, "splice");
    }

    public static Path of(Path program, String engine) {
        return TRACES.computeIfAbsent(new Key(program.toAbsolutePath(), engine), Recording::record);
    }

    private static Path record(Key key) {
        Path program = key.program();
        try {
            Path directory = Files.createTempDirectory("madt-recording");
            Path trace = directory.resolve(program.getFileName() + ".madt");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(trace)));
            MadtRun plain = MadtRun.command(directory, List.of(program.toString()));
            MadtRun run = MadtRun.command(directory, command(key, trace)).expect(plain.status());
            assertArrayEquals(plain.output(), run.output(), () -> "stdout of " + key);
            assertEquals(key.engine(), TraceFile.check(trace).meta("engine"));
            return trace;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> command(Key key, Path trace) {
        List<String> command = new ArrayList<>(
                List.of(MadtRun.launcher().toString(), "run", "-q", "-o", trace.toString()));
        if (key.engine().equals("trap")) {
            command.addAll(List.of("--engine", "trap"));
        }
        command.addAll(List.of("--", key.program().toString()));
        return command;
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
    public static List<String> lines(Path trace, LineOptions options) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        TraceFile.read(trace, new LineWriter(text, options)).flush();
        return text.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
