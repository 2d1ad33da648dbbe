package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import dev.madt.testprogs.TraceInvariants;
import dev.madt.testprogs.TraceLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs of the distribution, stripped as they are: the same output and status as without MadT,
 * and every access to a live block carries its name. They run on a small file, since an access
 * costs engine trap about 20 µs.
 */
@ParameterizedClass(name = "engine {0}")
@ValueSource(strings = {"splice", "trap"})
class DebianProgramsIT {
    @Parameter
    String engine;

    private static final String TEXT =
            """
            MadT is a memory access profiler.
            It names what a program touches:
            which variable, which heap block,
            by which function, in which order.
            """;

    @TempDir
    Path directory;

    static List<List<String>> commands() {
        return Tier.some(
                List.of(
                        List.of("gzip", "-c", "README.md"),
                        List.of("ls", "-l", "README.md", "sums"),
                        List.of("bc", "sums"),
                        List.of("sha256sum", "README.md"),
                        List.of(
                                "sqlite3",
                                ":memory:",
                                "create table t(a); insert into t values(1),(2); select sum(a) from"
                                        + " t"),
                        List.of("sort", "README.md")),
                3);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void shouldBehaveAsWithoutMadtAndNameItsBlocks(List<String> program) throws Exception {
        assumeTrue(
                engine.equals("splice") || Tier.SOAK || program.get(0).equals("bc"),
                "engine trap takes minutes for all");
        Files.writeString(directory.resolve("README.md"), TEXT);
        Files.writeString(directory.resolve("sums"), "2^64\n7*191\nquit\n");
        MadtRun plain = MadtRun.command(directory, program);
        Path trace = directory.resolve("t.madt");
        List<String> arguments = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "--engine",
                engine,
                "-o",
                trace.toString(),
                "--"));
        arguments.addAll(program);
        MadtRun traced = MadtRun.command(directory, arguments).expect(plain.status());
        assertArrayEquals(plain.output(), traced.output(), "stdout");
        assertEquals(plain.errors(), traced.errors());

        TraceInvariants invariants = TraceFile.check(trace);
        assertEquals(0, invariants.deadAccesses(), "accesses to blocks that were freed");
        assertTrue(invariants.accesses() > 1_000, "accesses: " + invariants.accesses());
        assertEquals(
                invariants.namedAccesses(),
                namedInPrint(trace),
                "accesses to live blocks that print names");
        String info =
                MadtRun.madt(directory, "info", trace.toString()).expect(0).text();
        assertTrue(info.contains("%"), "info gives no shares: " + info);
    }

    /** Uses of a live block's name as data in the printed lines. */
    private static long namedInPrint(Path trace) throws IOException, InterruptedException {
        long named = 0;
        for (String line : MadtRun.madt(trace.getParent(), "print", "--symbolic", trace.toString())
                .expect(0)
                .text()
                .lines()
                .toList()) {
            TraceLine parsed = TraceLine.parse(line);
            if (!parsed.isAllocation()) {
                named += live(parsed.fields()[0])
                        + (parsed.letter() == 'Y' ? live(parsed.fields()[1]) : 0);
            }
        }
        return named;
    }

    private static int live(String name) {
        return name.startsWith("<") && !name.startsWith("<freed:") && !name.startsWith("<unmap:")
                ? 1
                : 0;
    }
}
