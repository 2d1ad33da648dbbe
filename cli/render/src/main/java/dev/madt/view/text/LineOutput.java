package dev.madt.view.text;

import dev.madt.console.Failure;
import dev.madt.console.Reason;
import dev.madt.console.ResultStream;
import dev.madt.console.Status;
import dev.madt.resolver.line.LineDetail;
import dev.madt.resolver.line.LineOptions;
import dev.madt.resolver.line.LineWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Takes lines to where they go: standard output or a file. */
public final class LineOutput implements AutoCloseable {
    private final OutputStream out;
    private final LineForm form;
    private final LineDetail detail;
    private final List<LineWriter> writers = new ArrayList<>();

    public LineOutput(OutputStream out, LineForm form) {
        this(out, form, LineDetail.PLAIN);
    }

    public LineOutput(OutputStream out, LineForm form, LineDetail detail) {
        this.out = out;
        this.form = form;
        this.detail = detail;
    }

    /**
     * Opens what {@code --text} names.
     *
     * @param name a file, or {@code -} for standard output
     * @param overwrite whether a file that exists is replaced
     */
    public static LineOutput open(String name, LineForm form, boolean overwrite) throws Failure {
        if (name.equals("-")) {
            return new LineOutput(new ResultStream(), form);
        }
        Path file = Path.of(name);
        boolean pipe = Files.exists(file) && !Files.isRegularFile(file);
        OpenOption[] how = overwrite || pipe
                ? new OpenOption[] {
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE
                }
                : new OpenOption[] {StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE};
        try {
            return new LineOutput(Files.newOutputStream(file, how), form);
        } catch (IOException e) {
            throw new Failure(Status.RUN_FAILED, Reason.unwritable(file, e), e);
        }
    }

    /** Returns what prints the events of one more process. */
    public LineWriter newConsumer() {
        writers.removeIf(LineWriter::hasEnded);
        LineWriter writer = new LineWriter(out, LineOptions.valueOf(form.name()), detail);
        writers.add(writer);
        return writer;
    }

    /** Lets out what is buffered. */
    public void flush() throws IOException {
        try {
            writers.forEach(LineWriter::flush);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
