package dev.madt.sql;

import dev.madt.duckdb.TableSource;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import java.util.List;
import java.util.Map;

/** Makes a row of each bulk transfer. */
final class TransferRows implements Analysis {
    static final List<TableSource.Column> COLUMNS = EventTable.columns(
            "t trace",
            "i process",
            "l number",
            "i thread",
            "t kind",
            "l address,size",
            "t data,symbol",
            "l offset",
            "t region",
            "l block",
            "t site",
            "l from_address",
            "t from_data,from_symbol",
            "l from_offset",
            "t from_region",
            "l from_block",
            "t from_site",
            "t function,code,module,file",
            "i line");

    private static final int FROM = 13;
    private static final int CODE = 20;

    private final RowSink rows;

    TransferRows(RowSink rows) {
        this.rows = rows;
    }

    @Override
    public void meta(Map<String, String> values) {
        rows.meta(values);
    }

    @Override
    public void accesses(Accesses batch) {
        // each has its row in another table
    }

    @Override
    public void block(BlockAccess event) {
        rows.add(column -> value(event, column));
    }

    private Object value(BlockAccess event, int column) {
        if (column >= CODE) {
            return Names.code(event.place(), column - CODE);
        }
        if (column >= FROM) {
            return event.source() == null
                    ? null
                    : side(event.from(), event.source(), event.sourceStart(), column - FROM);
        }
        return switch (column) {
            case 2 -> event.number();
            case 3 -> event.thread();
            case 4 -> String.valueOf(event.kind().letter());
            case 5 -> event.to();
            case 6 -> event.length();
            default -> side(event.to(), event.target(), event.targetStart(), column - 6);
        };
    }

    /** One side of a transfer: address, data, symbol, offset, region, block and site. */
    private static Object side(long address, DataObject object, long start, int column) {
        return switch (column) {
            case 0 -> address;
            case 1 -> object.commonName();
            case 2 -> object.rowName();
            case 3 -> address - start;
            case 4 -> object.region();
            case 5 -> Names.block(object);
            default -> Names.site(object);
        };
    }
}
