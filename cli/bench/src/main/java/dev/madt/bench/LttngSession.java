package dev.madt.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A recording session of LTTng-UST (lttng(1)) with the event of {@code bench/lttng}, and the
 * program that comes to it. Its buffers hold all events of a round, so that none is dropped.
 */
final class LttngSession {
    private static final String EVENT = "madt_bench:leaf";
    private static final String CHANNEL = "leaves";
    private static final int SECONDS = 10;

    private final String name = "madtbench" + ProcessHandle.current().pid();
    private final MeasuredProgram program;
    /** Of its own; null where one runs already. */
    private Process daemon;

    private LttngSession(MeasuredProgram program) {
        this.program = program;
    }

    /**
     * Returns one that is ready; null where LTTng is not there or refuses.
     *
     * @param folder for the program and what is recorded
     */
    static LttngSession open(Path home, Path folder) throws IOException, InterruptedException {
        MeasuredProgram program = MeasuredProgram.compiled(
                home,
                "lttng/calls_lttng.c",
                folder.resolve("calls_lttng"),
                "-I" + home.resolve("madt-native/bench/lttng"),
                "-llttng-ust",
                "-ldl");
        if (program == null || !InstalledPrograms.has("lttng")) {
            return null;
        }
        LttngSession session = new LttngSession(program);
        if (session.begin(folder.resolve("lttng"))) {
            return session;
        }
        session.end();
        return null;
    }

    private boolean begin(Path output) throws IOException, InterruptedException {
        if (!lttng("list")) {
            daemon = new ProcessBuilder("lttng-sessiond", "--no-kernel")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            for (int i = 0; i < SECONDS && !lttng("list"); i++) {
                TimeUnit.SECONDS.sleep(1);
            }
        }
        return lttng("create", name, "--output=" + output)
                && lttng(
                        "enable-channel",
                        "-u",
                        "-s",
                        name,
                        "--subbuf-size=8M",
                        "--num-subbuf=8",
                        CHANNEL)
                && lttng("enable-event", "-u", "-s", name, "-c", CHANNEL, EVENT);
    }

    private static boolean lttng(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("lttng", "--no-sessiond", "--quiet"));
        command.addAll(List.of(words));
        return InstalledPrograms.succeeds(command);
    }

    /** Returns the program, whose events are off but in {@link #recorded}. */
    MeasuredProgram program() {
        return program;
    }

    /** Returns the words in front of the program's, so that its events are recorded. */
    List<String> recorded() {
        String script = "lttng -q start %s && \"$0\" \"$@\" && lttng -q stop %s";
        return List.of("sh", "-c", String.format(script, name, name));
    }

    void end() throws IOException, InterruptedException {
        lttng("destroy", name);
        if (daemon != null) {
            daemon.destroy();
            daemon.waitFor();
        }
    }
}
