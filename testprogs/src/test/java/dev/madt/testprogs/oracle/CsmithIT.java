package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testing.SoakCases;
import dev.madt.testprogs.EnginePair;
import dev.madt.testprogs.RandomProgram;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * MadT against Lackey on programs that nobody wrote: csmith's, built at -O0. The seeds are the
 * first, from 1 upward, whose program ends alone within a second and makes 5,000 to 200,000
 * accesses that MadT traces, libc's included.
 */
@Order(1)
class CsmithIT {
    @TempDir
    Path directory;

    /**
     * The first twelve of all have every form of an instruction that the others access memory with.
     * With the next ten, they have every size at every place in 16 bytes, and 290 of the 303 forms
     * with the instruction before.
     */
    @ParameterizedTest
    @ValueSource(ints = {11, 59})
    void shouldSeeWhatLackeySees(int seed) throws Exception {
        agree(seed);
    }

    @ParameterizedTest
    @Soak
    @ValueSource(
            ints = {
                2, 9, 16, 71, 15, 29, 32, 55, 57, 77, 3, 7, 40, 41, 44, 47, 48, 61, 67, 70, 1, 6, 8,
                12, 19, 23, 25, 26, 27, 28, 30, 31, 36, 37, 38, 39, 42, 43, 45, 51, 53, 58, 62, 68,
                74, 75, 79, 80
            })
    void shouldSeeWhatLackeySeesInMorePrograms(int seed) throws Exception {
        agree(seed);
    }

    private void agree(int seed) throws Exception {
        Path program = RandomProgram.build(directory, seed, List.of("gcc", "-O0"));
        int compared = LackeyOracle.agree(directory, program);
        assertTrue(compared > 0, "no access to compare");
        System.out.printf("Lackey and MadT agree on seed %d: %,d accesses%n", seed, compared);
    }

    /** Seeds of {@link CsmithSoakIT}: some kinds of builds, and every one that ever failed. */
    @ParameterizedTest
    @ValueSource(ints = 5_017)
    @SoakCases({"5004", "5038", "5039"})
    void shouldFindNoDifferenceBetweenTheEngines(int seed) throws Exception {
        Path program = RandomProgram.build(directory, seed, RandomProgram.turn(seed));
        assertTrue(EnginePair.record(directory, List.of(), List.of(program.toString()))
                        .agree()
                > 5_000);
    }
}
