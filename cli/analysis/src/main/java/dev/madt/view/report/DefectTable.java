package dev.madt.view.report;

import dev.madt.view.toolkit.Table;
import java.util.List;

/** Puts accesses to dead blocks into a table. */
final class DefectTable {
    private DefectTable() {}

    static Table of(Defects defects) {
        Table table = new Table(
                "defects",
                List.of(
                        "accesses",
                        "kind",
                        "first",
                        "block",
                        "by",
                        "allocated at",
                        "ended at",
                        "remark"));
        for (Defects.Defect defect : defects.found()) {
            table.row(
                    defect.count,
                    defect.store ? "store" : "load",
                    defect.first,
                    defect.block,
                    defect.code,
                    defect.allocated,
                    defect.ended,
                    defect.doubt);
        }
        return table;
    }
}
