package dev.madt.resolver.line;

import dev.madt.resolver.demangle.Demangler;

/**
 * Says what lines say beyond the paper's format.
 *
 * @param source what stands behind the last field
 * @param fields whether members stand in the place of offsets: {@code table[3][1]} for
 *     {@code table+40}
 * @param tree whether lines of calls are indented by their depth
 * @param names makes the names of functions and variables readable in all fields
 * @param levels makes the names of functions readable in {@link Source#CHAIN}
 */
public record LineDetail(
        Source source, boolean fields, boolean tree, Demangler names, Demangler levels) {
    /** The lines of the paper. */
    public static final LineDetail PLAIN =
            new LineDetail(Source.NONE, false, Demangler.NONE, Demangler.NONE);

    /** Without a tree. */
    public LineDetail(Source source, boolean fields, Demangler names, Demangler levels) {
        this(source, fields, false, names, levels);
    }

    /** Says how much lines tell of the source. */
    public enum Source {
        NONE,
        /** {@code file:line} */
        PLACE,
        /** {@code function (inlined in outer) file:line} */
        CHAIN
    }
}
