package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.EnginePair;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Engine splice records what engine trap records, on one program of each kind, and with the soak
 * profile on every one but those that print their addresses, of which {@code NamedAllocatorsIT}
 * knows more.
 */
class SpliceIT {
    private static final String[] KINDS = {
        "allocations.O2",
        "atomics.O2",
        "bits.O0",
        "cpp.O2",
        "crash_abort.O2",
        "crash_null.O0",
        "disparity.O0",
        "disparity.marked",
        "dispatch.O2",
        "early.O0",
        "environment.O0",
        "freed.O2",
        "globals.O0",
        "kernel.O0",
        "libcheavy.O2",
        "markerscpp.nopie",
        "operands.O2",
        "stringops.O0",
        "tls.O0",
        "vector.O2",
        "x87.O0"
    };

    @TempDir
    private Path directory;

    static List<String> programs() throws IOException {
        try (Stream<Path> files = Files.list(MadtRun.program(""))) {
            return Tier.only(
                    files.map(file -> file.getFileName().toString())
                            .filter(name -> name.matches(".*\\.(O0|O2|nopie|marked|image)"))
                            .filter(name -> !name.startsWith("kill_counter"))
                            .filter(name -> !name.startsWith("named_alloc"))
                            .sorted(),
                    KINDS);
        }
    }

    private static List<String> options(String program) {
        return program.contains("mark") ? List.of("--start", "marker") : List.of();
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldRecordTheSequenceOfEngineTrap(String program) throws Exception {
        int compared = EnginePair.record(
                        directory,
                        options(program),
                        List.of(MadtRun.program(program).toString()))
                .agree();
        assertTrue(compared >= 4, "compared: " + compared);
    }

    /** They share a plan, whose template numbers only one of them can have. */
    @Test
    void shouldRecordCopiesOfALibrary() throws Exception {
        String source = MadtRun.root().resolve("testprogs/calls/copies.c").toString();
        String first = directory.resolve("first.so").toString();
        String second = directory.resolve("second.so").toString();
        String program = directory.resolve("copies").toString();
        gcc("-shared", "-fPIC", "-DLIBRARY", "-Wl,--build-id", source, "-o", first);
        Files.copy(Path.of(first), Path.of(second));
        gcc(source, "-o", program);
        EnginePair pair = EnginePair.record(directory, List.of(), List.of(program, first, second));
        assertTrue(pair.agree() > 4_000);
    }

    private void gcc(String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of("gcc", "-O1"));
        command.addAll(List.of(options));
        MadtRun.command(directory, command).expect(0);
    }

    @Test
    void shouldRecordCodeThatOnlyTheLoaderFinds() throws Exception {
        EnginePair pair = EnginePair.record(
                directory,
                List.of("--start", "load"),
                List.of(MadtRun.program("finalisers").toString()));
        assertTrue(pair.agree() > 300);
        String bss = MadtRun.madt(
                        directory, "print", "--symbol", "[.bss]*", pair.splice().toString())
                .expect(0)
                .text();
        assertTrue(bss.lines().count() >= 3 * 97, bss);
    }

    @Test
    void shouldShowAFaultWithTheRegistersOfTheProgram() throws Exception {
        Path trace = directory.resolve("t.madt");
        MadtRun run = MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "-o",
                        trace.toString(),
                        "--",
                        MadtRun.program("registers").toString())
                .expect(0);
        assertEquals("3 faults, 0 registers wrong\n", run.text());
    }

    @Test
    void shouldLeaveAPipelineOfProcessesAsItIs() throws Exception {
        List<String> command =
                List.of("sh", "-c", "ls /usr | sort -r | gzip -n | gunzip | head -3; exit 3");
        Path trace = directory.resolve("t.madt");
        MadtRun plain = MadtRun.command(directory, command).expect(3);
        MadtRun run = MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "-o",
                        trace.toString(),
                        "--",
                        command.get(0),
                        command.get(1),
                        command.get(2))
                .expect(3);
        assertEquals(plain.text(), run.text());
        assertTrue(TraceFile.check(trace).accesses() > 1000);
    }
}
