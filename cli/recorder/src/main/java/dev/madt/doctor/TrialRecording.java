package dev.madt.doctor;

import dev.madt.console.Reason;
import dev.madt.session.Caller;
import dev.madt.session.Engine;
import dev.madt.trace.file.TraceEnds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Records a short program by another madt, started as this one was, and reads the trace. */
public final class TrialRecording {
    private static final List<Path> PROGRAMS =
            List.of(Path.of("/bin/true"), Path.of("/usr/bin/true"), Path.of("/bin/ls"));
    private static final int LIMIT_SECONDS = 120;

    private TrialRecording() {}

    public static MachineFacts.Trial of(Engine engine) throws InterruptedException {
        String program = PROGRAMS.stream()
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse("/bin/true");
        Path folder = null;
        try {
            folder = Files.createTempDirectory("madt-doctor");
            Path trace = folder.resolve("trial.madt");
            String error = record(engine, program, trace, folder.resolve("said"));
            if (error != null) {
                return new MachineFacts.Trial(engine.word(), program, 0, error);
            }
            TraceEnds ends = TraceEnds.read(trace);
            return ends == null
                    ? new MachineFacts.Trial(
                            engine.word(), program, 0, "the trace of " + program + " is incomplete")
                    : new MachineFacts.Trial(
                            engine.word(), program, ends.index().events(), null);
        } catch (IOException e) {
            return new MachineFacts.Trial(engine.word(), program, 0, Reason.of(e));
        } finally {
            remove(folder);
        }
    }

    /** Returns what went wrong, or null. */
    private static String record(Engine engine, String program, Path trace, Path said)
            throws IOException, InterruptedException {
        List<String> command = Caller.launcher();
        command.addAll(
                List.of("run", "--engine", engine.word(), "-o", trace.toString(), "--", program));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        process.getOutputStream().close();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroy();
            return "recording " + program + " has not ended after " + LIMIT_SECONDS + " s";
        }
        if (process.exitValue() == 0) {
            return null;
        }
        String last = Files.readAllLines(said).stream()
                .reduce((before, line) -> line)
                .orElse("nothing was said");
        return "recording " + program + " ended with status " + process.exitValue() + ": " + last;
    }

    private static void remove(Path folder) {
        if (folder == null) {
            return;
        }
        try {
            for (String name : List.of("trial.madt", "said")) {
                Files.deleteIfExists(folder.resolve(name));
            }
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            return; // it lies in the temporary folder
        }
    }
}
