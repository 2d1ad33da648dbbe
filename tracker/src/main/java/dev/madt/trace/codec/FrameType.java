package dev.madt.trace.codec;

/** Types of frames; {@link #tag()} is the type as it stands in the file. */
public enum FrameType {
    META("META"),
    MAPS("MAPS"),
    SYMBOLS("SYMS"),
    TEMPLATES("TMPL"),
    SOURCES("SRCS"),
    DECLARATIONS("DECL"),
    TYPES("TYPS"),
    ARGUMENTS("ARGS"),
    LOCALS("LOCS"),
    EVENTS("EVTS"),
    PROCESSES("PROC"),
    INDEX("INDX");

    private final String tag;

    FrameType(String tag) {
        this.tag = tag;
    }

    public String tag() {
        return tag;
    }
}
