package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Programs whose threads count their own accesses. Engine splice records exactly these, of each
 * thread, in the order of the thread where the program tells it, and with the right block. Engine
 * trap records some of them, and says how many are missing at most.
 */
@Isolated
class ThreadsIT {
    @TempDir
    Path directory;

    private KnownAccesses known;
    private final KnownAccesses seen = new KnownAccesses();
    private long missed;

    private void record(String engine, String program, int first, int second) throws Exception {
        MadtRun run = MadtRun.madt(
                        directory,
                        "run",
                        "-q",
                        "--engine",
                        engine,
                        "-o",
                        directory.resolve("t.madt").toString(),
                        "--",
                        MadtRun.program("threads/" + program).toString(),
                        Integer.toString(first),
                        Integer.toString(second))
                .expect(0);
        known = KnownAccesses.parse(run.text());
        try (Stream<Path> files = Files.list(directory)) {
            for (Path trace : files.toList()) {
                read(trace);
            }
        }
    }

    private void read(Path trace) throws IOException {
        assertEquals(0, TraceFile.check(trace).deadAccesses(), "accesses to blocks that had ended");
        missed += TraceFile.read(trace, new SeenAccesses(known, seen)).missed();
    }

    @ParameterizedTest
    @CsvSource({
        "arrays,5,5000",
        "counters,8,1000",
        "churn,12,100",
        "family,5,200",
        "interrupted,8,5000",
        "handover,5,1000"
    })
    @SoakCases({
        "arrays,2,20000",
        "arrays,5,20000",
        "arrays,16,10000",
        "counters,2,5000",
        "counters,8,2000",
        "counters,16,1000",
        "churn,12,300",
        "family,2,500",
        "interrupted,2,60000",
        "interrupted,8,10000",
        "handover,2,5000",
        "handover,5,3000",
        "handover,16,1000"
    })
    void shouldRecordEveryAccessOfEveryThreadUnderEngineSplice(
            String program, int first, int second) throws Exception {
        record("splice", program, first, second);
        assertTrue(known.sum() > 1_000, "known: " + known.sum());
        System.out.printf("engine splice on %s %d: %,d accesses%n", program, first, known.sum());
        assertEquals(known.counts(), seen.counts());
        assertEquals(known.uses(), seen.uses());
        assertEquals(0, missed);
    }

    @ParameterizedTest
    @CsvSource({"arrays,5,200", "churn,3,20", "interrupted,3,30", "handover,4,60"})
    @SoakCases({"arrays,2,500", "counters,3,100", "family,2,40"})
    void shouldRecordNothingElseAndSayHowMuchIsMissingUnderEngineTrap(
            String program, int first, int second) throws Exception {
        record("trap", program, first, second);
        seen.counts()
                .forEach((place, count) -> assertFalse(
                        count.exceeds(known.counts().getOrDefault(place, KnownAccesses.Count.NONE)),
                        () -> place + ": " + count));
        seen.uses().forEach(ThreadsIT.this::assertPart);
        assertTrue(seen.sum() > 0);
        System.out.printf(
                "engine trap on %s: %,d accesses, %,d missing, at most %,d by its own account%n",
                program, known.sum(), known.sum() - seen.sum(), missed);
        assertTrue(
                known.sum() - seen.sum() <= missed,
                () -> known.sum() - seen.sum() + " of " + known.sum()
                        + " accesses are missing; said to be at most " + missed);
    }

    /** Checks that what was seen of a thread is what the thread did, with gaps. */
    private void assertPart(int thread, List<KnownAccesses.Use> part) {
        Iterator<KnownAccesses.Use> whole =
                known.uses().getOrDefault(thread, List.of()).iterator();
        for (KnownAccesses.Use use : part) {
            boolean found = false;
            while (!found && whole.hasNext()) {
                found = whole.next().equals(use);
            }
            assertTrue(found, () -> "thread " + thread + ": " + use + " is not among its uses");
        }
    }
}
