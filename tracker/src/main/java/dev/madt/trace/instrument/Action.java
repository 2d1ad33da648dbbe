package dev.madt.trace.instrument;

import java.util.List;

/**
 * Says what is done at a hit.
 *
 * @param kind what
 * @param format of a log, else null
 * @param values that are logged, or the one that is counted
 * @param key by which, perhaps the calls that led there; null: by none
 * @param text as typed
 */
public record Action(
        Kind kind, LogFormat format, List<Expression> values, Expression key, String text) {
    /** Actions of an instrument at most; events number them in all of its recording's. */
    public static final int MOST = 8;
    /** Numbers of a function that is called; behind them is how often it broke off. */
    public static final int NUMBERS = 64;
    /** Between a function and its library. */
    static final char OF = '@';

    /** Kinds of actions. */
    public enum Kind {
        /** Hits are counted. */
        COUNT("count"),
        /** Values are told, in a line. */
        LOG("log"),
        /** Values are counted by powers of two. */
        HIST("hist"),
        /** The time of the function is taken, from its entry to its return. */
        TIME("time"),
        SUM("sum"),
        MIN("min"),
        MAX("max"),
        /** Hits are counted by the calls that led to them. */
        STACK("stack"),
        /** A function of the user's is called: {@code call FUNC@LIBRARY}. */
        CALL("call"),
        /** The window of the recording closes. */
        STOP("stop"),
        /** A trace is written of what there is so far. */
        DUMP("dump");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /** Returns how the user calls it. */
        public String word() {
            return word;
        }

        /** Returns whether one value of each hit goes into a table. */
        public boolean tabulates() {
            return this != COUNT && this != LOG && this != CALL && !acts();
        }

        /** Returns whether something is done with the recording. */
        public boolean acts() {
            return this == STOP || this == DUMP;
        }

        /** Returns whether values follow it. */
        boolean takesValues() {
            return this != COUNT && this != TIME && this != STACK && this != CALL && !acts();
        }
    }

    /** Returns whether the keys of its table are slots of values. */
    public boolean hasSlots() {
        return kind == Kind.HIST || kind == Kind.TIME && key == null;
    }

    /** Returns whether what it takes are times: how long calls took, or how far apart hits are. */
    public boolean takesTimes() {
        return kind == Kind.TIME
                || kind == Kind.HIST
                        && values.get(0) instanceof Expression.Taken taken
                        && taken.leaf().kind() == Leaf.Kind.APART;
    }

    /** Returns whether the keys of its table are texts, by their numbers in the trace. */
    public boolean goesByTexts() {
        return key instanceof Expression.Taken taken && taken.leaf().isText();
    }

    /** Returns the calls by which its table goes; null: it goes by something else. */
    public Leaf stack() {
        return key instanceof Expression.Taken taken && taken.leaf().kind() == Leaf.Kind.STACK
                ? taken.leaf()
                : null;
    }

    /** Returns whether it is a log without a text and without values. */
    public boolean tellsAll() {
        return kind == Kind.LOG && values.isEmpty() && format.toString().isEmpty();
    }

    /** Returns the name of the function that is called. */
    public String function() {
        return text.substring(Kind.CALL.word().length(), text.indexOf(OF)).strip();
    }

    /** Returns the file of its library. */
    public String library() {
        return text.substring(text.indexOf(OF) + 1);
    }

    /** Adds a value to what a table has for its key. */
    public long join(long before, Value value) {
        int order = value.unsigned()
                ? Long.compareUnsigned(before, value.bits())
                : Long.compare(before, value.bits());
        return switch (kind) {
            case MIN -> order < 0 ? before : value.bits();
            case MAX -> order > 0 ? before : value.bits();
            default -> before + value.bits();
        };
    }

    /**
     * Returns the slot of a value: 0 for zero, n for values from 2<sup>n-1</sup> on, -n likewise
     * below zero.
     */
    public static long slot(long value) {
        return slot(Value.of(value));
    }

    /** Returns the slot of a value that may have no sign. */
    public static long slot(Value value) {
        boolean negative = !value.unsigned() && value.bits() < 0;
        long size = negative ? -value.bits() : value.bits();
        int bits = Long.SIZE - Long.numberOfLeadingZeros(size);
        return negative ? -bits : bits;
    }
}
