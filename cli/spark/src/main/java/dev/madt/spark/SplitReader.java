package dev.madt.spark;

import dev.madt.sql.Parcel;
import dev.madt.sql.TableScan;
import dev.madt.sql.TraceTables;
import java.util.List;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Reads one part of a table: batches are views of the parcels that {@code madt sql} has, too. */
final class SplitReader implements PartitionReader<ColumnarBatch> {
    private final TraceTables tables;
    private final TableScan scan;
    private final int columns;
    private Parcel parcel;
    /** Rows of the parcel that have not been given. */
    private long left;

    SplitReader(String table, int[] asked, List<String> reading, TraceSplit split) {
        tables = new TraceTables(TraceOptions.source(split.paths(), reading));
        scan = tables.open(table, asked, split.arguments());
        columns = asked.length;
    }

    @Override
    public boolean next() {
        if (left == 0) {
            parcel = scan.next();
            left = parcel == null ? 0 : parcel.count() * parcel.times();
        }
        return left > 0;
    }

    @Override
    public ColumnarBatch get() {
        int rows = (int) Math.min(left, Parcel.ROWS);
        left -= rows;
        ColumnVector[] vectors = new ColumnVector[columns];
        for (int column = 0; column < columns; column++) {
            vectors[column] = ParcelVector.of(parcel, column);
        }
        return new ColumnarBatch(vectors, rows);
    }

    @Override
    public void close() {
        scan.close();
        tables.close();
    }
}
