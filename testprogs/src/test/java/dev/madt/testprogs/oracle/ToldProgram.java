package dev.madt.testprogs.oracle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.madt.testprogs.MadtRun;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program that does what it is told by lines, while it is recorded into t.madt. */
final class ToldProgram implements AutoCloseable {
    private final Path directory;
    private final Process recording;
    private final Writer orders;
    private final BufferedReader answers;

    ToldProgram(Path directory, List<String> options, List<String> program) throws IOException {
        this.directory = directory;
        List<String> words = new ArrayList<>(
                List.of(MadtRun.launcher().toString(), "run", "-qf", "-o", "t.madt"));
        words.addAll(options);
        words.add("--");
        words.addAll(program);
        recording = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        orders = recording.outputWriter();
        answers = recording.inputReader();
    }

    /** Has it do something, and waits until it is done. */
    void order(String order) throws IOException {
        orders.write(order + "\n");
        orders.flush();
        assertEquals("done", answers.readLine());
    }

    /** Asks the recording. */
    String ctl(String... words) throws Exception {
        List<String> all = new ArrayList<>(List.of("ctl", Long.toString(recording.pid())));
        all.addAll(List.of(words));
        return MadtRun.repeated(directory, all.toArray(String[]::new)).expect(0).text();
    }

    /** Returns the number of the process that runs the program. */
    long process(Path program) {
        return recording
                .descendants()
                .filter(process -> process.info().command().orElse("").equals(program.toString()))
                .findFirst()
                .orElseThrow()
                .pid();
    }

    /** Has it end. */
    void end() throws Exception {
        orders.close();
        assertEquals(0, recording.waitFor());
    }

    @Override
    public void close() throws IOException {
        orders.close();
        recording.destroy();
    }
}
