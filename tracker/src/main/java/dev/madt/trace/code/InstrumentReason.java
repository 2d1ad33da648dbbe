package dev.madt.trace.code;

/** Says whether an instrument can stand somewhere: {@code enum madt_graph_reason}, in its order. */
public enum InstrumentReason {
    POSSIBLE("yes", "a jump leads to it"),
    NO_ROOM("by a trap", "no room for a jump: each hit traps"),
    UNPROVEN("unproven", "nobody knows that code begins there"),
    DATA("data", "the code reads these bytes as data"),
    FROZEN("frozen", "part of a restartable sequence, or bytes that are read in two ways"),
    STEP("step", "the instruction has to run in its place, alone"),
    IN_PLACE("in place", "the instruction cannot be copied: endbr64, loop, ud2, hlt"),
    OVERLAPS("overlaps", "it shares bytes with an instruction that cannot be copied");

    private static final InstrumentReason[] ALL = values();

    private final String word;
    private final String text;

    InstrumentReason(String word, String text) {
        this.word = word;
        this.text = text;
    }

    /** @param number as the analyser has it */
    static InstrumentReason of(int number) {
        return ALL[number];
    }

    /** Returns what tables print. */
    public String word() {
        return word;
    }

    /** Returns what the word means. */
    public String text() {
        return text;
    }

    /** Returns whether an instrument can stand there, at whatever cost. */
    public boolean possible() {
        return this == POSSIBLE || this == NO_ROOM;
    }
}
