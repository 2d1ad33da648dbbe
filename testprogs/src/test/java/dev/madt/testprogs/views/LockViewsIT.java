package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.Recorder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what views say of waits that end by time, of semaphores, and of locks on stacks. */
class LockViewsIT {
    /** Meets others twice a round, at what the library of C++ has for that. */
    private static final String MEETING =
            """
            #include <barrier>
            #include <thread>
            #include <vector>

            int parts[4], sums[4];

            int main()
            {
                std::barrier<> meeting(4);
                std::vector<std::thread> threads;
                for (int t = 0; t < 4; t++)
                    threads.emplace_back([&, t] {
                        for (int round = 0; round < 20; round++) {
                            parts[t] = round * t;
                            meeting.arrive_and_wait();
                            for (int part : parts)
                                sums[t] += part;
                            meeting.arrive_and_wait();
                        }
                    });
                for (std::thread &thread : threads)
                    thread.join();
            }
            """;

    private static final String ONCE =
            """
            #include <mutex>
            #include <thread>
            #include <vector>

            struct Made {
                int values[4];
                Made() { for (int &value : values) value = 1; }
            };

            std::once_flag flag;
            int flagged, sums[4];

            static Made &made()
            {
                static Made one;
                return one;
            }

            int main()
            {
                std::vector<std::thread> threads;
                for (int t = 0; t < 4; t++)
                    threads.emplace_back([t] {
                        for (int round = 0; round < 20; round++) {
                            std::call_once(flag, [] { flagged = 5; });
                            sums[t] += flagged + made().values[t];
                        }
                    });
                for (std::thread &thread : threads)
                    thread.join();
            }
            """;

    /** Has functions of its own for what is made once, which store to guards by plain moves. */
    private static final String GUARDED =
            """
            #include <mutex>
            #include <thread>
            #include <vector>

            static std::mutex making;

            __attribute__((noinline)) static int begin(volatile char *guard)
            {
                making.lock();
                if (!*guard)
                    return 1;
                making.unlock();
                return 0;
            }

            __attribute__((noinline)) static void end(volatile char *guard)
            {
                *guard = 1;
                making.unlock();
            }

            extern "C" int __cxa_guard_acquire(char *guard) { return begin(guard); }
            extern "C" void __cxa_guard_release(char *guard) { end(guard); }

            static int next() { static volatile int last = 4; return ++last; }
            static int made() { static int one = next(); return one; }

            int main()
            {
                std::vector<std::thread> threads;
                int sums[4] = {};
                for (int t = 0; t < 4; t++)
                    threads.emplace_back([t, &sums] {
                        for (int round = 0; round < 20; round++)
                            sums[t] += made();
                    });
                for (std::thread &thread : threads)
                    thread.join();
            }
            """;

    /** Takes a lock while it has another one, in a function that is inlined into a lambda. */
    private static final String INLINED =
            """
            #include <mutex>
            #include <thread>
            static std::mutex one, other;
            static long count;
            static inline __attribute__((always_inline)) void both(long by)
            {
                std::lock_guard<std::mutex> a(one);
                std::lock_guard<std::mutex> b(other);
                count = count + by;
            }
            int main()
            {
                std::thread thread([] { both(1); });
                thread.join();
            }
            """;

    /**
     * Nanoseconds that a wait of the program lasts at least. It ends 200 ms behind a look at the
     * clock, and begins later than that look: by much, where the thread has no processor then.
     */
    private static final long WAITED = 20_000_000;

    @TempDir
    Path directory;

    /** Returns rows of a table by their first column, which is no number. */
    private Map<String, List<String>> rows(String trace, String... words) throws Exception {
        String[] all = Arrays.copyOf(words, words.length + 3);
        all[words.length] = "--format";
        all[words.length + 1] = "csv";
        all[words.length + 2] = trace;
        return MadtRun.madt(directory, all)
                .expect(0)
                .text()
                .lines()
                .skip(1)
                .map(row -> List.of(row.split(",", -1)))
                .collect(Collectors.toMap(row -> row.get(0), row -> row.subList(1, row.size())));
    }

    @Test
    void shouldTellWaitsThatEndByTime() throws Exception {
        Recorder recorder = new Recorder(directory).with("--record", "locks");
        long begin = System.nanoTime();
        recorder.run(MadtRun.program("locks/failing").toString()).expect(0);
        long run = System.nanoTime() - begin;
        String trace = recorder.trace().toString();
        Map<String, List<String>> locks =
                rows(trace, "locks", "--columns", "lock,failed,contended,waited");
        Map<String, List<String>> waits = rows(
                trace, "locks", "--waits", "--columns", "lock,waits,timed out,waited,taken at");
        Map.of("mutex", 2, "rwlock", 1, "plain", 1, "none", 1).forEach((lock, times) -> {
            boolean tried = lock.equals("mutex");
            assertEquals(
                    times + (tried ? 3 : 0), Integer.parseInt(locks.get(lock).get(0)), lock);
            assertTrue(Long.parseLong(locks.get(lock).get(2)) >= times * WAITED, lock);
            List<String> row = waits.get(lock);
            assertEquals(List.of("" + times, "" + times), row.subList(0, 2), lock);
            long waited = Long.parseLong(row.get(2));
            assertTrue(waited >= times * WAITED && waited < run, lock + ' ' + waited);
            assertEquals(!lock.equals("none"), row.get(3).startsWith("main+"), lock);
        });
        List<String> units = locks.get("units");
        assertEquals(List.of("0", "1"), units.subList(0, 2));
        assertEquals("0", waits.get("units").get(1));
        assertEquals(units.get(2), waits.get("units").get(2));
        assertTrue(waits.get("units").get(3).startsWith("work+"));
        Path file = directory.resolve("failing.json");
        MadtRun.madt(directory, "timeline", "-o", file.toString(), trace).expect(0);
        String drawn = Files.readString(file);
        // a try that is held up looks like a wait, too, but for its end
        String wait = "\"waits for mutex\"[^}]*had it; timed out";
        assertEquals(3, drawn.split(wait, -1).length, drawn);
    }

    /** Loads there, by which the other thread waits, are not recorded. */
    @Test
    void shouldNotBeCertainOfWhatAnAtomicVariableOnAStackMayOrder() throws Exception {
        Recorder recorder = new Recorder(directory).with("--record", "accesses,locks");
        recorder.run(MadtRun.program("locks/handed_on_stack").toString()).expect(0);
        MadtRun races = MadtRun.madt(
                        directory,
                        "races",
                        "--columns",
                        "certain,data",
                        recorder.trace().toString())
                .expect(0);
        assertTrue(races.text().contains("yes      raced"), races.text());
        assertFalse(races.text().contains("yes      handed"), races.text());
        assertTrue(races.errors().contains("an atomic variable on a stack"), races.errors());
    }

    @Test
    void shouldWriteNoHeadOfATableWithoutRows() throws Exception {
        Recorder recorder = new Recorder(directory).with("--record", "locks", "-f");
        recorder.run(MadtRun.program("allocations.O2").toString()).expect(0);
        String trace = recorder.trace().toString();
        MadtRun order = MadtRun.madt(directory, "locks", "--order", trace).expect(0);
        assertEquals("", order.text());
        assertTrue(order.errors().contains("no lock was "), order.errors());
        String csv = MadtRun.madt(directory, "locks", "--order", "--format", "csv", trace)
                .expect(0)
                .text();
        assertTrue(csv.startsWith("times,threads,"), csv);
    }

    @Test
    void shouldNameLocksOnStacks() throws Exception {
        Recorder recorder =
                new Recorder(directory).with("--stack", "--record", "accesses,locks", "-f");
        recorder.run(MadtRun.program("locks/on_stack").toString()).expect(0);
        String trace = recorder.trace().toString();
        Map<String, List<String>> locks = rows(trace, "locks", "--columns", "lock,acquisitions");
        assertEquals(List.of("6"), locks.get("main:queue.guard"), locks.toString());
        assertEquals(List.of("6"), locks.get("main:alone"), locks.toString());
        Map<String, List<String>> shared = rows(trace, "sharing", "--columns", "data,under");
        assertEquals(List.of("main:queue.guard"), shared.get("main:queue.count"));
        assertFalse(shared.containsKey("main:queue.guard"), shared.toString());
        assertFalse(shared.containsKey("main:alone"), shared.toString());
        String hint = "locks on stacks have names where stacks are recorded: madt run --stack";
        assertFalse(told(trace).contains(hint), "named");
        recorder = new Recorder(directory).with("--record", "locks", "-f");
        recorder.run(MadtRun.program("locks/on_stack").toString()).expect(0);
        String without = told(recorder.trace().toString());
        assertTrue(without.contains(hint), without);
    }

    private String told(String trace) throws Exception {
        return MadtRun.madt(directory, "locks", trace).expect(0).errors();
    }

    /**
     * Its members by which threads wait are no atomic variables by their types. Of plain data that
     * it keeps apart there may be a doubt, where the clock does not tell who came to it first: of
     * the program's, and of the number of threads that it expects.
     */
    @ParameterizedTest
    @ValueSource(strings = {"-O0 -g", "-O2 -g"})
    void shouldKnowWhatABarrierOfCxxOrders(String level) throws Exception {
        List<String> doubts = races(MEETING, "g++ " + level);
        assertTrue(
                doubts.stream()
                        .allMatch(row -> row.matches("maybe +(parts|sums|.*_M_expected)(\\[])?")),
                doubts::toString);
    }

    /** Compiles a program of C++, runs it and returns the races in it: certainty and data. */
    private List<String> races(String code, String compiler) throws Exception {
        Path source = Files.writeString(directory.resolve("meet.cpp"), code);
        Path program = directory.resolve("meet");
        String command = compiler + " -std=c++20 -pthread -o " + program + " " + source;
        MadtRun.command(directory, List.of(command.split(" "))).expect(0);
        Recorder recorder =
                new Recorder(directory).with("--stack", "--record", "accesses,locks", "-f");
        recorder.run(program.toString()).expect(0);
        MadtRun races = MadtRun.madt(
                        directory, "races", "--columns", "certain,data", "" + recorder.trace())
                .expect(0);
        List<String> rows = races.text().lines().skip(1).toList();
        assertEquals(rows.isEmpty(), races.errors().contains("no race among"), races.errors());
        return rows;
    }

    /** Neither flags nor guards are atomic variables by their types; who looks at them loads. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "g++ -O0 -g",
                "g++ -O2 -g",
                "clang++ -stdlib=libc++ -O0 -g",
                "clang++ -stdlib=libc++ -O2"
            })
    void shouldKnowWhatIsMadeOnce(String compiler) throws Exception {
        List<String> rows = races(ONCE, compiler);
        assertTrue(rows.stream().allMatch(row -> row.matches("maybe +flagged.*")), rows::toString);
    }

    /** Threads look at a guard without a lock, and a store to it need not be atomic by itself. */
    @Test
    void shouldTakeAGuardForAtomicWhoeverStoresToIt() throws Exception {
        List<String> raced = races(GUARDED, "g++ -O1 -g");
        assertTrue(
                raced.stream().noneMatch(row -> row.contains("guard variable")), raced::toString);
        String trace = directory.resolve("t.madt").toString();
        Map<String, List<String>> shared =
                rows(trace, "sharing", "--columns", "data,unguarded,under");
        assertEquals(
                List.of("0", "atomic"),
                shared.get("guard variable for made()::one"),
                shared::toString);
    }

    @Test
    void shouldNameFunctionsAndLinesOfTheSourceInAllFormats() throws Exception {
        Path source = Files.writeString(directory.resolve("both.cpp"), INLINED);
        Path program = directory.resolve("both");
        MadtRun.command(
                        directory,
                        List.of("g++", "-O1", "-g", "-pthread", "-o", "" + program, "" + source))
                .expect(0);
        Recorder recorder = new Recorder(directory).with("--record", "accesses,locks");
        recorder.run(program.toString()).expect(0);
        String trace = recorder.trace().toString();
        Map<String, List<String>> order =
                rows(trace, "locks", "--order", "--columns", "held lock,taken at,asked at");
        assertEquals(
                List.of("both (both.cpp:7)", "both (both.cpp:8)"), order.get("one"), "" + order);
        for (List<String> words :
                List.of(List.of("locks", "--data"), List.of("sharing"), List.of("races"))) {
            for (String format : List.of("csv", "json")) {
                List<String> all = new ArrayList<>(words);
                all.addAll(List.of("--format", format, trace));
                String text = MadtRun.madt(directory, all.toArray(String[]::new))
                        .expect(0)
                        .text();
                assertFalse(text.contains("_Z"), text);
            }
        }
    }
}
