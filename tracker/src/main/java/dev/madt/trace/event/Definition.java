package dev.madt.trace.event;

import java.util.List;

/**
 * Says what a trace says in front of the events that need it: the address space, symbols, source
 * lines, types and frames (docs/FORMAT.md, sections MAPS, SYMS, SRCS, DECL, TYPS and LOCS). It
 * holds for the events behind it.
 */
public sealed interface Definition {
    /** Regions that overlap the range are gone. */
    record RegionsForgotten(long start, long end) implements Definition {}

    /**
     * A range of the address space.
     *
     * @param protection 1 readable, 2 writable, 4 executable
     * @param origin the address that offsets in lines count from
     * @param label what lines print, such as {@code [heap]}
     */
    record Region(RegionKind kind, int protection, long start, long end, long origin, String label)
            implements Definition {}

    /** Symbols that overlap the range are gone, and the types of its variables. */
    record SymbolsForgotten(long start, long end) implements Definition {}

    /**
     * A symbol.
     *
     * @param code whether it is a function, not a variable
     * @param size bytes; 0: it reaches to the next one
     */
    record Symbol(boolean code, long address, long size, String name) implements Definition {}

    /**
     * Says where the instruction at an address comes from.
     *
     * @param levels the functions that it belongs to, the innermost inlined one first
     * @param callers lines that all calls of the last one come from, the innermost first, as far as
     *     that is known and wanted: where no level is the author's
     */
    record Source(long code, List<SourceLevel> levels, List<SourceLevel> callers)
            implements Definition {
        /** Without known callers. */
        public Source(long code, List<SourceLevel> levels) {
            this(code, levels, List.of());
        }
    }

    /**
     * Says where the source has a function that it gives no name, such as a lambda.
     *
     * @param function its name for the linker, or that of a function which only calls it
     * @param file path of the source file as the compiler saw it
     */
    record Declared(String function, String file, int line) implements Definition {}

    /**
     * The type with the next number, from 0; it refers to lower ones, unless the trace is
     * malformed.
     */
    record Type(TypeEntry type) implements Definition {}

    /** The variable at an address has a type, by its number, until its symbol is forgotten. */
    record VariableType(long address, int type) implements Definition {}

    /**
     * Says what the words of a template are in which arguments or the result of a call stand.
     *
     * @param more whether the function takes others, which are not named ({@code ...})
     */
    record Arguments(int template, boolean more, List<Argument> all) implements Definition {}

    /** Blocks allocated by the call at an address seem to hold values of a type, by its number. */
    record BlockType(long code, int type) implements Definition {}

    /** Something that lies in frames, with the next number, from 0. */
    record InFrame(FrameVariable variable) implements Definition {}

    /**
     * The scope with the next number, from 0: what lies in a frame at an instruction, by the
     * numbers of {@link InFrame}, the innermost first.
     */
    record FrameScope(List<Integer> variables) implements Definition {}

    /**
     * At the instruction at an address, a scope, by its number, says what lies in the frame; of a
     * call, while it is being made.
     */
    record CodeScope(long code, int scope) implements Definition {}

    /**
     * The instruction at an address is a call.
     *
     * @param target the function that it calls; 0 if it calls through a pointer
     */
    record CallSite(long code, long target) implements Definition {}
}
