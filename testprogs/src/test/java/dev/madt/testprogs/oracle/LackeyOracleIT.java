package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Tier;
import dev.madt.testprogs.MadtRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * MadT against Lackey on this project's programs: one of each kind, by turns with and without
 * optimisation; in the soak profile all with both.
 */
@Order(1)
class LackeyOracleIT {
    private static final int FEWEST = 1_000;
    private static final List<String> PROGRAMS = List.of(
            "atomics",
            "bits",
            "cpp",
            "disparity",
            "dispatch",
            "globals",
            "heap",
            "matrix",
            "modify",
            "operands",
            "sorting",
            "straddle",
            "stringops",
            "strings",
            "tls",
            "vector",
            "x87");

    /** Holds one of each kind of instruction or data: what every verification compares. */
    private static final Set<String> KINDS = Set.of(
            "atomics",
            "cpp",
            "dispatch",
            "heap",
            "operands",
            "straddle",
            "stringops",
            "tls",
            "vector",
            "x87");

    @TempDir
    Path directory;

    static Stream<String> programs() {
        Stream<String> levels = IntStream.range(0, 2 * PROGRAMS.size())
                .filter(i ->
                        Tier.SOAK || KINDS.contains(PROGRAMS.get(i / 2)) && (i / 2 + i) % 2 == 0)
                .mapToObj(i -> PROGRAMS.get(i / 2) + (i % 2 == 0 ? ".O0" : ".O2"));
        return Stream.concat(
                levels, Tier.some(List.of("globals.nopie", "disparity.nopie"), 1).stream());
    }

    @ParameterizedTest
    @MethodSource("programs")
    void shouldSeeWhatLackeySees(String name) throws Exception {
        int compared = LackeyOracle.agree(directory, MadtRun.program(name));
        assertTrue(compared >= FEWEST, name + " has only " + compared + " accesses to compare");
        System.out.printf("Lackey and MadT agree on %s: %,d accesses%n", name, compared);
    }
}
