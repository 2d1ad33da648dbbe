package dev.madt.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.cli.MadtProcess;
import dev.madt.cli.NativeProgram;
import dev.madt.trace.codec.TraceDecoder;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.BlockKind;
import dev.madt.trace.event.EventConsumer;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.trace.file.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The collector against a target that writes the shared memory by itself, as engine trap does:
 * test/c/fake_target.c.
 */
class CollectorTest {
    private static final long ADDRESS = 0x600000000000L;

    @TempDir
    Path folder;

    /**
     * A trace in memory: addresses of stores as they are, those of allocation events as their
     * complement.
     */
    private static final class Order implements EventConsumer {
        private final List<Long> all = new ArrayList<>();
        private final List<Integer> threads = new ArrayList<>();
        private final Map<String, String> meta = new HashMap<>();

        @Override
        public void meta(Map<String, String> values) {
            meta.putAll(values);
        }

        @Override
        public void access(long number, int thread, AccessSite site, boolean store, long address) {
            all.add(address - ADDRESS);
            threads.add(thread);
        }

        @Override
        public void block(
                long number,
                int thread,
                BlockKind kind,
                long to,
                long from,
                long length,
                long code) {
            throw new AssertionError("no bulk transfers were made");
        }

        @Override
        public void ring(TraceEvent event) {
            if (event.type() == RingEventType.MALLOC) {
                all.add(~event.word(0));
                threads.add(event.thread());
            }
        }
    }

    private MadtProcess.Outcome run(String scenario, long count, String... options)
            throws Exception {
        List<String> arguments =
                new ArrayList<>(List.of("run", "--engine", "trap", "-f", "-o", trace().toString()));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of(
                "--",
                NativeProgram.program("fake_target").toString(),
                scenario,
                Long.toString(count)));
        return MadtProcess.run(arguments.toArray(String[]::new));
    }

    private Path trace() {
        return folder.resolve("t.madt");
    }

    private Order read(boolean complete) throws IOException {
        Order order = new Order();
        try (TraceReader reader = new TraceReader(trace())) {
            TraceDecoder decoder = new TraceDecoder(order);
            assertEquals(complete, reader.read(decoder), reader.incompleteness());
        }
        return order;
    }

    @Test
    void shouldKeepTheOrderOfEventsAndAccessesThroughManyChunksAndRingTurns() throws Exception {
        int count = 300_007;
        MadtProcess.Outcome outcome = run("order", count);
        assertEquals(7, outcome.status(), outcome.err());
        Order order = read(true);
        assertEquals(2 * count, order.all.size());
        for (int i = 0; i < count; i++) {
            assertEquals(~(long) i, order.all.get(2 * i));
            assertEquals(i, order.all.get(2 * i + 1));
        }
        assertEquals("exit 7", order.meta.get("ended"));
        assertTrue(
                outcome.err()
                        .contains("300,007 accesses (0 L, 300,007 S), 0 bulk transfers, complete"),
                outcome.err());
    }

    @Test
    void shouldKeepTheOrderOfEveryThread() throws Exception {
        int threads = 4;
        int each = 30_011;
        assertEquals(7, run("threads", threads).status());
        Order order = read(true);
        long[] next = new long[threads];
        boolean[] announced = new boolean[threads];
        for (long entry : order.all) {
            boolean event = entry < 0;
            long number = event ? ~entry : entry;
            int thread = (int) (number >> 32);
            assertEquals(next[thread], number & 0xffffffffL);
            if (event) {
                announced[thread] = true;
            } else {
                assertEquals(next[thread] % 7 == 0, announced[thread]);
                announced[thread] = false;
                next[thread]++;
            }
        }
        for (int i = 0; i < threads; i++) {
            assertEquals(each, next[i]);
        }
    }

    @Test
    void shouldLoseNothingWhenTheTargetIsKilled() throws Exception {
        MadtProcess.Outcome outcome = run("dead", 1_999);
        assertEquals(128 + 9, outcome.status());
        assertTrue(
                outcome.err()
                        .contains("fake_target was killed by SIGKILL. Wrote " + trace()
                                + ": 1,999 accesses, complete up to the signal."),
                outcome.err());
        Order order = read(true);
        assertEquals("signal SIGKILL", order.meta.get("ended"));
        assertEquals(2 + 1_999, order.all.size());
        assertTrue(order.all.containsAll(List.of(~0L, ~1L, 0L, 1_998L)));
    }

    @Test
    void shouldSayWhereSharedMemoryIsDamagedAndKeepWhatIsBefore() throws Exception {
        MadtProcess.Outcome outcome = run("damage", 13);
        assertEquals(7, outcome.status());
        assertTrue(
                outcome.err()
                        .contains(
                                "the recording stopped early, the shared memory is damaged: buffer"
                                        + " 0, byte "
                                        + (4096 + 64 + 13 * 24)
                                        + ": 0x2a is no record header."),
                outcome.err());
        assertEquals(13, read(false).all.size());
    }

    @Test
    void shouldCutExactlyAtTheLimitAndLetTheTargetGoOn() throws Exception {
        MadtProcess.Outcome outcome = run("stop", 501, "--max-events", "501");
        assertEquals(7, outcome.status());
        Order order = read(true);
        assertEquals(501, order.all.size());
        assertEquals(500, order.all.get(500));
        assertTrue(
                outcome.err()
                        .contains(
                                "501 accesses (0 L, 501 S), 0 bulk transfers, ended at the limit of"
                                        + " --max-events"),
                outcome.err());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "order|10||complete",
                "dead|1999||complete up to the signal",
                "stop|501|--max-events 501|ended at the limit of --max-events",
                "flood|3000001|--max-size 100K|ended at the limit of --max-size"
            })
    void shouldSayTheSameOfATraceAsTheRunDid(
            String scenario, int count, String options, String completeness) throws Exception {
        MadtProcess.Outcome outcome =
                run(scenario, count, options == null ? new String[0] : options.split(" "));
        assertTrue(outcome.err().matches("(?s).*, " + completeness + "\\.?\n.*"), outcome.err());
        String info = MadtProcess.run("info", trace().toString()).out();
        assertTrue(info.contains("trace is        " + completeness + "\n"), info);
    }

    @Test
    void shouldKeepOnlyWhatLiesBetweenMarkers() throws Exception {
        assertEquals(7, run("windows", 101, "--start", "marker").status());
        Order order = read(true);
        assertEquals(101, order.all.size());
        for (int i = 0; i < 101; i++) {
            assertEquals(2 * i, order.all.get(i));
        }
        assertEquals("101", order.meta.get("started"));
    }

    @Test
    void shouldSayThatNoMarkerWasSeen() throws Exception {
        MadtProcess.Outcome outcome = run("order", 1, "--start", "marker");
        assertTrue(
                outcome.err()
                        .contains(
                                "madt: no marker was seen: the program never called MadT_start()."),
                outcome.err());
    }

    @Test
    void shouldSayThatATruncatedTraceIsIncomplete() throws Exception {
        run("order", 1_000);
        byte[] whole = Files.readAllBytes(trace());
        Files.write(trace(), Arrays.copyOf(whole, whole.length - 5));
        MadtProcess.Outcome lenient = MadtProcess.run("info", trace().toString());
        assertEquals(0, lenient.status());
        assertTrue(lenient.out().contains("trace is        truncated: "), lenient.out());
        assertTrue(lenient.out().contains("stores          1,000\n"), lenient.out());
        assertEquals(3, MadtProcess.run("info", "--strict", trace().toString()).status());
    }

    @Test
    void shouldLeaveNothingInTheSessionsPlace() throws Exception {
        Path shm = Files.createDirectory(folder.resolve("shm"));
        ProcessBuilder builder = new ProcessBuilder(MadtProcess.command(
                "run",
                "--engine",
                "trap",
                "-o",
                trace().toString(),
                NativeProgram.program("fake_target").toString(),
                "order",
                "10"));
        builder.environment().put("MADT_SHM", shm.toString());
        assertEquals(7, MadtProcess.finish(builder).status());
        try (var left = Files.list(shm)) {
            assertEquals(0, left.count());
        }
    }
}
