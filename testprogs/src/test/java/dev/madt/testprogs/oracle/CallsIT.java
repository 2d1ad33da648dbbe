package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
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
    @ValueSource(ints = {1, 3, 6, 8})
    void shouldSeeTheCallsThatRandomProgramsLog(int seed) throws Exception {
        agree(seed);
    }

    @ParameterizedTest
    @EnabledIfSystemProperty(named = "madt.soak", matches = "true")
    @ValueSource(
            ints = {
                2, 7, 9, 11, 12, 15, 16, 19, 23, 25, 26, 27, 28, 29, 30, 31, 32, 36, 37, 38, 39, 40,
                41, 42, 43, 44, 45, 47, 48, 51, 53, 55, 57, 58, 59, 61, 62, 67, 68, 70, 71, 74, 75,
                77, 79, 80
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
    @ValueSource(strings = {"trees", "sorting", "jumps", "patterns", "numbers", "texts"})
    void shouldSeeTheCallsThatProgramsLog(String name) throws Exception {
        Path source = MadtRun.root().resolve("testprogs/oracle").resolve(name + ".c");
        for (String build : Boolean.getBoolean("madt.soak") ? BUILDS : List.of("gcc -O2")) {
            int compared = new CallOracle(directory, List.of(build.split(" "))).agree(source);
            assertTrue(compared > 0, "no call to compare");
        }
    }
}
