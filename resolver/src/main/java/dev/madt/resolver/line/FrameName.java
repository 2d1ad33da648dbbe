package dev.madt.resolver.line;

import dev.madt.trace.event.FrameVariable;

/**
 * Says what something in a function's frame is called: {@code main:disp}, {@code main:return},
 * {@code main:saved rbx}; {@code sad.k (in main)} if it is of an inlined function. One for each
 * function and variable.
 */
public final class FrameName {
    private static final String STUB = "@plt";

    private final FrameVariable variable;
    private final AddressSpace.Symbol frame;
    private final String module;
    private final String inlined;

    /** @param frame the function whose frame it is */
    FrameName(FrameVariable variable, AddressSpace.Symbol frame, AddressSpace space) {
        this.variable = variable;
        this.frame = frame;
        this.module = space.label(frame.address());
        this.inlined = variable.function().isEmpty() ? "" : space.named(variable.function());
    }

    /** Returns the whole name. */
    public String text() {
        return text("");
    }

    /** Returns the name with what says a member of it: {@code sad.k[3] (in main)}. */
    public String text(String path) {
        return text(frame.text(), inlined, path);
    }

    /**
     * Returns the name with functions as somebody spells them.
     *
     * @param inFrame the function whose frame it is
     * @param ofInlined the inlined function that has it; means nothing if none does
     */
    public String text(String inFrame, String ofInlined, String path) {
        if (isVariable()) {
            return ofVariable(inFrame, ofInlined, path);
        }
        // A stub has no frame of its own.
        return (inFrame.endsWith(STUB)
                        ? inFrame.substring(0, inFrame.length() - STUB.length())
                        : inFrame)
                + ':'
                + variable.name();
    }

    private String ofVariable(String inFrame, String ofInlined, String path) {
        return variable.function().isEmpty()
                ? inFrame + ':' + variable.name() + path
                : ofInlined + '.' + variable.name() + path + " (in " + inFrame + ')';
    }

    /** Returns what the linker calls the function whose frame it is. */
    public String frame() {
        return frame.linkerName();
    }

    /** The module of that function, as regions are labelled. */
    public String module() {
        return module;
    }

    /** Returns what the linker calls the inlined function that has it; empty if none does. */
    public String inlined() {
        return variable.function();
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
