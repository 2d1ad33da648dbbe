package dev.madt.duckdb;

import java.nio.file.FileSystemException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in DuckDB's words why a statement cannot be carried out. */
public final class DuckFault extends Exception {
    private static final long serialVersionUID = 1;

    /** Also as a part of a text in JSON. */
    private static final Pattern UNWRITTEN =
            Pattern.compile("Could not write file \\\\?\"(.*?)\\\\?\": ([^\"\\\\]+)");

    private static final Pattern LIMIT = Pattern.compile("\\([^()/]+/([^()/]+) used\\)");

    /** Begins what a table says of its arguments, behind what DuckDB calls it. */
    static final String OF_ARGUMENT = "argument of a table: ";

    private static final String OF_INPUT = "Invalid Input Error: ";

    DuckFault(String text) {
        super(text);
    }

    /** Returns whether the statement itself is wrong, and not what happened as it ran. */
    public boolean isOfQuery() {
        String text = getMessage();
        return text.startsWith("Parser Error")
                || text.startsWith("Binder Error")
                || text.startsWith("Catalog Error")
                || text.startsWith("Syntax Error")
                || text.startsWith(OF_INPUT + OF_ARGUMENT);
    }

    /** Returns what is wrong, without the words that DuckDB has for what tables say. */
    public String reason() {
        String text = getMessage().strip();
        for (String begin : List.of(OF_INPUT + OF_ARGUMENT, OF_INPUT)) {
            if (text.startsWith(begin)) {
                return text.substring(begin.length());
            }
        }
        return text;
    }

    /** Returns whether it was ended by {@link DuckConnection#interrupt}. */
    public boolean isInterrupt() {
        return getMessage().startsWith("INTERRUPT");
    }

    /** Returns whether a temporary file would have needed more room than there is. */
    public boolean isOfTemporaryFiles() {
        return isOfMemory() && getMessage().contains("max_temp_directory_size");
    }

    /** Returns whether it needs more memory, or temporary files, than it may use. */
    public boolean isOfMemory() {
        return getMessage().startsWith("Out of Memory Error");
    }

    /** Returns the size of what it may use, such as "20.0 MiB"; null if that is not said. */
    public String limit() {
        Matcher said = LIMIT.matcher(getMessage());
        return said.find() ? said.group(1) : null;
    }

    /** Returns which file could not be written, and why; null if that is not the fault. */
    public FileSystemException unwritten() {
        Matcher said = UNWRITTEN.matcher(getMessage());
        return said.find()
                ? new FileSystemException(said.group(1), null, said.group(2).strip())
                : null;
    }
}
