package dev.madt.sql;

import dev.madt.duckdb.TableSource;
import dev.madt.trace.event.RegionKind;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import java.util.List;
import java.util.Map;

/** Makes a row of each range of the address space that a trace tells of. */
final class RegionRows implements Analysis {
    static final List<TableSource.Column> COLUMNS = EventTable.columns(
            "t trace", "i process", "t region,kind", "l start_address,end_address,size");

    private final RowSink rows;

    RegionRows(RowSink rows) {
        this.rows = rows;
    }

    @Override
    public void meta(Map<String, String> values) {
        rows.meta(values);
    }

    @Override
    public void accesses(Accesses batch) {
        // regions are told of in front of them
    }

    @Override
    public void mapped(RegionKind kind, long start, long end, String label) {
        rows.add(column -> switch (column) {
            case 2 -> label;
            case 3 -> kind.word();
            case 4 -> start;
            case 5 -> end;
            default -> end - start;
        });
    }
}
