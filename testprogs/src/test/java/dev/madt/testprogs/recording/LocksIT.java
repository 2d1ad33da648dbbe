package dev.madt.testprogs.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testing.Soak;
import dev.madt.testing.SoakCases;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.QuietConsumer;
import dev.madt.testprogs.Recorder;
import dev.madt.testprogs.TraceFile;
import dev.madt.trace.event.AccessSite;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.LockWords;
import dev.madt.view.TimeMerge;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Locks: what a program writes down of its own is what the trace says. */
class LocksIT {
    /** Two readings of the clock come in their order but for so many ticks. */
    private static final long SLACK = 2000;

    @TempDir
    Path directory;

    /** Says what a thread did with a lock; ticks that it was held. */
    private record Did(String what, long lock, long depth, long ticks) {}

    /** Holds what threads did with the locks of the program, by thread. */
    private static final class LockEvents extends QuietConsumer {
        private final Map<Integer, List<Did>> all = new HashMap<>();
        private final Map<Integer, Integer> depths = new HashMap<>();

        @Override
        public void ring(TraceEvent event) {
            int depth = depths.getOrDefault(event.thread(), 0);
            if (event instanceof TraceEvent.LockGot got) {
                boolean unit = LockWords.isSemaphore(got);
                add(event, new Did(unit ? "unit" : "got", got.lock(), depth, 0));
                depths.put(event.thread(), unit ? depth : depth + 1);
            } else if (event instanceof TraceEvent.LockReleased gone && !isPost(gone)) {
                depths.put(event.thread(), depth - 1);
                add(event, new Did("free", gone.lock(), gone.depth(), gone.held()));
            } else if (event instanceof TraceEvent.LockUndone not) {
                add(event, new Did("failed", not.lock(), depth, 0));
            }
        }

        /** A unit of a semaphore is not held. */
        private static boolean isPost(TraceEvent.LockReleased event) {
            return event.held() == 0;
        }

        private void add(TraceEvent event, Did did) {
            all.computeIfAbsent(event.thread(), thread -> new ArrayList<>()).add(did);
        }

        /** Leaves out locks that the program does not write down: those of its libraries. */
        private List<Did> of(int thread, List<Did> wanted) {
            return all.get(thread).stream()
                    .filter(did -> wanted.stream().anyMatch(one -> one.lock() == did.lock()))
                    .toList();
        }
    }

    private static Map<String, List<Did>> written(String output) {
        Map<String, List<Did>> all = new HashMap<>();
        output.lines().forEach(line -> {
            String[] words = line.split(" ");
            all.computeIfAbsent(words[0], thread -> new ArrayList<>())
                    .add(new Did(
                            words[1],
                            Long.decode(words[2]),
                            Long.parseLong(words[3]),
                            Long.parseLong(words[4])));
        });
        return all;
    }

    private static boolean isTold(List<Did> wanted, List<Did> told) {
        if (wanted.size() != told.size()) {
            return false;
        }
        for (int i = 0; i < wanted.size(); i++) {
            Did one = wanted.get(i);
            Did other = told.get(i);
            if (!one.what().equals(other.what())
                    || one.lock() != other.lock()
                    || one.depth() != other.depth()
                    || one.ticks() > other.ticks() + SLACK) {
                return false;
            }
        }
        return true;
    }

    @ParameterizedTest
    @CsvSource({"'accesses,locks',5,11", "'calls,locks',2,11"})
    @SoakCases({"locks,5,31", "locks,14,61"})
    void shouldSayWhatTheProgramWritesDown(String kinds, int threads, int rounds) throws Exception {
        Recorder recorder = new Recorder(directory).with("--record", kinds);
        String output = recorder.run(
                        MadtRun.program("locks/locked").toString(),
                        Integer.toString(threads),
                        Integer.toString(rounds))
                .expect(0)
                .text();
        TraceFile.check(recorder.trace());
        LockEvents told = TraceFile.read(recorder.trace(), new LockEvents());
        Map<String, List<Did>> all = written(output);
        assertEquals(threads + 2, all.size());
        for (List<Did> wanted : all.values()) {
            assertTrue(
                    told.all.keySet().stream()
                            .anyMatch(thread -> isTold(wanted, told.of(thread, wanted))),
                    () -> wanted.subList(0, Math.min(wanted.size(), 9)) + "\n" + told.all);
        }
        compareTimeline(recorder.trace(), told);
    }

    /** A timeline has each lock that is held, and each wait for another thread. */
    private void compareTimeline(Path trace, LockEvents told) throws Exception {
        Path file = directory.resolve("locks.json");
        madt("timeline", "-o", file.toString(), trace.toString());
        long got = told.all.values().stream()
                .flatMap(List::stream)
                .filter(did -> did.what().equals("got"))
                .count();
        assertTrue(got > 0);
        assertEquals(got, count(Files.readString(file), "\"name\":\"has "));
        Path page = directory.resolve("locks.html");
        madt("timeline", "-o", page.toString(), trace.toString());
        String arrows = Files.readString(page).split("\"handovers\":\\[", 2)[1].split("\"", 2)[0];
        long waits = madt("locks", "--waits", "--format", "csv", trace.toString())
                .lines()
                .skip(1)
                .map(row -> row.split(","))
                .mapToLong(row -> Long.parseLong(row[0]) - Long.parseLong(row[3])) // timed out
                .sum();
        assertEquals(waits, count(arrows, "\n["));
    }

    /** The mutex is free meanwhile, which `madt locks` says, too. */
    @Test
    void shouldTellAWaitForAConditionFromOneForItsMutex() throws Exception {
        Recorder recorder = new Recorder(directory).with("--record", "locks");
        recorder.run(MadtRun.program("locks/condition").toString()).expect(0);
        String trace = recorder.trace().toString();
        for (String form : List.of("json", "html", "txt")) {
            Path file = directory.resolve("condition." + form);
            madt("timeline", "-o", file.toString(), trace);
            String drawn = Files.readString(file);
            assertTrue(drawn.contains("waits for a condition"), drawn);
            assertFalse(drawn.contains("waits for mutex"), drawn);
            assertTrue(drawn.contains("waits for o"), drawn);
        }
        String json = Files.readString(directory.resolve("condition.json"));
        assertTrue(json.contains("\"name\":\"waits for a condition (mutex)\""), json);
        assertTrue(json.contains("\"cat\":\"waits for a condition\""), json);
        assertEquals(1, found(json, "\"waits for other\"[^}]*\"thread \\d+ had it"));
        // a call of a thread that is without a processor for a while takes as long as a wait
        long alone = found(json, "\"waits for [^}]*no other thread is known to have had it");
        assertEquals(1 + alone, count(json, "\"cat\":\"waits for a lock\""), json);
        String waits = madt("locks", "--waits", "--format", "csv", trace);
        assertEquals(2, waits.lines().count(), waits);
    }

    private String madt(String... words) throws Exception {
        return MadtRun.madt(directory, words).expect(0).text();
    }

    private static long found(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).results().count();
    }

    private static long count(String text, String part) {
        return text.split(Pattern.quote(part), -1).length - 1L;
    }

    /** Takes the stores to who_had_it, in their order. */
    private static final class Log extends QuietConsumer {
        private final List<Integer> threads = new ArrayList<>();
        private final List<Long> addresses = new ArrayList<>();
        private final Map<Integer, Integer> numbers = new HashMap<>();

        @Override
        public void access(long number, int thread, AccessSite site, boolean store, long address) {
            if (store && site.size() == Integer.BYTES) {
                addresses.add(address);
                threads.add(thread);
            }
        }

        @Override
        public void ring(TraceEvent event) {}
    }

    @ParameterizedTest
    @CsvSource({"3,10003,mutex", "2,2003,rwlock", "4,2003,spin"})
    @SoakCases("3,100003,mutex")
    void shouldOrderWhatThreadsDoUnderALock(int threads, int entries, String kind)
            throws Exception {
        compareOrder(threads, entries, kind);
    }

    /** In glibc, a spin lock is made by the function that releases one. */
    @Test
    void shouldTakeNoSpinLockThatIsMadeForAReleasedOne() throws Exception {
        Recorder recorder = new Recorder(directory).with("--record", "locks");
        String program = MadtRun.program("locks/ordered").toString();
        recorder.run(program, "2", "100", "spin").expect(0);
        MadtRun locks = MadtRun.madt(directory, "locks", "" + recorder.trace());
        assertTrue(locks.expect(0).text().contains("spin"), locks.text());
        assertFalse(locks.errors().contains("incomplete"), locks.errors());
    }

    @Test
    @Soak
    void shouldOrderAMillionEntries() throws Exception {
        compareOrder(4, 1_000_000, "mutex");
    }

    private static String row(long loads, long stores, String data, long bytes, String lock) {
        return String.join(
                ",", "" + (loads + stores), "" + loads, "" + stores, "" + bytes, lock, data);
    }

    private void compareOrder(int threads, int entries, String kind) throws Exception {
        Recorder recorder = new Recorder(directory).with("--record", "accesses,locks", "--data");
        List<String> output = recorder.run(
                        MadtRun.program("locks/ordered").toString(),
                        Integer.toString(threads),
                        Integer.toString(entries),
                        kind)
                .expect(0)
                .text()
                .lines()
                .toList();
        assertEquals(1 + entries, output.size());
        Log log = new Log();
        TimeMerge merge = new TimeMerge(log);
        TraceFile.read(recorder.trace(), merge);
        assertEquals(0, merge.late());
        long first = Long.decode(output.get(0));
        Map<Integer, String> names = new HashMap<>();
        int at = 0;
        for (int i = 0; i < log.addresses.size(); i++) {
            if (log.addresses.get(i) < first || log.addresses.get(i) >= first + 4L * entries) {
                continue;
            }
            assertEquals(first + 4L * at, log.addresses.get(i), "entry " + at);
            String self = output.get(1 + at);
            assertEquals(self, names.computeIfAbsent(log.threads.get(i), thread -> self));
            at++;
        }
        assertEquals(entries, at);
        assertFalse(names.isEmpty());
        // each thread finds once that there is no room
        String touched = madt("locks", "--data", "--format", "csv", "" + recorder.trace());
        assertEquals(
                List.of(
                        row(entries + threads, entries, "used", 4, kind),
                        row(entries, entries, "cells[]", 13 * 8, kind),
                        row(entries + threads, 0, "entries", 4, kind),
                        row(entries + threads, 0, "kind", 1, kind),
                        row(0, entries, "who_had_it[]", 4L * entries, kind)),
                touched.lines()
                        .skip(1)
                        .map(line -> line.replaceFirst("((?:\\d+,){4})\\d+,", "$1"))
                        .toList());
    }

    /** Has a lock of OpenMP without a name, and one of the program's own, that are no arguments. */
    private static final String WITHOUT_ARGUMENTS =
            """
            #include <stdatomic.h>
            static long named, own;
            static atomic_flag busy = ATOMIC_FLAG_INIT;
            __attribute__((noinline)) void enter_all(void)
            {
                while (atomic_flag_test_and_set(&busy))
                    ;
            }
            __attribute__((noinline)) void leave_all(void)
            {
                atomic_flag_clear(&busy);
            }
            int main(void)
            {
            #pragma omp parallel num_threads(3)
                for (int i = 0; i < 103; i++) {
            #pragma omp critical
                    named++;
                    enter_all();
                    own++;
                    leave_all();
                }
                return 0;
            }
            """;

    @Test
    void shouldPairFunctionsWithoutAnArgument() throws Exception {
        Path source = Files.writeString(directory.resolve("alone.c"), WITHOUT_ARGUMENTS);
        Path program = directory.resolve("alone");
        MadtRun.command(
                        directory,
                        List.of("gcc", "-O1", "-fopenmp", "-o", "" + program, "" + source))
                .expect(0);
        Recorder recorder = new Recorder(directory)
                .with("--record", "accesses,locks", "--lock", "enter_all=leave_all:-");
        recorder.run(program.toString()).expect(0);
        String trace = recorder.trace().toString();
        List<String> rows = MadtRun.madt(
                        directory,
                        "locks",
                        "--format",
                        "csv",
                        "--columns",
                        "acquisitions,threads,unpaired,kind",
                        trace)
                .expect(0)
                .text()
                .lines()
                .filter(row -> row.startsWith("309,"))
                .sorted()
                .toList();
        assertEquals(List.of("309,3,0,lock", "309,3,0,mutex"), rows);
        String shared = MadtRun.madt(directory, "sharing", "--format", "csv", trace)
                .expect(0)
                .text();
        assertTrue(
                shared.lines().anyMatch(row -> row.matches("\\d+,\\d+,8,0,3,3,named,\\[libgomp.*")),
                shared);
        assertTrue(
                shared.lines()
                        .anyMatch(row -> row.matches("\\d+,\\d+,8,0,3,3,own,.*enter_all.*")
                                || row.matches("\\d+,\\d+,8,0,3,3,own,\\[alone.*")),
                shared);
    }

    /** Has locks whose functions go on by jumps: to one close by, by a stub, through a slot. */
    private static final String BY_JUMPS =
            """
            #include <stdatomic.h>
            #define OWN __attribute__((noinline))
            OWN static void spin(atomic_int *lock)
            {
                while (atomic_exchange(lock, 1))
                    ;
            }
            OWN void by_stub(int much, atomic_int *lock)
            {
                spin(lock);
                atomic_fetch_add(lock, much);
            }
            OWN __attribute__((noplt)) void by_slot(atomic_int *lock)
            {
                spin(lock);
                atomic_fetch_add(lock, 1);
            }
            OWN void take_close(atomic_int *lock) { spin(lock); }
            OWN void take_by_stub(atomic_int *lock) { by_stub(1, lock); }
            OWN void take_by_slot(atomic_int *lock) { by_slot(lock); }
            OWN void give(atomic_int *lock) { atomic_store(lock, 0); }
            """;

    private static final String TAKES =
            """
            #include <stdatomic.h>
            void take_close(atomic_int *), take_by_stub(atomic_int *), take_by_slot(atomic_int *);
            void give(atomic_int *);
            static atomic_int one, two, three;
            int main(void)
            {
                for (int i = 0; i < 11; i++) {
                    take_close(&one);
                    take_by_stub(&two);
                    take_by_slot(&three);
                    give(&three);
                    give(&two);
                    give(&one);
                }
                return 0;
            }
            """;

    @Test
    void shouldFollowAFunctionThatGoesOnByAJump() throws Exception {
        Path library = Files.writeString(directory.resolve("jumps.c"), BY_JUMPS);
        Path source = Files.writeString(directory.resolve("takes.c"), TAKES);
        Path made = directory.resolve("libjumps.so");
        Path program = directory.resolve("takes");
        List<String> words = new ArrayList<>(List.of("gcc", "-O2", "-g", "-o"));
        MadtRun.command(directory, with(words, made, "-fPIC", "-shared", library))
                .expect(0);
        MadtRun.command(directory, with(words, program, source, made)).expect(0);
        Recorder recorder = new Recorder(directory).with("--record", "locks");
        for (String way : List.of("close", "by_stub", "by_slot")) {
            recorder = recorder.with("--lock", "take_" + way + "=give");
        }
        recorder.run(program.toString()).expect(0);
        String rows = madt(
                "locks",
                "--format",
                "csv",
                "--columns",
                "acquisitions,unpaired,alone,with 1 other,lock",
                recorder.trace().toString());
        for (String row : List.of("11,0,11,0,one", "11,0,0,11,two", "11,0,0,0,three")) {
            assertTrue(rows.lines().anyMatch(row::equals), rows);
        }
    }

    private static List<String> with(List<String> words, Object... more) {
        List<String> all = new ArrayList<>(words);
        for (Object one : more) {
            all.add(one.toString());
        }
        return all;
    }

    @Test
    void shouldRefuseWhatDoesNotGoTogether() throws Exception {
        for (List<String> options : List.of(
                List.of("--record", "locks", "--time", "none"),
                List.of("--record", "locks", "--engine", "trap"),
                List.of("--lock", "a=b"))) {
            MadtRun run =
                    new Recorder(directory).with(options.toArray(String[]::new)).run("true");
            assertEquals(125, run.status(), run.errors());
        }
    }
}
