package dev.madt.trace.code;

/** Says which way control goes: {@code enum madt_graph_edge_kind}, in its order. */
public enum EdgeKind {
    NEXT("fall"),
    TARGET("jump"),
    CASE("table"),
    CALLED("call"),
    RETURN("return"),
    PAD("exception"),
    UNKNOWN("unknown");

    private static final EdgeKind[] ALL = values();

    private final String word;

    EdgeKind(String word) {
        this.word = word;
    }

    /** @param number as the analyser has it */
    static EdgeKind of(int number) {
        return ALL[number];
    }

    public String word() {
        return word;
    }
}
