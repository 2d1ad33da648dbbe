package dev.madt.trace.layout;

/** Offsets and sizes of {@code madt_graph.h}: control-flow graphs as the analyser writes them. */
public final class GraphLayout {
    public static final long MAGIC = 0x3130677074646dL;
    public static final int NONE = -1;

    private GraphLayout() {}

    /** {@code struct madt_graph}. */
    public static final class Graph {
        public static final int FUNCTIONS = 8;
        public static final int BLOCKS = 12;
        public static final int EDGES = 16;
        public static final int INSNS = 20;
        public static final int TEXT = 24;
        public static final int TEXT_BYTES = 28;
        public static final int BYTES = 32;

        private Graph() {}
    }

    /** {@code struct madt_graph_function}. */
    public static final class Function {
        public static final int START = 0;
        public static final int END = 4;
        public static final int KINDS = 8;
        public static final int FIRST_BLOCK = 12;
        public static final int BLOCKS = 16;
        public static final int UNPROVEN = 20;
        public static final int REASON = 24;
        public static final int BYTES = 28;

        private Function() {}
    }

    /** {@code struct madt_graph_block}. */
    public static final class Block {
        public static final int START = 0;
        public static final int END = 4;
        public static final int FIRST_EDGE = 8;
        public static final int EDGES = 12;
        public static final int ENDS = 14;
        public static final int FRONT = 15;
        public static final int BEHIND = 16;
        public static final int BYTES = 20;

        private Block() {}
    }

    /** {@code struct madt_graph_edge}. */
    public static final class Edge {
        public static final int ADDRESS = 0;
        public static final int BLOCK = 4;
        public static final int KIND = 8;
        public static final int BYTES = 12;

        private Edge() {}
    }

    /** {@code struct madt_graph_insn}. */
    public static final class Insn {
        public static final int ADDRESS = 0;
        public static final int TEXT = 4;
        public static final int REFERS = 8;
        public static final int LENGTH = 12;
        public static final int BYTES = 16;

        private Insn() {}
    }
}
