package dev.madt.trace.instrument;

import java.util.Set;

/** Says why there can be no words of a leaf, and where in it; and what names are near. */
public final class UnknownLeafException extends Exception {
    private static final long serialVersionUID = 1;
    private final int column;
    private final transient Set<String> known;
    private final String typed;

    public UnknownLeafException(String message, int column, String typed, Set<String> known) {
        super(message);
        this.column = column;
        this.typed = typed;
        this.known = known;
    }

    /** Returns where in the expression it is. */
    public int column() {
        return column;
    }

    /** Returns the name that is not known. */
    public String typed() {
        return typed;
    }

    /** Returns the names that are. */
    public Set<String> known() {
        return known;
    }
}
