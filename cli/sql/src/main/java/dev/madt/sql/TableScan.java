package dev.madt.sql;

import dev.madt.console.Reason;
import dev.madt.duckdb.DuckRows;
import dev.madt.duckdb.DuckType;
import dev.madt.duckdb.TableSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * One reading of a table: a thread of its own reads the traces and fills parcels, from which DuckDB
 * takes its rows; others take the parcels.
 */
public final class TableScan implements TableSource.Rows {
    /** Reads traces and makes rows of them. */
    interface Work {
        void fill(RowWriter rows) throws IOException;
    }

    private final ParcelQueue queue;
    private final Thread thread;
    private Parcel parcel;

    /** @param types of the columns that are asked for */
    TableScan(String name, List<DuckType> types, Work work) {
        queue = new ParcelQueue(() -> new Parcel(types));
        thread = new Thread(() -> run(work), "madt-sql-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Work work) {
        RuntimeException fault = null;
        try {
            RowWriter rows = new RowWriter(queue);
            work.fill(rows);
            rows.end();
        } catch (ParcelQueue.Unwanted e) {
            return;
        } catch (IOException e) {
            fault = new UncheckedIOException(Reason.of(e), e);
        } catch (RuntimeException e) {
            fault = e;
        } catch (OutOfMemoryError e) {
            fault = new IllegalStateException("Java has not enough memory for this table", e);
        }
        queue.end(fault);
    }

    @Override
    public boolean next(DuckRows to) {
        if ((parcel == null || !parcel.hasMore()) && next() == null) {
            return false;
        }
        parcel.give(to);
        return true;
    }

    /**
     * The next rows, which are the caller's until the next call; null at the end.
     *
     * @throws IllegalStateException with a sentence for the user
     * @throws java.io.UncheckedIOException if a trace cannot be read
     */
    public Parcel next() {
        if (parcel != null) {
            queue.emptied(parcel);
            parcel = null;
        }
        parcel = queue.toEmpty();
        return parcel;
    }

    /** Waits for the thread, so that nothing reads a trace any more. */
    @Override
    public void close() {
        queue.close();
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
