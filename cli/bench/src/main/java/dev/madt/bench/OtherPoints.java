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
 * Measures what a hit of an instrument costs in other tools: a uprobe of the kernel that counts
 * (bpftrace), a function that is patched (uftrace), an event in the source (LTTng-UST), a
 * breakpoint that goes on and a fast tracepoint (gdb). Those that are missing, or that are not
 * permitted, are named.
 */
final class OtherPoints {
    private static final int HITS_PER_REPETITION = 2;
    /** Each takes so many times as long as madt. */
    private static final int LONGER = 20;

    private static final int FAR_LONGER = 200;
    private static final int LONGEST = 10_000;

    /** Libraries that gdbserver has in the program: Debian's, and those of builds of gdb. */
    private static final List<String> AGENTS = List.of(
            "/usr/lib/libinproctrace.so",
            "/usr/lib/x86_64-linux-gnu/libinproctrace.so",
            "/usr/local/lib/libinproctrace.so");

    private final Path home;
    private final Path folder;
    private final int repetitions;
    private final MeasuredProgram program;
    private final LttngSession lttng;
    private final List<Tool> tools = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    /**
     * @param alone the same program without its hits; null: the tool's hits take so much longer
     *     that it does not count
     * @param stops the tool stops the program, so that the clock counts and not its processor time
     * @param like which of madt's rows does the same: count, log, or log at a trigger
     */
    private record Tool(MeasuredHits hits, MeasuredHits alone, boolean stops, int like) {
        double nanoseconds() {
            double all = stops ? hits.clock() : hits.processor();
            return alone == null ? all : all - alone.processor();
        }
    }

    /** @param folder for what the tools write */
    OtherPoints(Path home, Path folder, int repetitions)
            throws Failure, IOException, InterruptedException {
        this.home = home;
        this.folder = folder;
        this.repetitions = repetitions;
        program = new MeasuredProgram(home, "calls");
        lttng = LttngSession.open(home, folder);
        uprobe();
        uftrace();
        events();
        breakpoint();
        fastTracepoint();
    }

    private int times(int slower) {
        return Math.max(1, repetitions / slower);
    }

    /** Tries it once, as it may not be permitted. */
    private void add(
            String name,
            int like,
            int slower,
            boolean stops,
            MeasuredProgram target,
            List<String> words)
            throws IOException, InterruptedException {
        int few = times(slower);
        MeasuredHits hits = new MeasuredHits(
                name, (long) few * HITS_PER_REPETITION, () -> target.run(words, false, few));
        if (!InstalledPrograms.has(name.split(",")[0])) {
            missing.add(name);
            return;
        }
        try {
            hits.measure();
            tools.add(new Tool(hits, null, stops, like));
        } catch (Failure e) {
            missing.add(name);
        }
    }

    private void uprobe() throws IOException, InterruptedException {
        String script = "exec bpftrace -e \"uprobe:$0:leaf { @ = count(); }\" -c \"$0 $1\"";
        List<String> words = List.of("sh", "-c", script);
        add("bpftrace, a uprobe that counts", 0, FAR_LONGER, false, program, words);
    }

    private void uftrace() throws IOException, InterruptedException {
        String data = folder.resolve("uftrace").toString();
        List<String> words = List.of(
                "uftrace", "record", "-P", "leaf", "--no-libcall", "--no-event", "-d", data);
        add("uftrace, calls of one function", 1, LONGER, false, program, words);
    }

    private void events() throws Failure, IOException, InterruptedException {
        String name = "LTTng-UST, an event of three values";
        if (lttng == null) {
            missing.add(name);
            return;
        }
        int few = times(LONGER);
        long hits = (long) few * HITS_PER_REPETITION;
        MeasuredHits off =
                new MeasuredHits("LTTng-UST, off", hits, () -> lttng.program().alone(few));
        MeasuredHits on = new MeasuredHits(
                name, hits, () -> lttng.program().run(lttng.recorded(), false, few));
        tools.add(new Tool(on, off, false, 2));
    }

    private void breakpoint() throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("gdb", "-q", "-batch", "-nx"));
        for (String command : List.of("break leaf", "ignore 1 1000000000", "run")) {
            words.addAll(List.of("-ex", command));
        }
        words.add("--args");
        add("gdb, a breakpoint that goes on", 0, LONGEST, true, program, words);
    }

    /** Its jumps do not reach programs that lie where position-independent ones are loaded. */
    private void fastTracepoint() throws IOException, InterruptedException {
        String name = "gdb, a fast tracepoint of three values";
        Path fixed = folder.resolve("calls_fixed");
        String agent = AGENTS.stream()
                .filter(file -> Files.exists(Path.of(file)))
                .findFirst()
                .orElse("");
        MeasuredProgram target = MeasuredProgram.compiled(home, "calls.c", fixed, "-no-pie");
        if (target == null || agent.isEmpty() || !InstalledPrograms.has("gdbserver")) {
            missing.add(name);
            return;
        }
        Path commands = folder.resolve("tracepoint.gdb");
        String server = "gdbserver --once --wrapper env LD_PRELOAD=" + agent + " -- - ";
        Files.writeString(
                commands,
                String.join(
                        "\n",
                        "set confirm off",
                        "target remote | " + server + fixed + " " + times(LONGEST),
                        "break main",
                        "continue",
                        "ftrace leaf",
                        "actions",
                        "collect $rdi, $rsi, $rdx",
                        "end",
                        "tstart",
                        "continue",
                        ""));
        List<String> words =
                List.of("gdb", "-q", "-batch", "-nx", "-iex", "set sysroot /", "-x", "" + commands);
        add(name, 1, LONGEST, true, target, words);
    }

    void measure() throws Failure, IOException, InterruptedException {
        for (Tool tool : tools) {
            if (tool.alone() != null) {
                tool.alone().measure();
            }
            tool.hits().measure();
        }
    }

    /** Prints a row of each, how many times as long as madt's for the same it takes. */
    void print(PrintStream out, double count, double log, double event) {
        List<String> same = List.of("count", "log", "log at a trigger");
        double[] madt = {count, log, event};
        for (Tool tool : tools) {
            double each = tool.nanoseconds();
            out.printf(
                    Locale.ROOT,
                    "%-41s%8.0f   %.0f times madt's %s%n",
                    tool.hits().name(),
                    each,
                    each / Math.max(madt[tool.like()], 0.1),
                    same.get(tool.like()));
        }
        for (String name : missing) {
            out.println(name + ": not there, or not permitted");
        }
    }

    void end() throws IOException, InterruptedException {
        if (lttng != null) {
            lttng.end();
        }
    }
}
