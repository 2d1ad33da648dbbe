package dev.madt.testprogs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Engine splice records what engine trap records, element by element; the program notices neither. */
class SpliceIT {
    private static final Pattern NUMBER = Pattern.compile("(?<=^[A-Z]\\$)\\d+");
    /** Finalisers that nothing but a pointer leads to are in no proven code: docs/SPLICE.md. */
    private static final Pattern UNPROVEN = Pattern.compile(".*,(__do_global_dtors_aux\\+\\d+|\\[[^\\]]*\\]\\+\\d+)$");

    @TempDir
    private Path directory;

    private Path record(String engine, List<String> command) throws Exception {
        Path trace = directory.resolve(engine + ".madt");
        List<String> arguments = new ArrayList<>(List.of("run", "-q", "-f", "--engine", engine, "-o", trace.toString(), "--"));
        arguments.addAll(command);
        MadtRun plain = MadtRun.command(directory, command);
        MadtRun run = MadtRun.madt(directory, arguments.toArray(String[]::new)).expect(plain.status());
        assertArrayEquals(plain.output(), run.output());
        TraceFile.check(trace);
        return trace;
    }

    /** All lines without their numbers: events, names and code. */
    private List<String> lines(Path trace) throws Exception {
        return MadtRun.madt(directory, "print", trace.toString()).expect(0).text().lines()
                .map(line -> NUMBER.matcher(line).replaceFirst(""))
                .toList();
    }

    /** Lines of proven code, the libraries' too; what lies on stacks moves with the length of the environment. */
    private List<String> compared(String engine, String program) throws Exception {
        return lines(record(engine, List.of(MadtRun.program(program).toString()))).stream()
                .filter(line -> !UNPROVEN.matcher(line).matches() && !line.contains("[stack]"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"globals.O0", "globals.O2", "globals.nopie", "heap.O0", "heap.O2", "sorting.O2", "matrix.O0",
        "modify.O2", "operands.O0", "operands.O2", "allocations.O0", "freed.O0", "bits.O2"})
    void shouldRecordTheSequenceOfEngineTrap(String program) throws Exception {
        List<String> expected = compared("trap", program);
        assertTrue(expected.size() > 100, "compared: " + expected.size());
        assertEquals(String.join("\n", expected), String.join("\n", compared("splice", program)));
    }

    @Test
    void shouldLeaveAPipelineOfProcessesAsItIs() throws Exception {
        Path trace = record("splice", List.of("sh", "-c", "ls /usr | sort -r | gzip -n | gunzip | head -3; exit 3"));
        assertTrue(lines(trace).size() > 1000);
    }
}
