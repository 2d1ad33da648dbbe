package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testprogs.EnginePair;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.RandomProgram;
import dev.madt.testprogs.TraceFile;
import dev.madt.testprogs.TraceInvariants;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Engine splice against engine trap on random programs, as many as fit into
 * {@code madt.soak.minutes}; seeds go up from {@code madt.soak.seed}, or from one that the clock
 * chooses. A seed that fails belongs into {@link CsmithIT}'s second list.
 */
@Soak
class CsmithSoakIT {
    private static final long MOST_ACCESSES = 200_000;

    @TempDir
    Path directory;

    private final Map<Integer, String> failures = new ConcurrentSkipListMap<>();
    private final AtomicInteger compared = new AtomicInteger();
    private final AtomicLong events = new AtomicLong();

    @Test
    void shouldFindNoDifferenceBetweenTheEngines() throws Exception {
        long minutes = Long.getLong("madt.soak.minutes", 10);
        int first = Integer.getInteger(
                "madt.soak.seed", (int) (System.currentTimeMillis() / 1000 % 1_000_000_000));
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        AtomicInteger seed = new AtomicInteger(first);
        ExecutorService workers =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            workers.execute(() -> {
                while (System.nanoTime() < end) {
                    compare(seed.getAndIncrement());
                }
            });
        }
        workers.shutdown();
        assertTrue(workers.awaitTermination(minutes + 10, TimeUnit.MINUTES), "a program hangs");
        System.out.printf(
                "seeds %d to %d: %,d programs compared, %,d events%n",
                first, seed.get() - 1, compared.get(), events.get());
        assertEquals(Map.of(), failures);
        assertTrue(compared.get() > 0);
    }

    private void compare(int seed) {
        try {
            Path place = Files.createDirectory(directory.resolve("seed" + seed));
            Path program = RandomProgram.build(place, seed, RandomProgram.turn(seed));
            if (worthwhile(place, program)) {
                events.addAndGet(EnginePair.record(place, List.of(), List.of(program.toString()))
                        .agree());
                compared.incrementAndGet();
            }
            MadtRun.command(directory, List.of("rm", "-r", place.toString()));
        } catch (Exception | AssertionError e) {
            failures.put(seed, RandomProgram.turn(seed) + ": " + e.getMessage());
            System.out.printf("seed %d, %s%n", seed, failures.get(seed));
        }
    }

    /** Some run for ever, and some for too long under engine trap. */
    private static boolean worthwhile(Path place, Path program) throws Exception {
        if (MadtRun.command(place, List.of("timeout", "2", program.toString())).status() != 0) {
            return false;
        }
        Path trace = place.resolve("length.madt");
        MadtRun.madt(
                        place,
                        "run",
                        "-q",
                        "--engine",
                        "splice",
                        "--max-events",
                        Long.toString(MOST_ACCESSES + 1),
                        "-o",
                        trace.toString(),
                        "--",
                        program.toString())
                .expect(0);
        return TraceFile.read(trace, new TraceInvariants()).accesses() <= MOST_ACCESSES;
    }
}
