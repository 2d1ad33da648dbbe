package dev.madt.testprogs.views;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.madt.resolver.demangle.Demangler;
import dev.madt.resolver.line.MemberTypes;
import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.QuietConsumer;
import dev.madt.testprogs.Recorder;
import dev.madt.testprogs.TraceFile;
import dev.madt.trace.event.AccessSite;
import dev.madt.view.Reading;
import dev.madt.view.Selection;
import dev.madt.view.TimeMerge;
import dev.madt.view.sharing.RaceReport;
import dev.madt.view.sharing.SharingReport;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks what threads share, and races: of programs that are known to have some, or none. */
class SharingIT {
    @TempDir
    Path directory;

    private Path record(String program, String... arguments) throws Exception {
        return recordOf("accesses,locks", program, arguments);
    }

    private Path recordOf(String what, String program, String... arguments) throws Exception {
        return recordFile(what, MadtRun.program("locks/" + program), arguments);
    }

    private Path recordFile(String what, Path program, String... arguments) throws Exception {
        Recorder recorder = new Recorder(directory).with("--record", what, "-f");
        String[] words = new String[arguments.length + 1];
        words[0] = program.toString();
        System.arraycopy(arguments, 0, words, 1, arguments.length);
        recorder.run(words).expect(0);
        return recorder.trace();
    }

    private static void read(Path trace, Reading reading, MemberTypes types) throws Exception {
        TraceFile.read(trace, reading.consumer(Demangler.NONE, types));
    }

    private static List<Object[]> races(Path trace) throws Exception {
        return races(trace, "yes");
    }

    private static List<Object[]> races(Path trace, String certain) throws Exception {
        RaceReport report = new RaceReport();
        do {
            MemberTypes types = new MemberTypes();
            Reading reading = new Reading(Selection.ALL);
            report.addTo(reading, types);
            read(trace, reading, types);
        } while (report.needsAnother());
        return report.table(0).rows().stream()
                .filter(row -> row[1].toString().matches(certain))
                .toList();
    }

    /** Returns the ways to race, of those that the program has, that are certain to be found. */
    private Set<String> found(String program) throws Exception {
        Set<String> found = new TreeSet<>();
        for (Object[] row : races(record(program, "race_"))) {
            String data = row[2].toString();
            assertTrue(data.contains("raced") || data.contains("field"), data);
            found.add(row[4].toString().replaceFirst("[+ ].*", ""));
            found.add(row[7].toString().replaceFirst("[+ ].*", ""));
        }
        found.removeIf(name -> !name.startsWith("race_"));
        return found;
    }

    @Test
    void shouldFindRaces() throws Exception {
        assertEquals(
                Set.of(
                        "race_behind_unlock",
                        "race_checked_twice",
                        "race_copies",
                        "race_heap",
                        "race_one_barrier",
                        "race_plain",
                        "race_readers_write",
                        "race_signal_alone",
                        "race_two_locks",
                        "race_with_main"),
                found("races"));
        assertEquals(
                Set.of(
                        "race_bits_of_a_word",
                        "race_cleared",
                        "race_lock_not_got",
                        "race_lock_of_each",
                        "race_overlapping_parts",
                        "race_published",
                        "race_reader_without",
                        "race_semaphore_of_two",
                        "race_struct_copied",
                        "race_with_the_one_not_joined",
                        "race_written_outside"),
                found("orders"));
        assertEquals(
                Set.of("race_behind", "race_both_send", "race_other_connection", "race_other_pipe"),
                found("handed"));
    }

    /** Threads come one behind the other by locks, by atomics, by waiting, and by the kernel. */
    @ParameterizedTest
    @ValueSource(strings = {"races", "orders", "handed"})
    void shouldFindNoRaceWhereThereIsNone(String program) throws Exception {
        Path trace = record(program, "clean_");
        assertEquals(
                List.of(),
                races(trace).stream()
                        .map(row -> row[2] + " " + row[4] + " " + row[7])
                        .toList());
    }

    /** A shell's children use its memory before they execute something, and it waits meanwhile. */
    @Test
    void shouldNotTakeAChildOfVforkForAThread() throws Exception {
        Path trace = recordFile(
                "accesses,locks", Path.of("/bin/dash"), "-c", "/bin/true; x=5; /bin/true; : $x");
        List<Object[]> all = races(trace, ".*");
        assertEquals(List.of(), all.stream().map(row -> row[2] + " " + row[4]).toList());
        MadtRun run = MadtRun.madt(directory, "races", trace.toString()).expect(0);
        assertTrue(run.errors().contains("no race among"), run.errors());
        assertTrue(run.errors().contains(" is 1 of 3 traces of its run"), run.errors());
    }

    /** The compiler's atomic loads are plain moves: all that tells of them is that one waits. */
    @Test
    void shouldDoubtForWhatThreadsWait() throws Exception {
        Path trace = record("orders", "clean_ring");
        Set<String> data = Set.copyOf(dataOf(trace, "maybe"));
        // which of two threads was first is not known in between, so for the ring it is doubtful,
        // too
        assertTrue(Set.of("head", "tail", "ring[]").containsAll(data), data::toString);
        assertTrue(data.contains("head") || data.contains("tail"), data::toString);
        MadtRun run = MadtRun.madt(directory, "races", trace.toString()).expect(0);
        assertTrue(run.errors().contains("maybe: a thread loads again and again"), run.errors());
        assertFalse(run.text().contains(" yes "), run.text());
    }

    private static List<String> dataOf(Path trace, String certain) throws Exception {
        return races(trace, certain).stream()
                .map(row -> row[2].toString())
                .distinct()
                .toList();
    }

    /** Has an OpenMP program made of a source. */
    private Path team(String compiler, String program) throws Exception {
        Path file = directory.resolve(program);
        Path source = MadtRun.root().resolve("testprogs/teams/" + program + ".c");
        List<String> command = new ArrayList<>(List.of(compiler.split(" ")));
        command.addAll(List.of("-g", "-fopenmp", "-o", "" + file, "" + source));
        MadtRun.command(directory, command).expect(0);
        return file;
    }

    /** Does so by the names of what teams run, and in a program without names. */
    @ParameterizedTest
    @ValueSource(strings = {"gcc -O2", "clang -O1"})
    void shouldKnowWhatOrdersTeamsOfThreads(String compiler) throws Exception {
        Path raced = team(compiler, "raced");
        assertEquals(
                Set.of("raced_sum", "raced_cells[]"),
                Set.copyOf(dataOf(recordFile("accesses,locks", raced), "yes")));
        Path program = team(compiler, "ordered");
        assertEquals(List.of(), dataOf(recordFile("accesses,locks", program), ".*"));
        MadtRun.command(directory, List.of("strip", "" + program)).expect(0);
        assertEquals(List.of(), dataOf(recordFile("accesses,locks", program), ".*"));
    }

    @Test
    void shouldShowBytesThatAreAlikeInOneRow() throws Exception {
        Path program = team("gcc -O1", "raced");
        MadtRun.command(directory, List.of("strip", "" + program)).expect(0);
        Path trace = recordFile("accesses,locks", program);
        assertEquals(List.of(), dataOf(trace, "yes"), "without types");
        List<String> data = dataOf(trace, "maybe");
        assertTrue(
                data.stream().allMatch(name -> name.matches("\\[\\.bss]\\+\\d+( to \\+\\d+)?")),
                data::toString);
        assertTrue(data.stream().anyMatch(name -> name.contains(" to ")), data::toString);
        assertTrue(data.size() <= 4, data::toString);
        List<String> shared = MadtRun.madt(directory, "sharing", "--columns", "data", "" + trace)
                .expect(0)
                .text()
                .lines()
                .toList();
        assertTrue(shared.size() < 20, shared::toString);
    }

    @Test
    void shouldNameWhatLiesOnTheStackOfAnotherThread() throws Exception {
        String program = MadtRun.program("locks/captured").toString();
        Recorder recorder =
                new Recorder(directory).with("--stack", "--record", "accesses,locks", "-f");
        recorder.run(program).expect(0);
        String trace = recorder.trace().toString();
        assertEquals(List.of("main:counter"), dataOf(recorder.trace(), ".*"));
        List<String> rows = MadtRun.madt(
                        directory,
                        "report",
                        "--columns",
                        "loads,stores,symbol",
                        "--format",
                        "csv",
                        trace)
                .expect(0)
                .text()
                .lines()
                .filter(row -> row.contains(",main:"))
                .toList();
        assertTrue(rows.contains("4001,4001,main:counter"), rows::toString);
        assertTrue(rows.stream().anyMatch(row -> row.endsWith(",main:done")), rows::toString);
        // lines are certain: no thread is known to be where another one sees it
        long certain = MadtRun.madt(directory, "print", trace)
                .expect(0)
                .text()
                .lines()
                .filter(line -> line.contains(":main:counter"))
                .count();
        assertEquals(2, certain, "main's own");
    }

    /** Returns what a thread's stack was at each of its accesses in a race, by the data. */
    private static Map<String, Set<String>> stacks(List<Object[]> races, String began) {
        Map<String, Set<String>> stacks = new TreeMap<>();
        for (Object[] race : races) {
            for (int side = 10; side <= 11; side++) {
                String calls = race[side].toString();
                if (calls.endsWith(began)) {
                    stacks.computeIfAbsent(race[2].toString(), absent -> new TreeSet<>())
                            .add(calls);
                }
            }
        }
        return stacks;
    }

    @Test
    void shouldTellTheCallsOfBothAccesses() throws Exception {
        Path trace = recordOf("accesses,locks,calls", "paths");
        List<Object[]> rows = races(trace);
        for (Object[] row : rows) {
            boolean first = row[10].toString().endsWith("first");
            String other = first ? "second" : "first";
            assertTrue(
                    row[11].toString().endsWith(other),
                    () -> row[2] + ": " + row[10] + " and " + row[11]);
        }
        assertEquals(
                Map.of(
                        "raced", Set.of("add ← left ← first"),
                        "deep", Set.of("down ← down ← down ← left ← first"),
                        "filled", Set.of("fill ← left ← first"),
                        "after", Set.of("first")),
                stacks(rows, "first"));
        assertEquals(
                Map.of(
                        "raced", Set.of("add ← right ← second"),
                        "deep", Set.of("down ← right ← second"),
                        "filled", Set.of("empty ← right ← second"),
                        "after", Set.of("late ← second")),
                stacks(rows, "second"));
    }

    @Test
    void shouldShowCallsBelowTheRows() throws Exception {
        Path trace = recordOf("accesses,locks,calls", "paths");
        String all = MadtRun.madt(directory, "races", trace.toString()).text();
        long rows = all.lines().filter(line -> line.contains(" raced ")).count();
        assertTrue(rows > 0, all);
        assertTrue(all.contains("\n        first calls: add ← "), all);
        assertTrue(all.contains("\n        second calls: add ← "), all);
        String some = MadtRun.madt(
                        directory, "races", "--columns", "data,second_calls", trace.toString())
                .text();
        assertTrue(some.startsWith("data\n"), some);
        assertTrue(some.contains("second calls: add ← ") && !some.contains("first calls"), some);
        String none = MadtRun.madt(directory, "races", "--columns", "data", trace.toString())
                .text();
        assertTrue(!none.contains("calls"), none);
        String json = MadtRun.madt(directory, "races", "--format", "json", trace.toString())
                .text();
        assertTrue(json.contains(": [\"add\", \"left\", \"first\"]"), json);
        assertTrue(json.contains(": [\"add\", \"right\", \"second\"]"), json);
        String csv = MadtRun.madt(directory, "races", "--format", "csv", trace.toString())
                .text();
        assertTrue(csv.lines().findFirst().orElse("").endsWith(",first_calls,second_calls"), csv);
        assertTrue(csv.contains("add ← left ← first") && csv.contains("add ← right ← second"), csv);
    }

    @Test
    void shouldSayNothingOfCallsThatAreNotRecorded() throws Exception {
        Path trace = record("paths");
        List<Object[]> rows = races(trace);
        assertTrue(!rows.isEmpty());
        rows.forEach(row -> assertTrue(row[10] == null && row[11] == null));
        String all = MadtRun.madt(directory, "races", trace.toString()).text();
        assertTrue(all.contains(" raced ") && !all.contains("calls"), all);
    }

    private static SharingReport sharing(Path trace) throws Exception {
        MemberTypes types = new MemberTypes();
        Reading reading = new Reading(Selection.ALL);
        SharingReport report = new SharingReport();
        report.addTo(reading, types);
        read(trace, reading, types);
        return report;
    }

    @Test
    void shouldFindLinesThatAreSharedForNothing() throws Exception {
        SharingReport report = sharing(record(
                "lines", "narrow", "flags", "pair", "block", "reader", "sums", "locked", "bodies"));
        assertEquals(11, report.wronglyShared(), "one of each, and 4 of bodies");
        assertTrue(report.sentences(true).get(0).startsWith("11 lines of 64 bytes are shared for"));
        List<String> written = report.table(true, false, 11).rows().stream()
                .map(row -> {
                    assertTrue(row[6].toString().contains("not the same data"), "" + row[6]);
                    assertTrue(
                            row[6].toString().matches("thread .*stores to .*; thread .*"),
                            "" + row[6]);
                    assertTrue(row[7].toString().contains("alignas(64), padding"), "" + row[7]);
                    return row[5].toString();
                })
                .toList();
        for (String name : List.of(
                "narrow[0].count",
                "flag",
                "pair.left",
                "[1]",
                "beside.count",
                ".xy",
                "locked.hits",
                "[2].mass")) {
            assertTrue(written.stream().anyMatch(one -> one.contains(name)), written::toString);
        }
    }

    /** Two threads add to one variable by turns, or each to its own one beside the other's. */
    @Test
    void shouldTellFalseMovesFromTrueOnes() throws Exception {
        Path trace = record("lines", "one", "narrow");
        Map<String, Long> moves = new TreeMap<>();
        Map<String, Long> wrong = new TreeMap<>();
        for (Object[] row : sharing(trace).table(true, false, 0).rows()) {
            String name = row[5].toString().replaceFirst(".*?\\d+: (\\w+).*", "$1");
            moves.merge(name, (long) row[0], Long::sum);
            wrong.merge(name, (long) row[1], Long::sum);
        }
        for (String name : List.of("one_for_all", "turn")) {
            assertTrue(moves.get(name) > 0, moves::toString);
            assertEquals(0, wrong.get(name), name);
        }
        assertTrue(moves.get("narrow") > 0, moves::toString);
        assertEquals(moves.get("narrow"), wrong.get("narrow"));
    }

    @Test
    void shouldShowTwentyLinesUnlessItIsSaidHowMany() throws Exception {
        String trace = record("lines", "many").toString();
        List<String> command = List.of("sharing", "--lines", "--columns", "moves,line", trace);
        MadtRun usual = MadtRun.madt(directory, command.toArray(new String[0]));
        assertEquals(20, usual.text().split(" 0x", -1).length - 1, usual.text());
        assertTrue(usual.text().contains("\n… "), usual.text());
        for (String more : List.of("--top=30", "--format=csv")) {
            List<String> words = new ArrayList<>(command);
            words.add(1, more);
            String text = MadtRun.madt(directory, words.toArray(new String[0])).text();
            assertTrue(text.split("0x", -1).length - 1 >= 30, text);
        }
    }

    @Test
    void shouldFindNoneWhereLinesAreApart() throws Exception {
        SharingReport report = sharing(record(
                "lines",
                "wide",
                "flags_apart",
                "pair_apart",
                "block_apart",
                "one",
                "sums_apart",
                "locked_apart",
                "halves"));
        assertEquals(0, report.wronglyShared(), () -> report.table(true, false, 9).rows().stream()
                .map(row -> row[5] + " " + row[7])
                .toList()
                .toString());
    }

    @Test
    void shouldSayWhatKeepsThreadsApart() throws Exception {
        SharingReport report = sharing(record("accounts"));
        Map<String, Object[]> rows = new HashMap<>();
        for (Object[] row : report.table(false, false, 0).rows()) {
            rows.put(plain(row[6]), row);
        }
        under(rows, "[].balance?", "its own [].m?", 0);
        under(rows, "halves.left", "first", 0);
        under(rows, "halves.right", "second", 0);
        under(rows, "cells[]", "one of stripes[]", 0);
        under(rows, "operations", "atomic", 0);
        under(rows, "in_part[]", "no lock in part; first", 16);
        under(rows, "bare", "no lock", 8);
        under(rows, "mates.counted", "atomic", 0);
        under(rows, "mates.beside", "no lock", 4);
        under(rows, "in_turn", "one thread at a time", 0);
        under(rows, "mixed", "first", 0);
        under(rows, "by_readers", "no lock (table for reading)", 8);
        under(rows, "by_writers", "table", 0);
        under(rows, "limit", "only read at a time", 0);
        under(rows, "told", "only read at a time", 0);
        under(rows, "early", "no lock", 8);
        under(rows, "__libc_single_threaded", "the C library's", 0);
        assertEquals(3 * 200 + 20, (long) rows.get("[].balance?")[0] - 3 * 200);
        assertTrue(
                rows.keySet().stream()
                        .noneMatch(name -> name.matches("all|first|second|table|stripes.*")),
                rows::toString);
        assertTrue(report.sentences(false).get(0).contains("--locks shows them"));
        Set<Object> locks = new TreeSet<>();
        report.table(false, true, 0).rows().stream()
                .filter(row -> row[7].equals("(a lock)"))
                .forEach(row -> locks.add(plain(row[6])));
        assertTrue(locks.containsAll(Set.of("first", "second", "stripes[]")), locks::toString);
    }

    /** Leaves out what linkers add to names, and calls that blocks are named by. */
    private static String plain(Object name) {
        return name.toString().replaceAll("_ZL\\d+|^<[^>]*>", "").replaceAll("\\._M_i$", "");
    }

    private static void under(
            Map<String, Object[]> rows, String data, String under, long unguarded) {
        assertTrue(rows.containsKey(data), () -> data + " is not in " + rows.keySet());
        assertEquals(under, plain(rows.get(data)[7]), data);
        assertEquals(unguarded, rows.get(data)[3], data);
    }

    /** Moves lines as the protocol says, with a state for each thread and line. */
    private static final class Caches extends QuietConsumer {
        private final Map<Long, Set<Integer>> sharers = new HashMap<>();
        private final Map<Long, Integer> changed = new HashMap<>();
        private final Map<Long, Long> moves = new TreeMap<>();
        /** Threads that touched each line, in their order; of each byte, and those that stored. */
        private final Map<Long, Set<Integer>> came = new HashMap<>();

        private final Map<Long, Set<Integer>> touched = new HashMap<>();
        private final Map<Long, Set<Integer>> wrote = new HashMap<>();

        @Override
        public void access(long number, int thread, AccessSite site, boolean store, long address) {
            long end = address + Math.max(1, site.size());
            for (long at = address; at < end; at++) {
                add(came, at & -64, thread);
                add(touched, at, thread);
                if (store) {
                    add(wrote, at, thread);
                }
            }
            long last = end - 1 & -64;
            for (long line = address & -64; line <= last; line += 64) {
                touch(line, thread, store);
            }
        }

        private static void add(Map<Long, Set<Integer>> to, long key, int thread) {
            to.computeIfAbsent(key, absent -> new LinkedHashSet<>()).add(thread);
        }

        private String drawn(long line) {
            List<Integer> writers = came.get(line).stream()
                    .filter(thread -> LongStream.range(line, line + 64)
                            .anyMatch(at -> wrote.getOrDefault(at, Set.of()).contains(thread)))
                    .toList();
            StringBuilder letters = new StringBuilder();
            for (long at = line; at < line + 64; at++) {
                Set<Integer> by = wrote.getOrDefault(at, Set.of());
                Set<Integer> users = touched.getOrDefault(at, Set.of());
                String one = by.size() != 1
                        ? ""
                        : "" + (char) ('A' + writers.indexOf(by.iterator().next()));
                letters.append(
                        users.isEmpty()
                                ? "."
                                : by.isEmpty()
                                        ? ":"
                                        : by.size() > 1
                                                ? "*"
                                                : users.size() > 1
                                                        ? one.toLowerCase(Locale.ROOT)
                                                        : one);
            }
            return letters.toString();
        }

        private void touch(long line, int thread, boolean store) {
            Set<Integer> has = sharers.computeIfAbsent(line, absent -> new HashSet<>());
            boolean others = has.size() > (has.contains(thread) ? 1 : 0);
            boolean dirty = changed.containsKey(line) && changed.get(line) != thread;
            if (store && others || !store && !has.contains(thread) && dirty) {
                moves.merge(line, 1L, Long::sum);
            }
            if (store) {
                has.clear();
                changed.put(line, thread);
            } else if (dirty) {
                changed.remove(line);
            }
            has.add(thread);
        }
    }

    @Test
    void shouldCountTheMovesOfLinesAsASimulationDoes() throws Exception {
        Path trace = record("ordered", "3", "3001", "mutex");
        Caches caches = TraceFileMerged.read(trace, new Caches());
        SharingReport report = sharing(trace);
        Map<Long, Long> told = new TreeMap<>(report.movesByLine());
        assertTrue(told.values().stream().mapToLong(Long::longValue).sum() > 10, told::toString);
        assertEquals(caches.moves, told);
        for (Object[] row : report.table(true, false, 0).rows()) {
            assertEquals(caches.drawn(Long.decode("" + row[4])), "" + row[8], "" + row[4]);
        }
    }

    /** Feeds traces in the order of time. */
    private static final class TraceFileMerged {
        static Caches read(Path trace, Caches caches) throws Exception {
            TraceFile.read(trace, new TimeMerge(caches));
            return caches;
        }
    }

    @Test
    void shouldSayWhatATraceLacks() throws Exception {
        Recorder recorder = new Recorder(directory);
        recorder.run(MadtRun.program("locks/lines").toString(), "pair").expect(0);
        String trace = recorder.trace().toString();
        for (String command : List.of("races", "locks")) {
            MadtRun run = MadtRun.madt(directory, command, trace);
            assertEquals(1, run.status(), run.errors());
            assertTrue(run.errors().contains("has no locks"), run.errors());
        }
        MadtRun shared = MadtRun.madt(directory, "sharing", trace);
        assertTrue(shared.errors().contains("the trace has no locks"), shared.errors());
        String locks = directory.resolve("l.madt").toString();
        String program = MadtRun.program("locks/lines").toString();
        MadtRun summary = MadtRun.madt(
                        directory, "run", "-o", locks, "--record", "locks", "--", program, "pair")
                .expect(0);
        String named =
                MadtRun.madt(directory, "locks", "--format", "csv", locks).text();
        assertTrue(named.contains("the loader's lock +"), named);
        long all = named.lines()
                .filter(line -> line.contains(",mutex,"))
                .mapToLong(line -> Long.parseLong(line.split(",")[2]))
                .sum();
        String counted = all + " lock acquisition" + (all == 1 ? "" : "s") + ", complete";
        assertTrue(all > 0 && summary.errors().contains(": " + counted), summary.errors());
        String info = MadtRun.madt(directory, "info", locks).text();
        assertTrue(info.matches("(?s).*\nacquisitions +" + all + "\n.*"), info);
        for (String command : List.of("races", "sharing")) {
            MadtRun run = MadtRun.madt(directory, command, locks);
            assertTrue(run.errors().contains("has no accesses"), run.errors());
        }
    }
}
