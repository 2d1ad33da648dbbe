package dev.madt.duckdb;

/** Says in DuckDB's words why a statement cannot be carried out. */
public final class DuckFault extends Exception {
    private static final long serialVersionUID = 1;

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
}
