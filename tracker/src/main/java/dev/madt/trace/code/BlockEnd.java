package dev.madt.trace.code;

/** Says how a block ends: {@code enum madt_graph_end}, in its order. */
public enum BlockEnd {
    FALL,
    BRANCH,
    JUMP,
    JUMP_INDIRECT,
    CALL,
    CALL_INDIRECT,
    RETURN,
    STOP;

    private static final BlockEnd[] ALL = values();

    /** @param number as the analyser has it */
    static BlockEnd of(int number) {
        return ALL[number];
    }
}
