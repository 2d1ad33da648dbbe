package dev.madt.bench;

import dev.madt.console.Failure;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures what it costs to record that a free mutex is locked and unlocked
 * ({@code madt-native/bench/locks.c}), beside uprobes of the kernel at both functions, where the
 * user may set them, ltrace of both, helgrind, and ThreadSanitizer. All in one run; the best round
 * counts. Then a program that others wrote: {@link RecordedSharing}.
 */
public final class LocksBenchmark {
    /** The other tools take that much longer. */
    private static final int SLOWER = 100;

    /** Names the uprobes of the C library, as perf does. */
    private static final String GROUP = "probe_libc:";

    private static final List<String> FUNCTIONS =
            List.of("pthread_mutex_lock", "pthread_mutex_unlock");

    /** The other program has so many accesses for each pair of the first one. */
    private static final long ACCESSES = 100;

    private final int repetitions;
    private final int rounds;
    private final Path home = MeasuredProcess.home();

    /** @param pairs of lock and unlock in each round */
    public LocksBenchmark(int pairs, int rounds) {
        this.repetitions = Math.max(SLOWER, pairs);
        this.rounds = rounds;
    }

    public void run(PrintStream out) throws Failure, IOException, InterruptedException {
        Path folder = Files.createTempDirectory("madt-bench");
        Path trace = folder.resolve("bench.madt");
        String name = "madtbench" + ProcessHandle.current().pid();
        String library = library();
        boolean probes = library != null && setProbes(name, library);
        try {
            locks(out, trace, probes ? name : null);
            new RecordedSharing(home.resolve("madt").toString(), folder, rounds)
                    .run(out, ACCESSES * repetitions);
        } finally {
            Files.deleteIfExists(trace);
            Files.delete(folder);
            if (probes) {
                InstalledPrograms.succeeds(
                        List.of("perf", "probe", "-q", "-d", GROUP + name + "*"));
            }
        }
    }

    private void locks(PrintStream out, Path trace, String probes)
            throws Failure, IOException, InterruptedException {
        MeasuredProgram program = new MeasuredProgram(home, "locks");
        int few = repetitions / SLOWER;
        Path compiled = Files.createTempFile("madt-bench", "");
        try {
            locks(out, trace, probes, program, program.withThreadSanitizer(compiled), few);
        } finally {
            Files.delete(compiled);
        }
    }

    private void locks(
            PrintStream out,
            Path trace,
            String probes,
            MeasuredProgram program,
            MeasuredProgram sanitized,
            int few)
            throws Failure, IOException, InterruptedException {
        MeasuredProgram.Run[] best = new MeasuredProgram.Run[7];
        for (int i = 0; i < rounds; i++) {
            best[0] = program.alone(repetitions).better(best[0]);
            best[1] = program.run(madt(trace), false, repetitions).better(best[1]);
            best[2] = program.run(madt(trace), true, repetitions).better(best[2]);
            if (probes != null) {
                List<String> perf = List.of("perf", "stat", "-e", GROUP + probes + "*");
                best[3] = program.run(perf, false, few).better(best[3]);
            }
            if (InstalledPrograms.has("valgrind")) {
                List<String> helgrind = List.of("valgrind", "-q", "--tool=helgrind");
                best[4] = program.run(helgrind, false, few).better(best[4]);
            }
            if (sanitized != null) {
                best[5] = sanitized.alone(few).better(best[5]);
            }
            if (InstalledPrograms.has("ltrace")) {
                List<String> ltrace =
                        List.of("ltrace", "-o", "/dev/null", "-e", String.join("+", FUNCTIONS));
                best[6] = program.run(ltrace, false, few).better(best[6]);
            }
        }
        out.println("ns for lock and unlock of a free mutex, best of " + rounds);
        double alone = row(out, "alone", best[0].processor(), repetitions, "");
        double own = row(out, "madt, the thread's own", best[1].processor(), repetitions, "");
        out.printf(
                Locale.ROOT, "%-30s%10.1f   goal: at most 60%n", "  more than alone", own - alone);
        row(out, "madt, until it is written", best[1].finished(), repetitions, "");
        row(out, "madt, read by nobody", best[2].processor(), repetitions, "");
        compare(out, "uprobes at both", best[3], few, own - alone);
        compare(out, "ltrace of both", best[6], few, own - alone);
        compare(out, "helgrind", best[4], few, own - alone);
        compare(out, "ThreadSanitizer, compiled in", best[5], few, own - alone);
    }

    private static double row(PrintStream out, String name, long nanos, long times, String more) {
        double each = nanos / (double) times;
        out.printf(Locale.ROOT, "%-30s%10.1f%s%n", name, each, more);
        return each;
    }

    private static void compare(
            PrintStream out, String name, MeasuredProgram.Run run, long times, double own) {
        if (run == null) {
            out.println(name + ": not there, or not permitted");
            return;
        }
        double ratio = run.time() / (double) times / Math.max(own, 0.1);
        row(out, name, run.time(), times, String.format(Locale.ROOT, "   %.0f times", ratio));
    }

    private List<String> madt(Path trace) {
        List<String> words = new ArrayList<>(List.of(home.resolve("madt").toString(), "run", "-q"));
        words.addAll(List.of("--record", "locks", "--start", "marker", "-f"));
        words.addAll(List.of("-o", trace.toString(), "--"));
        return words;
    }

    /** The C library that this process has, or null. */
    private static String library() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.endsWith("/libc.so.6"))
                .map(line -> line.substring(line.indexOf('/')))
                .findFirst()
                .orElse(null);
    }

    private static boolean setProbes(String name, String library)
            throws IOException, InterruptedException {
        if (!InstalledPrograms.has("perf")) {
            return false;
        }
        for (int i = 0; i < FUNCTIONS.size(); i++) {
            String probe = name + i + "=" + FUNCTIONS.get(i);
            if (!InstalledPrograms.succeeds(List.of("perf", "probe", "-q", "-x", library, probe))) {
                InstalledPrograms.succeeds(
                        List.of("perf", "probe", "-q", "-d", GROUP + name + "*"));
                return false;
            }
        }
        return true;
    }
}
