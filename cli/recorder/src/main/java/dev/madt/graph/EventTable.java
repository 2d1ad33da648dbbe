package dev.madt.graph;

import dev.madt.resolver.dwarf.DebugInfo;
import dev.madt.resolver.elf.StaticOperand;
import dev.madt.resolver.elf.StaticProbe;
import dev.madt.view.toolkit.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The places that the source of modules names for tools: triggers and static tracepoints. */
public final class EventTable {
    /** The columns of rows. */
    public static final List<String> HEADINGS =
            List.of("event", "values", "in", "line", "module", "address", "semaphore");

    private final List<Object[]> rows = new ArrayList<>();

    /** @param debug null: no source lines */
    public void add(ModuleGraph module, DebugInfo debug) {
        for (StaticProbe probe : module.staticProbes()) {
            rows.add(new Object[] {
                probe.place(),
                probe.operands().stream().map(EventTable::form).collect(Collectors.joining(" ")),
                module.nameAt(probe.address()),
                FunctionGraph.source(debug, probe.address()),
                module.name(),
                hexadecimal(probe.address()),
                probe.semaphore() == 0 ? "" : hexadecimal(probe.semaphore())
            });
        }
    }

    private static String form(StaticOperand operand) {
        return switch (operand.form()) {
            case UNSIGNED, SIGNED ->
                (operand.form() == StaticOperand.Form.SIGNED ? "i" : "u") + 8 * operand.bytes();
            default -> operand.form().name().toLowerCase(Locale.ROOT);
        };
    }

    private static String hexadecimal(long address) {
        return "0x" + Long.toHexString(address);
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /**
     * Returns a row for each place.
     *
     * @param top rows at most; 0: all
     */
    public Table table(int top) {
        Table table = new Table("events", HEADINGS).extra(List.of("address", "semaphore"));
        int shown = top > 0 ? Math.min(top, rows.size()) : rows.size();
        rows.subList(0, shown).forEach(table::row);
        return table.hidden(rows.size() - shown);
    }
}
