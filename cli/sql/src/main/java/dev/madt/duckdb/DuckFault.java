package dev.madt.duckdb;

import java.nio.file.FileSystemException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in DuckDB's words why a statement cannot be carried out. */
public final class DuckFault extends Exception {
    private static final long serialVersionUID = 1;

    /** Also as a part of a text in JSON. */
    private static final Pattern UNWRITTEN =
            Pattern.compile("Could not write file \\\\?\"(.*?)\\\\?\": ([^\"\\\\]+)");

    DuckFault(String text) {
        super(text);
    }

    /** Returns whether the statement itself is wrong, and not what happened as it ran. */
    public boolean isOfQuery() {
        String text = getMessage();
        return text.startsWith("Parser Error")
                || text.startsWith("Binder Error")
                || text.startsWith("Catalog Error")
                || text.startsWith("Syntax Error");
    }

    /** Returns whether it was ended by {@link DuckConnection#interrupt}. */
    public boolean isInterrupt() {
        return getMessage().startsWith("INTERRUPT");
    }

    /** Returns which file could not be written, and why; null if that is not the fault. */
    public FileSystemException unwritten() {
        Matcher said = UNWRITTEN.matcher(getMessage());
        return said.find()
                ? new FileSystemException(said.group(1), null, said.group(2).strip())
                : null;
    }
}
