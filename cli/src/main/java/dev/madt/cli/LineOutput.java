package dev.madt.cli;

import dev.madt.tracker.EventConsumer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where lines go: standard output or a file. */
final class LineOutput implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final OutputStream out;
    private final LineForm form;

    LineOutput(OutputStream out, LineForm form) {
        this.out = new BufferedOutputStream(out, BUFFER);
        this.form = form;
    }

    /** Opens what {@code --text} names. */
    static LineOutput open(RunOptions options) throws Failure {
        if (options.text().equals("-")) {
            return new LineOutput(new ResultStream(), options.lines());
        }
        Path file = Path.of(options.text());
        OpenOption[] how = options.overwrite()
                ? new OpenOption[] {StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE}
                : new OpenOption[] {StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE};
        try {
            return new LineOutput(Files.newOutputStream(file, how), options.lines());
        } catch (IOException e) {
            throw new Failure(Status.RUN_FAILED, TraceOutputs.unwritable(file, e), e);
        }
    }

    /** What prints the events of one more process. */
    EventConsumer newConsumer() {
        return null;
    }

    /** Lets out what is buffered; a failure shows at the next line. */
    void flush() {
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
