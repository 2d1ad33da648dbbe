package dev.madt.view.overview;

import dev.madt.view.defects.Defect;
import dev.madt.view.defects.DefectTable;
import dev.madt.view.toolkit.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Defects as the page shows them: as {@code madt defects} tells them, in fewer columns. */
final class DefectRows {
    private final List<String> keys;

    private DefectRows(List<String> keys) {
        this.keys = keys;
    }

    /** The row to look at first comes first. */
    static Table of(List<Defect> defects) {
        Table all = DefectTable.of(Map.of(Path.of(""), defects), 0);
        DefectRows cells = new DefectRows(all.keys());
        Table table = new Table(
                "defects",
                List.of(
                        "kind",
                        "sure",
                        "cases",
                        "block",
                        "block bytes",
                        "offset",
                        "bytes",
                        "by",
                        "allocated",
                        "ended"));
        for (Object[] row : all.rows()) {
            table.row(
                    cells.of(row, "kind"),
                    cells.of(row, "certain"),
                    cells.of(row, "cases"),
                    cells.of(row, "block"),
                    cells.of(row, "block_size"),
                    cells.of(row, "offset"),
                    cells.of(row, "bytes"),
                    cells.place(row, "by", "line"),
                    cells.place(row, "allocated_by", "allocated_at"),
                    cells.place(row, "ended_by", "ended_at"));
        }
        return table;
    }

    private Object of(Object[] row, String key) {
        return row[keys.indexOf(key)];
    }

    /** {@code main+14 (a.c:3)}, as much of it as is known. */
    private String place(Object[] row, String name, String line) {
        Object code = of(row, name);
        Object at = of(row, line);
        return code == null ? null : at == null ? code.toString() : code + " (" + at + ")";
    }
}
