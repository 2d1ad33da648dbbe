package dev.madt.console;

import dev.madt.trace.codec.PrintableText;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes what madt says about its work, line by line with the prefix {@code madt:}, to stderr or a
 * file. Results never go here.
 */
public final class Messages {
    private final PrintStream errors;
    private PrintStream out;
    private boolean quiet;
    private int verbosity;

    public Messages(PrintStream errors) {
        this.errors = errors;
        this.out = errors;
    }

    /** Returns messages that nobody hears, for what says what has been said. */
    public static Messages silent() {
        return new Messages(
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    /** Sends what follows to a file. */
    public void to(Path file) throws Failure {
        try {
            out = new PrintStream(Files.newOutputStream(file), true, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new Failure(Status.RUN_FAILED, "cannot write the log: " + Reason.of(e), e);
        }
    }

    public void quiet(boolean on) {
        quiet = on;
    }

    public void verbosity(int level) {
        verbosity = level;
    }

    /** Says something that the user may have asked not to hear. */
    public void say(String message) {
        if (!quiet) {
            out.println("madt: " + PrintableText.harmlessLines(message));
        }
    }

    /** Says something that only {@code -v} wants to know. */
    public void detail(String message) {
        if (verbosity > 0) {
            out.println("madt: " + PrintableText.harmlessLines(message));
        }
    }

    /** Says that something is wrong, also when quiet. */
    public void error(String message) {
        String harmless = PrintableText.harmlessLines(message); // file names in it may be anything
        out.println("madt: " + harmless);
        if (out != errors && out.checkError()) {
            errors.println("madt: " + harmless);
        }
    }

    /**
     * Draws a line of progress over the one before; an empty text takes it away. Only for
     * terminals.
     */
    void draw(String text) {
        if (!quiet) {
            out.print(text.isEmpty() ? "\r\033[K" : "\r\033[Kmadt: " + text);
            out.flush();
        }
    }

    /** The trace of an error, for {@code -vv} alone. */
    public void trace(Throwable error) {
        if (verbosity > 1) {
            error.printStackTrace(out);
        }
    }
}
