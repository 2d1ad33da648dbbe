package dev.madt.resolver.line;

/** Says which lines a {@link LineWriter} writes for an event; with both, the symbolic one first. */
public enum LineOptions {
    SYMBOLIC,
    RAW,
    BOTH;

    boolean symbolic() {
        return this != RAW;
    }

    boolean raw() {
        return this != SYMBOLIC;
    }
}
