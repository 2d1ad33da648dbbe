package dev.madt.sql;

import dev.madt.duckdb.TableSource;
import dev.madt.trace.event.AccessKind;
import dev.madt.trace.event.TraceEvent;
import dev.madt.tracker.ThreadNames;
import dev.madt.view.AccessCounter;
import dev.madt.view.Accesses;
import dev.madt.view.Analysis;
import dev.madt.view.BlockAccess;
import dev.madt.view.DataObject;
import dev.madt.view.Needs;
import dev.madt.view.Place;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes a row of each thread that accesses something. */
final class ThreadRows implements Analysis, AccessCounter {
    static final List<TableSource.Column> COLUMNS = EventTable.columns(
            "t trace", "i process,thread", "t name", "l loads,stores,bytes,transfers");

    /** Holds what a thread has done. */
    private static final class Work {
        private long loads;
        private long stores;
        private long bytes;
        private long transfers;
    }

    private final RowSink rows;
    private final ThreadNames names = new ThreadNames();
    private final Map<Integer, Work> threads = new LinkedHashMap<>();

    ThreadRows(RowSink rows) {
        this.rows = rows;
    }

    @Override
    public Needs needs() {
        return Needs.BATCHES.counting(this);
    }

    @Override
    public boolean byThread() {
        return true;
    }

    @Override
    public boolean byDataObject() {
        return false;
    }

    @Override
    public void meta(Map<String, String> values) {
        rows.meta(values);
        names.take(values.getOrDefault(ThreadNames.KEY, ""));
    }

    @Override
    public void ring(TraceEvent event) {
        names.take(event);
    }

    private Work of(int thread) {
        return threads.computeIfAbsent(thread, absent -> new Work());
    }

    @Override
    public void access(long number, int thread, Place place, DataObject object, long address) {
        again(number, thread, place, 1);
    }

    @Override
    public void again(long number, int thread, Place place, long times) {
        Work work = of(thread);
        work.loads += place.kind() == AccessKind.STORE ? 0 : times;
        work.stores += place.kind() == AccessKind.LOAD ? 0 : times;
        work.bytes += times * place.kind().accesses() * place.size();
    }

    @Override
    public void accesses(Accesses batch) {
        Work work = of(batch.thread());
        for (int row = 0; row < batch.count(); row++) {
            work.loads += batch.store(row) ? 0 : 1;
            work.stores += batch.store(row) ? 1 : 0;
            work.bytes += batch.size(row);
        }
    }

    @Override
    public void block(BlockAccess event) {
        of(event.thread()).transfers++;
    }

    @Override
    public void end(boolean complete) {
        threads.forEach((thread, work) -> rows.add(column -> switch (column) {
            case 2 -> thread;
            case 3 -> names.of(thread);
            case 4 -> work.loads;
            case 5 -> work.stores;
            case 6 -> work.bytes;
            default -> work.transfers;
        }));
    }
}
