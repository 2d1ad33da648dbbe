package dev.madt.graph;

import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.local.SourceFrame;
import dev.madt.trace.code.CodeGraph;
import dev.madt.trace.code.CodeGraph.Block;
import dev.madt.trace.code.CodeGraph.Edge;
import dev.madt.trace.code.CodeGraph.Function;
import dev.madt.trace.code.CodeGraph.Insn;
import dev.madt.trace.code.EdgeKind;
import dev.madt.view.graph.FlowGraph;
import dev.madt.view.graph.FlowGraph.Line;
import dev.madt.view.graph.FlowGraph.Node;
import dev.madt.view.graph.FlowGraph.Way;
import dev.madt.view.graph.SiteCounts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Makes the graph of a function ready to be drawn: with names, source lines, and counts. */
public final class FunctionGraph {
    private final ModuleGraph module;
    private final CodeGraph graph;
    private final DebugInfo debug;
    private final SiteCounts counts;
    private final Function function;
    private final List<Insn> insns;
    private int next;
    private String source;

    private FunctionGraph(ModuleGraph module, CodeGraph graph, DebugInfo debug, SiteCounts counts) {
        this.module = module;
        this.graph = graph;
        this.debug = debug;
        this.counts = counts;
        function = graph.functions().get(0);
        insns = graph.insns();
    }

    /**
     * Returns the graph of the function that begins at an address.
     *
     * @param debug null: no source lines
     * @param counts null: no trace
     */
    public static FlowGraph of(ModuleGraph module, long start, DebugInfo debug, SiteCounts counts)
            throws IOException {
        return new FunctionGraph(module, module.at(start), debug, counts).make();
    }

    private FlowGraph make() {
        List<Node> nodes = new ArrayList<>();
        for (Block block : graph.blocks(function)) {
            source = "";
            long count = FlowGraph.UNKNOWN;
            List<Line> lines = new ArrayList<>();
            for (; next < insns.size() && insns.get(next).address() < block.end(); next++) {
                Insn insn = insns.get(next);
                lines.add(line(insn));
                count = Math.max(count, count(insn));
            }
            nodes.add(new Node(
                    block.number(),
                    block.start(),
                    block.end(),
                    block.ends(),
                    block.front(),
                    block.behind(),
                    lines,
                    graph.edges(block).stream().map(this::way).toList(),
                    count));
        }
        return new FlowGraph(
                module.shown(function),
                module.name(),
                function.start(),
                function.end(),
                nodes,
                counts != null);
    }

    /** Asks the trace; what accesses several places at once is no measure of how often it ran. */
    private long count(Insn insn) {
        String text = insn.text();
        return counts == null
                        || text.startsWith("rep")
                        || text.contains("gather")
                        || text.contains("scatter")
                ? FlowGraph.UNKNOWN
                : counts.at(insn.address() - function.start());
    }

    private Line line(Insn insn) {
        String at = source(debug, insn.address());
        String shown = at.equals(source) ? "" : at;
        source = at;
        boolean inside = insn.refers() >= function.start() && insn.refers() < function.end();
        String note = insn.refers() == 0 || inside ? "" : named(insn.refers());
        return new Line(insn.address(), insn.text(), note, shown);
    }

    /** Returns file and line of an address; empty if nobody knows. */
    static String source(DebugInfo debug, long address) {
        List<SourceFrame> frames = debug == null ? List.of() : debug.frames(address);
        if (frames.isEmpty() || frames.get(0).file() == null || frames.get(0).line() == 0) {
            return "";
        }
        String file = frames.get(0).file();
        return file.substring(file.lastIndexOf('/') + 1) + ":" + frames.get(0).line();
    }

    private String named(long address) {
        String code = module.nameAt(address);
        return code.isEmpty() ? module.dataAt(address) : code;
    }

    private Way way(Edge edge) {
        String place = edge.block() >= 0
                ? ""
                : edge.kind() == EdgeKind.UNKNOWN ? "?" : outside(edge.address());
        return new Way(edge.block(), edge.kind(), place);
    }

    private String outside(long address) {
        String name = module.nameAt(address);
        return name.isEmpty() ? "0x" + Long.toHexString(address) : name;
    }
}
