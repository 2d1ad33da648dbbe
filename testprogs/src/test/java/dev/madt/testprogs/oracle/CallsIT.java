package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testing.SoakCases;
import dev.madt.testing.Tier;
import dev.madt.testprogs.CallProgram;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import dev.madt.testprogs.TraceInvariants;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The calls of programs, random ones and those of other tests, against what they log themselves.
 */
class CallsIT {
    private static final List<String> BUILDS = List.of(
            "gcc -O0", "gcc -O1", "gcc -O2", "gcc -O3", "gcc -Os", "gcc -O2 -fno-pie -no-pie");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(ints = {6, 8})
    void shouldSeeTheCallsThatRandomProgramsLog(int seed) throws Exception {
        agree(seed);
    }

    @ParameterizedTest
    @Soak
    @ValueSource(
            ints = {
                1, 3, 2, 7, 9, 11, 12, 15, 16, 19, 23, 25, 26, 27, 28, 29, 30, 31, 32, 36, 37, 38,
                39, 40, 41, 42, 43, 44, 45, 47, 48, 51, 53, 55, 57, 58, 59, 61, 62, 67, 68, 70, 71,
                74, 75, 77, 79, 80
            })
    void shouldSeeTheCallsThatMoreRandomProgramsLog(int seed) throws Exception {
        agree(seed);
    }

    private void agree(int seed) throws Exception {
        Path source = directory.resolve("random.c");
        MadtRun.command(
                        directory,
                        List.of(
                                "csmith",
                                "--seed",
                                Integer.toString(seed),
                                "-o",
                                source.toString()))
                .expect(0);
        String build = BUILDS.get(seed % BUILDS.size());
        int compared = new CallOracle(directory, List.of(build.split(" "))).agree(source);
        assertTrue(compared > 0, "no call to compare");
        System.out.printf("%s, seed %d: %,d calls and returns%n", build, seed, compared);
    }

    @ParameterizedTest
    @ValueSource(strings = {"trees", "jumps"})
    @SoakCases({"sorting", "patterns", "numbers", "texts"})
    void shouldSeeTheCallsThatProgramsLog(String name) throws Exception {
        Path source = MadtRun.root().resolve("testprogs/oracle").resolve(name + ".c");
        for (String build : Tier.SOAK ? BUILDS : List.of("gcc -O2")) {
            int compared = new CallOracle(directory, List.of(build.split(" "))).agree(source);
            assertTrue(compared > 0, "no call to compare");
        }
    }

    /**
     * Checks that what the program measures lies around what is recorded, and a nap lasts as long
     * as it says.
     */
    @Test
    void shouldSayWhenACallWas() throws Exception {
        Path program = CallProgram.build(directory, "times.c");
        Path trace = directory.resolve("times.madt");
        List<String> own = madt("trace", "-q", "-o", trace.toString(), "--", program.toString());
        List<String> ours = madt("print", "--function", "nap", trace.toString());
        List<String> raw = madt("print", "--raw", "--function", "nap", trace.toString());
        assertEquals(2 * own.size(), ours.size());
        for (int i = 0; i < own.size(); i++) {
            String[] told = own.get(i).split(" ");
            long ticks = field(raw.get(2 * i + 1), 2) - field(raw.get(2 * i), 2);
            assertTrue(ticks > 0 && ticks <= Long.parseLong(told[0]), own.get(i) + ": " + ticks);
            long nanos = field(ours.get(2 * i + 1), 1);
            long asked = (5 + 2L * i) * 1_000_000;
            assertTrue(
                    nanos > asked * 0.99 && nanos < Long.parseLong(told[1]) * 1.01,
                    own.get(i) + ": " + nanos + " for " + asked);
        }
        madt("trace", "-qf", "--time", "none", "-o", trace.toString(), "--", program.toString());
        assertTrue(madt("print", "--function", "nap", trace.toString()).stream()
                .allMatch(line -> line.matches("B.[0-9]+:nap,main|X.[0-9]+:nap")));
    }

    /** A call waits for a second, since madt stands still: that is none of the call's time. */
    @Test
    void shouldLeaveOutWhatCallsWaitForMadT() throws Exception {
        Path program = CallProgram.build(directory, "held.c");
        Path trace = directory.resolve("held.madt");
        madt("trace", "-q", "--no-follow", "-o", trace.toString(), "--", program.toString());
        TraceInvariants checked = TraceFile.check(trace);
        long paused = Long.parseLong(checked.meta("paused"));
        assertTrue(paused > 900_000_000, "paused " + paused);
        assertTrue(Long.parseLong(checked.meta("pauses")) > 0);
        List<String> rows = madt(
                "report",
                "--by",
                "call",
                "--function",
                "work",
                "--columns",
                "total,max",
                "--format",
                "csv",
                trace.toString());
        long most = Long.parseLong(rows.get(1).substring(rows.get(1).lastIndexOf(',') + 1));
        assertTrue(most < paused / 2, rows.get(1) + ", paused " + paused);
    }

    private static long field(String line, int number) {
        return Long.parseLong(line.split(",")[number]);
    }

    private List<String> madt(String... arguments) throws Exception {
        return MadtRun.madt(directory, arguments).expect(0).text().lines().toList();
    }

    private void run(String... command) throws Exception {
        MadtRun.command(directory, List.of(command)).expect(0);
    }
}
