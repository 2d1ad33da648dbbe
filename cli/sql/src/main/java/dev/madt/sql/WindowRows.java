package dev.madt.sql;

import dev.madt.duckdb.TableSource;
import dev.madt.trace.event.RingEventType;
import dev.madt.trace.event.TraceEvent;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import java.util.List;
import java.util.Map;

/** Makes a row of each window of the recording. */
final class WindowRows implements Analysis {
    static final List<TableSource.Column> COLUMNS = EventTable.columns(
            "t trace", "i process,window", "l accesses,transfers,first_number,last_number");

    private final RowSink rows;
    private int window;
    private boolean open;
    private long accesses;
    private long transfers;
    private long first;
    private long last;

    WindowRows(RowSink rows) {
        this.rows = rows;
    }

    @Override
    public void meta(Map<String, String> values) {
        rows.meta(values);
    }

    @Override
    public void ring(TraceEvent event) {
        if (event.type() == RingEventType.RECORD_START) {
            give();
            window++;
            open = true;
        } else if (event.type() == RingEventType.RECORD_STOP) {
            give();
        }
    }

    @Override
    public void accesses(Accesses batch) {
        note(batch.first(), batch.first() + batch.count() - 1);
        accesses += batch.count();
    }

    @Override
    public void block(BlockAccess event) {
        note(event.number(), event.number());
        transfers++;
    }

    private void note(long from, long to) {
        first = accesses + transfers == 0 ? from : first;
        last = to;
    }

    @Override
    public void end(boolean complete) {
        give();
    }

    private void give() {
        if (open || accesses + transfers > 0) {
            boolean any = accesses + transfers > 0;
            int number = window;
            rows.add(column -> switch (column) {
                case 2 -> number;
                case 3 -> accesses;
                case 4 -> transfers;
                case 5 -> any ? (Long) first : null;
                default -> any ? (Long) last : null;
            });
        }
        open = false;
        accesses = 0;
        transfers = 0;
    }
}
