package dev.madt.view.chains;

import dev.madt.trace.instrument.Action;
import dev.madt.trace.instrument.Instrument;
import dev.madt.view.CallChain;

/**
 * Hits of an instrument that the same calls led to.
 *
 * @param chain the place of the hits innermost; null: it is not known
 * @param value sum, minimum or maximum of the action; hits of one that only counts these
 * @param unsigned whether the value has no sign
 */
public record StackCount(
        Instrument instrument,
        Action action,
        CallChain chain,
        long hits,
        long value,
        boolean unsigned) {
    /** Returns the order of two values. */
    int compareValue(StackCount other) {
        return unsigned
                ? Long.compareUnsigned(value, other.value)
                : Long.compare(value, other.value);
    }

    /** Returns whether values are summed up. */
    public boolean isSum() {
        return action.kind() == Action.Kind.SUM;
    }

    /** Returns whether the action takes a value of each hit. */
    public boolean hasValue() {
        return action.kind() != Action.Kind.STACK;
    }
}
