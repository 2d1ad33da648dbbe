package dev.madt.view.sharing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes accesses as a thread, {@code l} or {@code s}, and a byte of the line. */
class SharedLinesTest {
    private static final long LINE = 0x1000;
    private static final int STEPS = 2_000;

    private final SharedLines lines = new SharedLines(null);

    private void access(int thread, boolean store, int at) {
        lines.access(thread, LINE + at, 1, store, null);
    }

    private void check(String accesses, int moves, int wrong) {
        for (String each : accesses.split(" ")) {
            access(each.charAt(0) - '0', each.charAt(1) == 's', each.charAt(2) - '0');
        }
        assertEquals(moves, lines.moves(), accesses);
        assertEquals(wrong, lines.falseMoves(), accesses);
    }

    /** Has threads take from others what these stored, or what these are to load anew. */
    @ParameterizedTest
    @CsvSource({
        "1s0 2l0, 1", // the first touch
        "1s0 2s0, 1",
        "1s0 2l0 2s0, 2", // taken over by what has loaded it
        "1l0 1s0 2l0 2s0 1l0 1s0, 4",
        "1s0 1s1 2l1 2l0, 1", // what it also brings
        "1s0 2l0 3l0 4l0, 1", // loads of what nobody has changed since move nothing
        "1l0 2l0 1s0, 1",
        "1s1 2l0 2l1, 1", // so does this first touch
        "1s1 2l0 2l1 2l2 2s0 2s1, 2", // taken by the first store, for the second
        "1s0 1s1 2l0 2l1 1s0 2l1 2l0, 3", // fetched by the first load, for the second
        "1l0 1s1 2s0, 1",
    })
    void shouldTellWhatThreadsHandOver(String accesses, int moves) {
        check(accesses, moves, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "1s0 2s1, 1, 1",
        "1s0 2l1, 1, 1", // never stored to
        "1l0 2s1, 1, 1",
        "1l0 1s0 2l1 2s1 1l0 1s0, 4, 4",
        "1s0 2s0 1s1 2l0, 3, 2", // its own, and the other stored beside it
        "1s0 2l0 1s1 2l1, 3, 1", // taken for what the other has not met yet
        "1s0 1s1 2l0 1s1 2l0 2l1, 3, 1", // taken for the same; what fetches 0 brings 1
        "1s0 1s1 2l1 3s2 2l3 3s2 2l0, 5, 3", // gets what is new to it only in the end
        "1s0 2l1 2s1 2s0, 2, 1", // one of the two would do for what it stores over
        "1s0 2l1 2s1 2l0, 2, 1", // fetched for something, taken for nothing
        "1s0 2l0 2s1 3l1 2s1 2s0, 4, 1", // the last store had no part in the first one's move
    })
    void shouldTellWhatOnlyTheLineMakesThemDo(String accesses, int moves, int wrong) {
        check(accesses, moves, wrong);
    }

    @Test
    void shouldFindNothingFalseOfOneVariable() {
        Random random = new Random(1);
        for (int i = 0; i < STEPS; i++) {
            access(random.nextInt(4), random.nextBoolean(), 8);
        }
        assertTrue(lines.moves() > STEPS / 4);
        assertEquals(0, lines.falseMoves());
    }

    @Test
    void shouldFindAllFalseOfVariablesOfEachThread() {
        Random random = new Random(2);
        for (int i = 0; i < STEPS; i++) {
            int thread = random.nextInt(4);
            access(thread, random.nextBoolean(), 8 * thread + random.nextInt(8));
        }
        assertTrue(lines.moves() > STEPS / 4);
        assertEquals(lines.moves(), lines.falseMoves());
    }

    /** With a line for each byte there are so many fewer moves at most as are false. */
    @Test
    void shouldTakeNoMoreForFalseThanLinesApartSave() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            SharedLines one = new SharedLines(null);
            SharedLines apart = new SharedLines(null);
            for (int i = 0; i < 100; i++) {
                int thread = random.nextInt(3);
                boolean store = random.nextBoolean();
                int at = random.nextInt(4);
                one.access(thread, LINE + at, 1, store, null);
                apart.access(thread, LINE + at * (long) SharedLines.LINE, 1, store, null);
            }
            assertEquals(0, apart.falseMoves());
            assertTrue(one.moves() - one.falseMoves() <= apart.moves(), "seed " + seed);
        }
    }
}
