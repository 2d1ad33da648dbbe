package dev.madt.resolver.line;

import dev.madt.trace.event.FrameVariable;

/**
 * Says what something in a function's frame is called: {@code main:disp}, {@code main:return},
 * {@code main:saved rbx}; {@code sad.k (in main)} if it is of an inlined function. One for each
 * function and variable.
 */
public final class FrameName {
    private final FrameVariable variable;
    private final String head;
    private final String tail;

    FrameName(FrameVariable variable, AddressSpace.Symbol function, AddressSpace space) {
        this.variable = variable;
        boolean own = variable.function().isEmpty();
        String inlined = own ? "" : space.named(variable.function());
        this.head = own ? function.text() + ':' + variable.name() : inlined + '.' + variable.name();
        this.tail = own ? "" : " (in " + function.text() + ')';
    }

    /** Returns the whole name. */
    public String text() {
        return head + tail;
    }

    /** Returns the name with what says a member of it: {@code sad.k[3] (in main)}. */
    public String text(String path) {
        return head + path + tail;
    }

    /** Returns whether it is a variable or parameter, not what calls leave on the stack. */
    public boolean isVariable() {
        return variable.kind() == FrameVariable.Kind.VARIABLE
                || variable.kind() == FrameVariable.Kind.PARAMETER;
    }

    /** Bytes. */
    public int size() {
        return variable.size();
    }

    /** The number of its type; {@link FrameVariable#NO_TYPE} if unknown. */
    public int type() {
        return variable.type();
    }

    /** Offset of its first byte from the canonical frame address. */
    public int offset() {
        return variable.offset();
    }

    /**
     * Returns what lines call the place at an offset in it of which so many bytes are accessed.
     *
     * @param types null to print offsets
     */
    String place(long offset, long size, MemberTypes types) {
        if (!isVariable()) {
            return offset == 0 ? text() : text() + '+' + offset;
        }
        Members members = types == null ? null : types.ofNumber(variable.type());
        return members == null
                ? text() + '+' + offset
                : text(members.path(offset, size, Members.ALL_INDICES));
    }
}
