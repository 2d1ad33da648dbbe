package dev.madt.testprogs;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code madt run} of a program in a folder, quiet and into {@code t.madt} unless a test wants it
 * otherwise: {@code new Recorder(directory).engine("trap").run("ls", "-l")}.
 */
public final class Recorder {
    private final Path directory;
    private final List<String> options = new ArrayList<>();
    private Path trace;
    private boolean quiet = true;

    public Recorder(Path directory) {
        this.directory = directory;
        this.trace = directory.resolve("t.madt");
    }

    public Recorder engine(String engine) {
        return with("--engine", engine);
    }

    /** Into another trace. */
    public Recorder into(Path file) {
        trace = file;
        return this;
    }

    /** With what the recorder has to say of itself. */
    public Recorder talking() {
        quiet = false;
        return this;
    }

    /** With more options. */
    public Recorder with(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    /** Returns the trace of {@link #run}. */
    public Path trace() {
        return trace;
    }

    public MadtRun run(String... program) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(MadtRun.launcher().toString()));
        command.addAll(words(List.of(program)));
        return MadtRun.command(directory, command);
    }

    /** Returns the words behind {@code madt}, for commands that start it themselves. */
    public List<String> words(List<String> program) {
        List<String> words = new ArrayList<>(List.of("run", "-o", trace.toString()));
        if (quiet) {
            words.add("-q");
        }
        words.addAll(options);
        words.add("--");
        words.addAll(program);
        return words;
    }
}
