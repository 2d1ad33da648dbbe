package dev.madt.spark;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** Is sent to where the tasks run, and makes what reads their parts. */
final class SplitReaderFactory implements PartitionReaderFactory {
    private static final long serialVersionUID = 1;

    private final String table;
    private final int[] asked;
    private final String[] reading;

    /**
     * Makes readers.
     *
     * @param asked indexes of the columns
     * @param reading options by which traces are read
     */
    SplitReaderFactory(String table, int[] asked, List<String> reading) {
        this.table = table;
        this.asked = asked;
        this.reading = reading.toArray(String[]::new);
    }

    @Override
    public boolean supportColumnarReads(InputPartition split) {
        return true;
    }

    @Override
    public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition split) {
        return new SplitReader(table, asked, List.of(reading), (TraceSplit) split);
    }

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition split) {
        throw new UnsupportedOperationException("rows come in batches");
    }
}
