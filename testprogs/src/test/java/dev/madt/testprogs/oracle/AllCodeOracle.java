package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.testprogs.MadtRun;
import dev.madt.testprogs.TraceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The oracle over all code: the loads and stores of every function of every module, stacks and
 * thread-local storage included, from main to the end of the process, in all threads. There are
 * three witnesses:
 *
 * <ol>
 *   <li>callgrind counts reads and writes of every instruction;
 *   <li>Lackey shows every access, with its address: at every instruction as often as callgrind
 *       counts;
 *   <li>MadT's trace has, thread by thread, the sequence that Lackey shows: the same instructions,
 *       sizes and addresses, without what {@link AllCodeRules} name.
 * </ol>
 *
 * So MadT's count of each function is callgrind's, less what the rules say; and none of MadT's own
 * accesses can be in the trace.
 */
final class AllCodeOracle {
    private final Path directory;
    private final Path program;
    private final AllCodeRules rules = new AllCodeRules();

    /**
     * @param directory for the files
     * @param program of oracle/ or src/, linked with oracle/start.c
     */
    AllCodeOracle(Path directory, Path program) {
        this.directory = directory;
        this.program = program;
    }

    /** Says what was compared. */
    record Report(int functions, int modules, long loads, long stores, String excused) {
        @Override
        public String toString() {
            return String.format(
                    "%,d functions of %d modules, %,d loads and %,d stores; not compared: %s",
                    functions, modules, loads, stores, excused);
        }
    }

    /**
     * All three witnesses. Fails with the first difference of the sequences and the functions whose
     * counts differ.
     *
     * @param trapToo engine trap as well, which records nothing on stacks and in the memory of
     *     threads: the rest of Lackey's sequence
     */
    Report agree(boolean trapToo) throws IOException, InterruptedException {
        MadtRun plain =
                MadtRun.command(directory, ValgrindRun.inEnvironment(List.of(program.toString())));
        LackeyThreads lackey = lackey(plain);
        ThreadAccesses ours =
                record(plain, lackey.modules(), "splice", List.of("--stack", "--tls"));
        SequenceComparison comparison = new SequenceComparison(lackey.modules());
        compare(comparison, ours, settled(lackey.modules(), lackey.accesses()));
        Report report = report(ours, lackey, comparison);
        if (trapToo) {
            compare(
                    new SequenceComparison(lackey.modules()),
                    record(plain, lackey.modules(), "trap", List.of()),
                    lackey.offStacks());
        }
        return report;
    }

    private static ThreadAccesses settled(ValgrindModules modules, ThreadAccesses accesses) {
        return accesses.map(access -> AllCodeRules.settled(modules, access));
    }

    private static void compare(
            SequenceComparison comparison, ThreadAccesses ours, ThreadAccesses theirs)
            throws IOException {
        String difference = comparison.difference(ours, theirs);
        if (!difference.isEmpty()) {
            throw new AssertionError(
                    difference + "\n" + comparison.differingFunctions(ours, theirs));
        }
    }

    private LackeyThreads lackey(MadtRun plain) throws IOException, InterruptedException {
        Path log = directory.resolve("lackey.log");
        assertSame(plain, ValgrindRun.lackey(directory, program, log));
        LackeyThreads lackey = LackeyThreads.read(log, program, rules);
        Files.delete(log);
        Path counted = directory.resolve("callgrind.out");
        assertSame(plain, ValgrindRun.callgrind(directory, program, counted));
        compareCounts(lackey, CallgrindCounts.read(counted, lackey.modules()));
        return lackey;
    }

    private static void assertSame(MadtRun plain, MadtRun run) {
        assertEquals(plain.status(), run.status(), () -> "status; stderr: " + run.errors());
        assertArrayEquals(
                plain.output(),
                run.output(),
                () -> "stdout: " + plain.text() + "\n---\n" + run.text());
    }

    private ThreadAccesses record(
            MadtRun plain, ValgrindModules modules, String engine, List<String> options)
            throws IOException, InterruptedException {
        Path trace = directory.resolve("oracle.madt");
        List<String> command = new ArrayList<>(List.of(
                MadtRun.launcher().toString(),
                "run",
                "-q",
                "-f",
                "--engine",
                engine,
                "-o",
                trace.toString()));
        command.addAll(options);
        command.addAll(List.of("--", program.toString()));
        assertSame(plain, MadtRun.command(directory, ValgrindRun.inEnvironment(command)));
        TraceFile.check(trace);
        ThreadAccesses all = TraceFile.read(
                        trace, new TraceThreads(program.getFileName().toString(), modules))
                .accesses();
        return settled(modules, all.without(code -> AllCodeRules.takesOut(modules, code)));
    }

    /**
     * callgrind counts a modification as one write. In the functions of oracle/frames.c its
     * counting is switched.
     */
    private static void compareCounts(LackeyThreads lackey, CallgrindCounts callgrind) {
        Set<ModulePlace> places = new TreeSet<>(lackey.counts().keySet());
        places.addAll(callgrind.counts().keySet());
        List<String> different = new ArrayList<>();
        for (ModulePlace place : places) {
            LackeyThreads.LackeyCount shown =
                    lackey.counts().getOrDefault(place, LackeyThreads.LackeyCount.NONE);
            ThreadAccesses.Count expected =
                    new ThreadAccesses.Count(shown.loads(), shown.stores() + shown.modifications());
            ThreadAccesses.Count counted =
                    callgrind.counts().getOrDefault(place, ThreadAccesses.Count.NONE);
            if (!place.module().equals("libframes.so") && !counted.equals(expected)) {
                different.add(lackey.modules().functionAt(place) + " " + place + ": callgrind "
                        + counted + ", Lackey " + expected);
            }
        }
        assertEquals(List.of(), different);
    }

    private Report report(
            ThreadAccesses ours, LackeyThreads lackey, SequenceComparison comparison) {
        Map<String, ThreadAccesses.Count> functions = comparison.byFunction(ours);
        Set<String> modules = new HashSet<>();
        ours.counts().keySet().forEach(place -> modules.add(place.module()));
        ThreadAccesses.Count all = functions.values().stream()
                .reduce(ThreadAccesses.Count.NONE, ThreadAccesses.Count::plus);
        assertEquals(comparison.compared(), all.loads() + all.stores());
        return new Report(
                functions.size(),
                modules.size(),
                all.loads(),
                all.stores(),
                rules.tally() + String.format(", compared by rule %,d", comparison.adjusted()));
    }
}
