package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All code of C programs, libc's above all, and of threads. */
class AllCodeOracleIT {
    private static final int FEWEST = 1_500;

    @TempDir
    Path directory;

    /** Prints what was compared. */
    static void agree(Path directory, String name, boolean trapToo) throws Exception {
        AllCodeOracle.Report report =
                new AllCodeOracle(directory, MadtRun.program("oracle/" + name)).agree(trapToo);
        System.out.printf("callgrind, Lackey and MadT agree on %s: %s%n", name, report);
        assertTrue(
                report.loads() + report.stores() >= FEWEST,
                name + " has too few accesses to compare: " + report);
    }

    /** Otherwise nothing else can be compared. */
    @Test
    void shouldChooseTheSameFunctionsUnderValgrind() throws Exception {
        List<String> program = List.of(MadtRun.program("oracle/ifuncs").toString());
        String alone = MadtRun.command(directory, ValgrindRun.inEnvironment(program))
                .expect(0)
                .text();
        String under = MadtRun.command(
                        directory,
                        ValgrindRun.inEnvironment(
                                List.of("valgrind", "-q", "--tool=none", program.get(0))))
                .expect(0)
                .text();
        assertTrue(alone.lines().count() > 50, alone);
        assertEquals(alone, under);
    }

    @ParameterizedTest
    @ValueSource(strings = {"formats", "trees"})
    @SoakCases({"calendars", "locales", "patterns", "texts"})
    void shouldRecordEveryAccessOfAllCodeAndNoOtherByBothEngines(String name) throws Exception {
        agree(directory, name, true);
    }

    /**
     * Engine trap records nothing that is addressed by the stack pointer, wherever it points, and
     * misses what other threads do at the same time.
     */
    @ParameterizedTest
    @ValueSource(strings = {"jumps", "threads"})
    @SoakCases({"lines", "numbers", "sorting"})
    void shouldRecordEveryAccessOfAllCodeAndNoOther(String name) throws Exception {
        agree(directory, name, false);
    }
}
