package dev.madt.view.graph;

import dev.madt.trace.code.BlockEnd;
import dev.madt.trace.code.EdgeKind;
import dev.madt.trace.code.InstrumentReason;
import java.util.List;
import java.util.Locale;

/**
 * The control-flow graph of a function, ready to be drawn. Addresses are ELF virtual addresses.
 *
 * @param function as it is shown
 * @param module its file without folders
 * @param nodes its blocks by their numbers
 * @param traced whether a trace says how often blocks ran
 */
public record FlowGraph(
        String function, String module, long start, long end, List<Node> nodes, boolean traced) {
    /** The count of a block of which the trace cannot tell how often it ran. */
    public static final long UNKNOWN = -1;

    /**
     * A block.
     *
     * @param lines its instructions
     * @param ways where control goes from it
     * @param count how often it ran; {@link #UNKNOWN} without a trace, too
     */
    public record Node(
            int number,
            long start,
            long end,
            BlockEnd ends,
            InstrumentReason front,
            InstrumentReason behind,
            List<Line> lines,
            List<Way> ways,
            long count) {}

    /**
     * An instruction.
     *
     * @param note what stands at the address that it names; may be empty
     * @param source file and line; empty if unknown, or that of the line before
     */
    public record Line(long address, String text, String note, String source) {}

    /**
     * Says where control goes.
     *
     * @param to number of a block; negative: out of the function, or nobody knows
     * @param place what is there, if it leads out of the function
     */
    public record Way(int to, EdgeKind kind, String place) {}

    /** Returns how often a block ran as texts have it: {@code ?} where nobody knows. */
    public String runs(Node node) {
        return node.count() == UNKNOWN ? "?" : String.format(Locale.ROOT, "%,d", node.count());
    }

    /** For people, what the graph is of. */
    public String facts() {
        FlowLoops loops = new FlowLoops(this);
        return nodes.size() + (nodes.size() == 1 ? " block, " : " blocks, ")
                + loops.count() + (loops.count() == 1 ? " loop, " : " loops, ")
                + (end - start) + " bytes";
    }
}
