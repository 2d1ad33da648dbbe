package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Each program that has an {@code .expected} file prints these lines, and does besides what it does
 * without MadT.
 */
@ParameterizedClass(name = "engine {0}")
@ValueSource(strings = {"splice", "trap"})
class ExpectedTracesIT {
    /** Holds what stands for the others under engine trap, outside the soak profile. */
    private static final Set<String> OF_TRAP = Set.of(
            "allocations",
            "atomics",
            "cpp",
            "crash_null",
            "disparity.marked",
            "markers.nopie",
            "operands",
            "stringops",
            "vector");

    @Parameter
    String engine;

    @TempDir
    Path directory;

    static Stream<String> programs() throws IOException {
        try (Stream<Path> files = Files.list(MadtRun.root().resolve("testprogs/src"))) {
            List<String> names =
                    new ArrayList<>(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".expected"))
                            .map(name -> name.substring(0, name.length() - ".expected".length()))
                            .sorted()
                            .toList());
            assertTrue(names.size() >= 10, "expected traces: " + names);
            return names.stream();
        }
    }

    /** {@code NAME.expected} is about the program of that name, or else about its -O0 build. */
    private static Path program(String name) {
        Path exact = MadtRun.program(name);
        return Files.exists(exact) ? exact : MadtRun.program(name + ".O0");
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldPrintTheExpectedLines(String name) throws Exception {
        assumeTrue(
                engine.equals("splice") || Tier.SOAK || OF_TRAP.contains(name),
                "engine trap takes minutes for all");
        ExpectedTrace expected =
                ExpectedTrace.read(MadtRun.root().resolve("testprogs/src/" + name + ".expected"));
        Path program = program(name);
        Path text = directory.resolve("lines.txt");
        Path trace = directory.resolve("t.madt");
        List<String> arguments = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "--engine",
                engine,
                "--text",
                text.toString(),
                "--symbolic",
                "-o",
                trace.toString()));
        arguments.addAll(expected.options());
        arguments.addAll(List.of("--", program.toString()));
        MadtRun traced = MadtRun.command(directory, arguments);

        MadtRun plain = MadtRun.command(
                directory, List.of("sh", "-c", "exec \"$0\" 2>/dev/null", program.toString()));
        traced.expect(plain.status());
        assertArrayEquals(plain.output(), traced.output(), "stdout");
        TraceFile.check(trace);
        List<String> lines = Files.readAllLines(text);
        assertNull(expected.difference(lines), () -> name + " (" + lines.size() + " lines)");
        MadtRun printed =
                MadtRun.madt(directory, "print", "--symbolic", trace.toString()).expect(0);
        assertTrue(
                lines.equals(printed.text().lines().toList()),
                "print shows other lines than run --text did");
    }
}
