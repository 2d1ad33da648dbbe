package dev.madt.graph;

import dev.madt.modules.FunctionGlob;
import dev.madt.trace.code.CodeGraph;
import dev.madt.trace.code.CodeGraph.Block;
import dev.madt.trace.code.CodeGraph.Function;
import dev.madt.trace.code.InstrumentReason;
import dev.madt.view.toolkit.Table;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The functions of modules, whether instruments can stand in them, and why not. Bytes that several
 * functions have in common count once.
 */
public final class FunctionTable {
    /** The columns of rows. */
    public static final List<String> HEADINGS = List.of(
            "function",
            "symbol",
            "module",
            "address",
            "bytes",
            "blocks",
            "by jump",
            "by trap",
            "without",
            "instrument");

    private static final List<String> REASONS = List.of(
            "instrument", "functions", "share", "bytes", "blocks in front", "blocks behind");

    private final boolean several;
    private final FunctionGlob filter;
    private final List<Object[]> rows = new ArrayList<>();
    private final Map<InstrumentReason, long[]> sums = new EnumMap<>(InstrumentReason.class);
    private long functions;
    private long bytes;
    private long blocks;

    /**
     * @param several whether modules are named
     * @param filter null: all functions
     */
    public FunctionTable(boolean several, FunctionGlob filter) {
        this.several = several;
        this.filter = filter;
    }

    public void add(ModuleGraph module) throws IOException {
        CodeGraph graph = module.all();
        long reach = 0;
        for (Function function : graph.functions()) {
            long from = Math.max(reach, function.start());
            long own = Math.max(0, function.end() - from);
            if (filter == null || filter.matches(module.name(), module.spellings(function))) {
                add(module, function, own, graph.blocks(function));
            }
            reach = Math.max(reach, function.end());
        }
    }

    private void add(ModuleGraph module, Function function, long own, List<Block> all) {
        long jump = 0;
        long trap = 0;
        for (Block block : all) {
            jump += block.front() == InstrumentReason.POSSIBLE ? 1 : 0;
            trap += block.front() == InstrumentReason.NO_ROOM ? 1 : 0;
            sum(block.front())[2]++;
            sum(block.behind())[3]++;
        }
        sum(function.reason())[0]++;
        sum(function.reason())[1] += own;
        functions++;
        bytes += own;
        blocks += all.size();
        rows.add(new Object[] {
            module.shown(function),
            module.symbols(function).get(0),
            module.name(),
            "0x" + Long.toHexString(function.start()),
            function.size(),
            (long) all.size(),
            jump,
            trap,
            all.size() - jump - trap,
            function.reason().word()
        });
    }

    private long[] sum(InstrumentReason reason) {
        return sums.computeIfAbsent(reason, absent -> new long[4]);
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /**
     * Returns a row for each function, by module and address.
     *
     * @param top rows at most; 0: all
     */
    public Table table(int top) {
        Table table = new Table("functions", HEADINGS)
                .extra(several ? List.of("symbol") : List.of("symbol", "module"))
                .spare(List.of("without", "by trap", "by jump"));
        int shown = top > 0 ? Math.min(top, rows.size()) : rows.size();
        rows.subList(0, shown).forEach(table::row);
        return table.hidden(rows.size() - shown);
    }

    /** Returns a row for each answer to whether an instrument can stand there. */
    public Table reasons() {
        Table table = new Table("reasons", REASONS);
        List<InstrumentReason> answers = new ArrayList<>(sums.keySet());
        Collections.sort(answers);
        for (InstrumentReason reason : answers) {
            long[] sum = sums.get(reason);
            table.row(
                    reason.word(),
                    sum[0],
                    new Table.Share(functions == 0 ? 0 : (double) sum[0] / functions),
                    sum[1],
                    sum[2],
                    sum[3]);
        }
        return table.total("all", functions, new Table.Share(1), bytes, blocks, blocks);
    }

    /** For people, in how much of all instruments can stand, and what the words mean. */
    public List<String> sentences() {
        long[] jump = sum(InstrumentReason.POSSIBLE);
        long[] trap = sum(InstrumentReason.NO_ROOM);
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "instruments can stand at the entries of %,d of %,d functions (%.2f %%, with %.2f"
                        + " %% of their bytes), and in front of %,d of %,d blocks (%.2f %%).",
                jump[0] + trap[0],
                functions,
                percent(jump[0] + trap[0], functions),
                percent(jump[1] + trap[1], bytes),
                jump[2] + trap[2],
                blocks,
                percent(jump[2] + trap[2], blocks)));
        sums.keySet().stream()
                .filter(reason -> reason != InstrumentReason.POSSIBLE)
                .filter(reason ->
                        sums.get(reason)[0] + sums.get(reason)[2] + sums.get(reason)[3] > 0)
                .forEach(reason -> lines.add(reason.word() + ": " + reason.text() + "."));
        return lines;
    }

    private static double percent(long part, long whole) {
        return whole == 0 ? 100 : 100.0 * part / whole;
    }
}
